import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { rmsDbfs, tone, tonePurity } from '@parley/audio';
import { ManualClock, silentLog, systemClock } from '@parley/runtime';
import { WebSocket, WebSocketServer } from 'ws';
import { describeCallLeg } from '../../test/call-leg-conformance.ts';
import { LegEvents } from '../../test/leg-events.ts';
import { FakeSocket } from '../../test/fake-socket.ts';
import { describeMediaPort } from '../../test/media-port-conformance.ts';
import { createBrowserLeg } from './browser-leg.ts';

function setup() {
  const clock = new ManualClock();
  const socket = new FakeSocket();
  const leg = createBrowserLeg(socket, { id: 'web-1', clock, log: silentLog });
  const events = new LegEvents(leg);
  return { clock, socket, leg, events };
}

async function setupAnswered() {
  const all = setup();
  await all.leg.answer();
  /** Lets frames go by while the browser says `samples`, then silence. */
  const talk = (frames: number, samples = new Int16Array(0)): void => {
    for (let n = 0; n < frames; n++) {
      const frame = new Int16Array(320);
      frame.set(samples.subarray(n * 320, (n + 1) * 320));
      all.socket.say(frame);
      all.clock.advance(20);
    }
  };
  return { ...all, talk };
}

describeCallLeg('browser', async () => {
  const socket = new FakeSocket();
  const leg = createBrowserLeg(socket, { id: 'web-1', clock: new ManualClock(), log: silentLog });
  return {
    leg,
    hangUpAtFarEnd: () => socket.close(),
    pressAtFarEnd: (digit) => socket.tell(JSON.stringify({ type: 'dtmf', digit })),
    async close() {
      await leg.hangUp();
    },
  };
});

describeMediaPort('browser', async () => {
  const { leg, socket, talk } = await setupAnswered();
  let said = new Int16Array(0);
  return {
    port: leg.media,
    sayAtFarEnd: (samples) => {
      said = Int16Array.from(samples);
    },
    heardAtFarEnd: () => socket.sound(),
    async passTime() {
      talk(1, said);
      said = said.slice(320);
      await new Promise((resolve) => setImmediate(resolve));
    },
    async close() {
      await leg.hangUp();
    },
  };
});

describe('browser leg', () => {
  test('nothing is sent before the answer; then ready, 60 ms of lead and a frame every 20 ms', async () => {
    const { clock, socket, leg } = setup();
    clock.advance(1000);
    expect(socket.sent).toEqual([]);
    await leg.answer();
    expect(socket.texts()).toEqual([{ type: 'ready', sampleRateHz: 16_000, frameSamples: 320 }]);
    clock.advance(1000);
    expect(socket.sound()).toHaveLength((3 + 50) * 320);
    expect(socket.sent.slice(1).every((frame) => frame instanceof Uint8Array && frame.length === 640)).toBe(
      true,
    );
  });

  test('clearing makes the browser drop its buffer, restarts the lead, and empties the queue', async () => {
    const { clock, socket, leg } = await setupAnswered();
    leg.media.play(1, tone({ hz: 400, sampleRateHz: 16_000, samples: 32_000 }));
    clock.advance(200);
    const before = socket.sent.length;
    leg.media.clear();
    clock.advance(200);
    expect(socket.sent[before]).toEqual({ type: 'clear' });
    expect(socket.texts()).toHaveLength(2);
    const after = socket.sound().slice((before - 1) * 320);
    expect(after).toHaveLength((3 + 10) * 320);
    expect(rmsDbfs(after)).toBe(-100);
  });

  test('sound that comes in bursts, as after a hiccup of the network, is heard complete', async () => {
    const { clock, socket, leg } = await setupAnswered();
    const heard: number[] = [];
    leg.media.onTick((tick) => heard.push(...tick.received));
    const sound = tone({ hz: 400, sampleRateHz: 16_000, samples: 16_000 });
    for (let burst = 0; burst < 25; burst++) {
      for (let n = 2 * burst; n < 2 * burst + 2; n++) socket.say(sound.slice(n * 320, (n + 1) * 320));
      clock.advance(40);
    }
    const steady = Int16Array.from(heard.slice(320 * 10, 320 * 45));
    expect(tonePurity(steady, 400, 16_000)).toBeGreaterThan(0.99);
  });

  test.each([
    ['sound', (socket: FakeSocket) => socket.say(new Int16Array(320))],
    ['keys', (socket: FakeSocket) => socket.tell(JSON.stringify({ type: 'dtmf', digit: '1' }))],
    ['messages without a meaning', (socket: FakeSocket) => socket.tell('{')],
  ])('a browser that floods the socket with %s loses the call', async (_what, send) => {
    const { clock, socket, events } = await setupAnswered();
    for (let count = 0; count < 3_000; count++) send(socket);
    clock.advance(10);
    for (let count = 0; count < 5; count++) send(socket);
    expect(events.types()).not.toContain('ended');
    send(socket);
    expect(await events.end()).toMatchObject({ detail: 'The browser sent too many messages' });
    expect(socket.isClosed).toBe(true);
  });

  test('a browser that hangs up by message ends the leg and gets no more', async () => {
    const { clock, socket, events } = await setupAnswered();
    socket.tell('{"type":"hang-up"}');
    expect((await events.end()).cause).toBe('remote-hang-up');
    const count = socket.sent.length;
    clock.advance(1000);
    expect(socket.sent).toHaveLength(count);
    expect(socket.isClosed).toBe(true);
    expect(clock.pendingTimers()).toBe(0);
  });

  test('our hang-up tells the browser why and closes the socket', async () => {
    const { socket, leg } = await setupAnswered();
    await leg.hangUp();
    expect(socket.texts().at(-1)).toEqual({ type: 'ended', cause: 'local-hang-up' });
    expect(socket.isClosed).toBe(true);
  });

  test('a browser that is silent for 20 s is lost', async () => {
    const { clock, events, talk } = await setupAnswered();
    talk(100);
    clock.advance(19_900);
    expect(events.types()).toEqual(['answered']);
    clock.advance(200);
    expect((await events.end()).cause).toBe('line-lost');
  });

  test('while the socket is full the queue waits and the ticks report it; a socket that is full for 20 s is lost', async () => {
    const { socket, leg, events, talk } = await setupAnswered();
    let queued = 0;
    leg.media.onTick((tick) => (queued = tick.queuedSamples));
    leg.media.play(1, new Int16Array(320 * 10).fill(500));
    socket.bufferedAmount = 100_000;
    talk(50);
    expect(queued).toBe(320 * 10);
    socket.bufferedAmount = 0;
    talk(10);
    expect(queued).toBe(0);
    socket.bufferedAmount = 100_000;
    talk(1001);
    expect((await events.end()).cause).toBe('line-lost');
  });

  test.each([
    'no json',
    '[]',
    'null',
    '{"type":"dtmf"}',
    '{"type":"dtmf","digit":"12"}',
    '{"type":"dtmf","digit":"x"}',
    '{"type":"other"}',
    `{"type":"hang-up","x":"${'x'.repeat(2000)}"}`,
  ])('text that means nothing is ignored: %s', async (text) => {
    const { socket, events } = await setupAnswered();
    socket.tell(text);
    expect(events.types()).toEqual(['answered']);
  });

  test('binary messages of odd, no, or absurd length are ignored', async () => {
    const { socket, leg } = await setupAnswered();
    for (const length of [0, 1, 641, 16_002]) socket.emit('message', Buffer.alloc(length), true);
    expect(leg.media.stats().packetsReceived).toBe(0);
  });

  test('samples are read right also from an odd address', async () => {
    const { clock, socket, leg } = await setupAnswered();
    const heard: number[] = [];
    leg.media.onTick((tick) => heard.push(...tick.received));
    const odd = Buffer.alloc(641);
    for (let i = 0; i < 320; i++) odd.writeInt16LE(1234, 1 + 2 * i);
    socket.emit('message', odd.subarray(1), true);
    clock.advance(100);
    expect(heard.filter((sample) => sample === 1234).length).toBeGreaterThan(200);
  });

  test('messages of voice reach the browser, until the end', async () => {
    const { socket, leg } = await setupAnswered();
    leg.notify({ type: 'turn', text: 'Hello' });
    await leg.hangUp();
    leg.notify({ type: 'turn', text: 'too late' });
    expect(socket.texts().slice(1)).toEqual([
      { type: 'turn', text: 'Hello' },
      { type: 'ended', cause: 'local-hang-up' },
    ]);
  });
});

describe('browser leg on a real WebSocket', () => {
  test('sound crosses both ways, and closing the page ends the call', async () => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    const connected = once(server, 'connection') as Promise<[WebSocket]>;
    const page = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const [socket] = await connected;
    const leg = createBrowserLeg(socket, { id: 'web-2', clock: systemClock, log: silentLog });
    const events = new LegEvents(leg);
    await once(page, 'open');
    const fromServer: (Buffer | string)[] = [];
    page.on('message', (data: Buffer, isBinary) => fromServer.push(isBinary ? data : data.toString()));
    await leg.answer();
    const heard = new Promise<void>((resolve) => {
      leg.media.onTick((tick) => tick.received.some((sample) => sample === 777) && resolve());
    });
    leg.media.play(1, new Int16Array(320).fill(555));
    page.send(new Uint8Array(new Int16Array(320).fill(777).buffer));
    await heard;
    await expect
      .poll(() => fromServer.some((frame) => typeof frame !== 'string' && frame.readInt16LE(0) === 555))
      .toBe(true);
    expect(JSON.parse(String(fromServer[0]))).toMatchObject({ type: 'ready' });
    page.close();
    expect((await events.end()).cause).toBe('remote-hang-up');
    server.close();
  });
});
