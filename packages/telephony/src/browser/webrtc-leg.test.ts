/**
 * The leg of a browser over WebRTC: a real worker and real sockets on one side, werift as the browser on the other.
 */
import { createSocket } from 'node:dgram';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { tone, tonePurity } from '@parley/audio';
import { ManualClock, pause, silentLog, systemClock } from '@parley/runtime';
import { BrowserPeer, type Fate } from '../../test/browser-peer.ts';
import { describeCallLeg } from '../../test/call-leg-conformance.ts';
import { FakeSocket } from '../../test/fake-socket.ts';
import { LegEvents } from '../../test/leg-events.ts';
import { describeMediaPort } from '../../test/media-port-conformance.ts';
import { createWebRtcFactory } from '../webrtc/webrtc-factory.ts';
import { createBrowserLeg } from './browser-leg.ts';

const factory = createWebRtcFactory({
  clock: systemClock,
  log: silentLog,
  host: '127.0.0.1',
  ports: null,
  publicAddresses: [],
  isLoopbackUseful: true,
});
/** The thread is loaded before the first test, as in a process that has started. */
beforeAll(async () => {
  const peer = await BrowserPeer.open();
  const link = await factory.open(await peer.offer());
  link.close();
  await peer.close();
});
afterAll(() => factory.stop());

/** Each frame of 20 ms has eight whole waves, so that it continues any other. */
const TONE = tone({ hz: 400, sampleRateHz: 16_000, samples: 160_000 });
const WEBRTC = { type: 'sound-path', path: 'webrtc' };
const WEBSOCKET = { type: 'sound-path', path: 'websocket' };

/** A leg and its page, whose offer is answered but not yet used. */
async function setup({ clock = systemClock, change = (sdp: string): string => sdp } = {}) {
  const socket = new FakeSocket();
  const leg = createBrowserLeg(socket, { id: 'web-1', clock, log: silentLog, webRtc: factory });
  const peer = await BrowserPeer.open();
  onTestFinished(async () => {
    await leg.hangUp();
    await peer.close();
  });
  socket.tell(JSON.stringify({ type: 'webrtc-offer', sdp: change(await peer.offer()) }));
  const answer = async (): Promise<string> => {
    const find = (): { sdp?: string } | undefined =>
      socket.texts().find((text) => (text as { type: string }).type === 'webrtc-answer') as never;
    await expect.poll(find).toBeDefined();
    return find()?.sdp ?? '';
  };
  /** The page sends 400 Hz, a frame every 20 ms, until `isDone`. */
  const talk = async (isDone: () => boolean): Promise<void> => {
    const startMs = systemClock.monotonic();
    for (let n = 0; !isDone(); await pause(systemClock, 20)) {
      // On a busy machine a pause takes longer, and several frames are due after it.
      for (; n * 20 <= systemClock.monotonic() - startMs; n++) peer.say(TONE.subarray(0, 320));
    }
  };
  return { socket, leg, peer, answer, talk };
}

async function setupConnected(fate?: Fate) {
  const all = await setup();
  await all.peer.take(await all.answer(), fate);
  await all.leg.answer();
  await expect.poll(() => all.socket.texts()).toContainEqual(WEBRTC);
  return all;
}

async function setupListening(fate?: Fate) {
  const all = await setupConnected(fate);
  const heard: number[] = [];
  all.leg.media.onTick((tick) => heard.push(...tick.received));
  return { ...all, heard, events: new LegEvents(all.leg) };
}

/** The purest half second. */
function bestPurity(sound: ArrayLike<number>): number {
  const samples = Int16Array.from(sound);
  let best = 0;
  for (let at = 0; at + 8000 <= samples.length; at += 1600)
    best = Math.max(best, tonePurity(samples.subarray(at, at + 8000), 400, 16_000));
  return best;
}

describeCallLeg('WebRTC', async () => {
  const { leg, socket, peer, answer } = await setup();
  await peer.take(await answer());
  return {
    leg,
    hangUpAtFarEnd: () => socket.close(),
    pressAtFarEnd: (digit) => socket.tell(JSON.stringify({ type: 'dtmf', digit })),
    async close() {
      await leg.hangUp();
    },
  };
});

describeMediaPort('WebRTC', async () => {
  const { leg, peer } = await setupConnected();
  let said = new Int16Array(0);
  const startMs = systemClock.monotonic();
  let sent = 0;
  return {
    port: leg.media,
    sayAtFarEnd: (samples) => {
      said = Int16Array.from(samples);
    },
    heardAtFarEnd: () => peer.heard(),
    // On a busy machine a pause takes longer, and several frames are due after it.
    async passTime() {
      await pause(systemClock, 20);
      for (; sent < (systemClock.monotonic() - startMs) / 20; sent++) {
        peer.say(said);
        said = said.slice(320);
      }
    },
    async close() {
      await leg.hangUp();
    },
  };
});

describe('browser leg over WebRTC', () => {
  test('the call begins over WebRTC, no sound goes over the WebSocket, and the port is free afterwards', async () => {
    const { socket, leg, events, peer, talk, heard } = await setupListening();
    leg.media.play(1, TONE.slice());
    await talk(() => bestPurity(heard) > 0.9 && bestPurity(peer.heard()) > 0.9);
    expect(socket.sound()).toHaveLength(0);
    await leg.hangUp();
    expect((await events.end()).cause).toBe('local-hang-up');
    await expect.poll(() => factory.portsInUse()).toBe(0);
  });

  test('with a tenth of the packets lost, repeated or out of order, the sound is recognisable and the loss counted', async () => {
    const { leg, talk, heard } = await setupListening((count, datagram) => {
      const isSound = (datagram[0] ?? 0) >= 128;
      return isSound ? ((['lose', 'repeat', 'hold'] as const)[count % 30] ?? 'pass') : 'pass';
    });
    await talk(() => bestPurity(heard) > 0.8 && leg.media.stats().packetsLost > 0);
    expect(leg.media.stats().jitterMs).toBeGreaterThan(0);
  });

  test('a network that lets nothing through: the call begins over the WebSocket after two seconds', async () => {
    const clock = new ManualClock();
    const { socket, leg, peer, answer } = await setup({ clock });
    await peer.take(await answer(), () => 'lose');
    const answered = leg.answer();
    clock.advance(2000);
    await answered;
    expect(socket.texts().slice(-2)).toEqual([
      WEBSOCKET,
      { type: 'ready', sampleRateHz: 16_000, frameSamples: 320 },
    ]);
    clock.advance(200);
    expect(socket.sound().length).toBeGreaterThan(0);
    clock.advance(8000);
    await expect.poll(() => factory.portsInUse()).toBe(0);
  });

  test('a connection that comes late takes over a call that has begun', async () => {
    const clock = new ManualClock();
    const { socket, leg, peer, answer } = await setup({ clock });
    const answered = leg.answer();
    clock.advance(2000);
    await answered;
    await peer.take(await answer());
    await expect.poll(() => socket.texts().at(-1)).toEqual(WEBRTC);
    const sent = socket.sound().length;
    clock.advance(200);
    expect(socket.sound()).toHaveLength(sent);
  });

  test('a handshake with another certificate than that of the offer is refused', async () => {
    const { socket, leg, peer, answer } = await setup({
      change: (sdp) => sdp.replace(/(?<=a=fingerprint:sha-256 )../, '00'),
    });
    await peer.take(await answer());
    await leg.answer();
    expect(socket.texts()).toContainEqual(WEBSOCKET);
    expect(socket.texts()).not.toContainEqual(WEBRTC);
    await expect.poll(() => factory.portsInUse()).toBe(0);
  });

  test('when sound stops arriving, the WebSocket carries on within seconds, and the call does not end', async () => {
    let isCut = false;
    const { socket, leg, events, talk, heard } = await setupListening(() => (isCut ? 'lose' : 'pass'));
    await talk(() => heard.length > 10_000);
    isCut = true;
    await expect.poll(() => socket.texts().at(-1)).toEqual(WEBSOCKET);
    leg.media.play(1, TONE.slice());
    const before = heard.length;
    const received = leg.media.stats().packetsReceived;
    const isHeard = (): boolean => bestPurity(heard.slice(before)) > 0.8 && bestPurity(socket.sound()) > 0.8;
    for (const startMs = systemClock.monotonic(); !isHeard(); await pause(systemClock, 20)) {
      const due = Math.ceil((systemClock.monotonic() - startMs) / 20);
      for (let sent = leg.media.stats().packetsReceived - received; sent < due; sent++)
        socket.say(TONE.slice(0, 320));
    }
    expect(events.types()).toEqual(['answered']);
  });

  test('a browser that reports a failure gets the WebSocket at once', async () => {
    const { socket, leg } = await setup();
    socket.tell('{"type":"webrtc-failed"}');
    await leg.answer();
    expect(socket.texts()).toContainEqual(WEBSOCKET);
  });

  test.each(['', 'v=0', 'm=audio 9 UDP/TLS/RTP/SAVPF 111', 'x'.repeat(15_000)])(
    'an offer that is none begins the call over the WebSocket: %#',
    async (sdp) => {
      const socket = new FakeSocket();
      const leg = createBrowserLeg(socket, {
        id: 'web-2',
        clock: systemClock,
        log: silentLog,
        webRtc: factory,
      });
      socket.tell(JSON.stringify({ type: 'webrtc-offer', sdp }));
      await leg.answer();
      expect(socket.texts()[0]).toEqual(WEBSOCKET);
      await leg.hangUp();
    },
  );

  test('a second offer is not answered', async () => {
    const { socket, peer, answer } = await setup();
    await answer();
    socket.tell(JSON.stringify({ type: 'webrtc-offer', sdp: await peer.offer() }));
    await pause(systemClock, 100);
    expect(factory.portsInUse()).toBe(1);
  });

  test('datagrams of strangers, hostile packets and bytes that are no Opus change nothing', async () => {
    const { leg, peer, answer, talk, heard } = await setupListening();
    const port = Number(/ (\d+) typ host/.exec(await answer())?.[1]);
    const stranger = createSocket('udp4');
    onTestFinished(() => {
      stranger.close();
    });
    let answers = 0;
    stranger.on('message', () => answers++);
    for (let n = 0; n < 256; n++) {
      const bytes = Buffer.alloc(40 + n, n);
      stranger.send(bytes, port, '127.0.0.1');
      peer.sayBytes(bytes.subarray(0, n));
    }
    await talk(() => bestPurity(heard) > 0.9);
    expect(answers).toBe(0);
    expect(leg.media.stats().packetsReceived).toBeGreaterThan(25);
  });
});
