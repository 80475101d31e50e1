import { DtmfDetector, rmsDbfs, tone, tonePurity, type ToneKey } from '@parley/audio';
import { ManualClock, silentLog } from '@parley/runtime';
import { describe, expect, test } from 'vitest';
import { describeCarrier } from '../../test/carrier-conformance.ts';
import { connectCarrier, FakeCarrier, twilioWords } from '../../test/fake-carrier.ts';
import { LegEvents } from '../../test/leg-events.ts';
import { createCarrierLeg } from './carrier-leg.ts';
import { CarrierStream } from './carrier-stream.ts';
import { twilioProtocol } from './twilio-messages.ts';

const { start: START } = twilioWords;
const connect = () => connectCarrier(twilioWords);

async function setup() {
  const all = await connect();
  return { ...all, events: new LegEvents(all.leg) };
}

describeCarrier('carrier stream of Twilio', twilioWords);

describe('the beginning of a stream', () => {
  test('without start within 5 s, the connection is closed', async () => {
    const clock = new ManualClock();
    const carrier = new FakeCarrier(twilioWords);
    const stream = new CarrierStream(carrier.socket, { clock, protocol: twilioProtocol });
    carrier.socket.says({ event: 'connected' });
    clock.advance(5_000);
    expect(await stream.started).toBeNull();
    expect(carrier.socket.closed).toBe(1008);
    expect(clock.pendingTimers()).toBe(0);
  });

  test.each([
    ['another sound format', { mediaFormat: { encoding: 'audio/l16', sampleRate: 8000, channels: 1 } }],
    ['another sample rate', { mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 16_000, channels: 1 } }],
    ['a call without a valid id', { callSid: 'CA1' }],
  ])('a start with %s is none', async (_what, changes) => {
    const clock = new ManualClock();
    const carrier = new FakeCarrier(twilioWords);
    const stream = new CarrierStream(carrier.socket, { clock, protocol: twilioProtocol });
    carrier.start(changes);
    clock.advance(5_000);
    expect(await stream.started).toBeNull();
  });

  test('names the call and its parameters; a second start changes nothing', async () => {
    const { carrier, start, leg, events } = await setup();
    carrier.start({ callSid: `CA${'d'.repeat(32)}` });
    expect(start).toMatchObject({ callSid: START.callSid, parameters: { ticket: 'secret' } });
    expect(leg.id).toBe(START.callSid);
    expect(events.types()).toEqual([]);
  });

  test('a caller who hangs up while the ticket is checked ends the leg that comes later', async () => {
    const clock = new ManualClock();
    const carrier = new FakeCarrier(twilioWords);
    const stream = new CarrierStream(carrier.socket, { clock, protocol: twilioProtocol });
    carrier.start();
    const start = await stream.started;
    carrier.tell('dtmf', { dtmf: { digit: '1' } });
    carrier.tell('stop');
    if (!start) throw new Error('The stream has not started');
    const leg = createCarrierLeg(stream, { start, from: '', to: '', clock, log: silentLog });
    expect(await new LegEvents(leg).end()).toMatchObject({ cause: 'remote-hang-up' });
  });
});

describe('keys that are sent', () => {
  const keysIn = (heard: readonly number[]): string => {
    const keys: ToneKey[] = [];
    const detector = new DtmfDetector(8000, (key) => keys.push(key));
    for (let at = 0; at + 160 <= heard.length; at += 160)
      detector.hear(Int16Array.from(heard.slice(at, at + 160)));
    return keys.map(({ digit }) => digit).join('');
  };

  test('are tones, before what is queued and whole when the caller interrupts', async () => {
    const { leg, carrier, socket, pass } = await setup();
    expect(await leg.sendDtmf('1')).toEqual({ isSent: false, reason: 'no-call' });
    await leg.answer();
    expect(await leg.sendDtmf('14#')).toEqual({ isSent: true, method: 'inband' });
    leg.media.play(1, tone({ hz: 400, sampleRateHz: 8000, samples: 1600 }));
    pass(8);
    leg.media.clear();
    leg.media.play(2, tone({ hz: 400, sampleRateHz: 8000, samples: 1600 }));
    pass(60);
    expect(socket.of('clear')).toEqual([]);
    expect(keysIn(carrier.heard)).toBe('14#');
    const last = Int16Array.from(carrier.heard.slice(42 * 160, 50 * 160));
    expect(tonePurity(last, 400, 8000)).toBeGreaterThan(0.8);
    const ended = leg.hangUp();
    pass(10);
    await ended;
    expect(await leg.sendDtmf('1')).toEqual({ isSent: false, reason: 'no-call' });
  });
});

describe('the sound of a stream', () => {
  test('nothing is sent before the answer and while nothing is said; 60 ms of silence precede sound, a frame fades it out', async () => {
    const { socket, leg, carrier, pass } = await setup();
    pass(5);
    await leg.answer();
    pass(5);
    expect(socket.sent).toEqual([]);
    leg.media.play(1, tone({ hz: 400, sampleRateHz: 8000, samples: 1600 }));
    pass(20);
    expect(socket.of('media')).toHaveLength(3 + 10 + 1);
    expect(socket.of('media')[0]).toEqual({
      event: 'media',
      streamSid: START.streamSid,
      media: { payload: Buffer.alloc(160, 0xff).toString('base64') },
    });
    expect(carrier.heard).toHaveLength(30 * 160);
  });

  test('an interruption drops what the carrier holds', async () => {
    const { socket, leg, carrier, pass } = await setup();
    await leg.answer();
    leg.media.play(1, tone({ hz: 400, sampleRateHz: 8000, samples: 80_000 }));
    pass(50);
    leg.media.clear();
    expect(socket.sent.at(-1)).toEqual({ event: 'clear', streamSid: START.streamSid });
    pass(10);
    expect(rmsDbfs(Int16Array.from(carrier.heard.slice(-9 * 160)))).toBe(-100);
    leg.media.play(2, tone({ hz: 400, sampleRateHz: 8000, samples: 1600 }));
    pass(15);
    expect(tonePurity(Int16Array.from(carrier.heard.slice(-10 * 160, -2 * 160)), 400, 8000)).toBeGreaterThan(
      0.8,
    );
  });

  test('a carrier that holds back more than two seconds gets no more until it has played', async () => {
    const { socket, leg, carrier, pass } = await setup();
    await leg.answer();
    let queued = 0;
    leg.media.onTick((tick) => (queued = tick.queuedSamples));
    carrier.isEchoing = false;
    leg.media.play(1, new Int16Array(160 * 300).fill(500));
    pass(250);
    expect(socket.of('media')).toHaveLength(101);
    expect(queued).toBe(160 * (300 - 98));
    carrier.isEchoing = true;
    pass(320);
    expect(queued).toBe(0);
  });

  test('sound that the carrier has dropped delays nothing that comes after it', async () => {
    const { leg, carrier, pass, clock } = await setup();
    await leg.answer();
    const heard: number[] = [];
    leg.media.onTick((tick) => heard.push(...tick.received));
    const loud = new Int16Array(160).fill(8000);
    pass(50);
    clock.advance(400);
    carrier.say(loud, { skipMs: 400 });
    clock.advance(20);
    pass(60);
    const atMs = heard.findIndex((sample) => sample > 4000) / 8;
    expect(atMs).toBeGreaterThan(1_400);
    expect(atMs).toBeLessThan(1_500);
  });

  test('a carrier that sends nothing for 20 s is lost', async () => {
    const { leg, clock, events, pass } = await setup();
    await leg.answer();
    pass(10);
    clock.advance(20_100);
    expect(await events.end()).toMatchObject({ cause: 'line-lost' });
    expect(clock.pendingTimers()).toBe(0);
  });
});

describe('the end of a stream', () => {
  test('a hang-up waits until the last words were played, and not for longer than a second', async () => {
    const { leg, clock, events, pass, socket } = await setup();
    await leg.answer();
    leg.media.play(1, new Int16Array(800).fill(500));
    pass(5);
    const ended = leg.hangUp();
    expect(socket.closed).toBeNull();
    pass(10);
    await ended;
    expect(socket.closed).toBe(1000);
    expect(events.types()).toEqual(['answered', 'ended']);
    const other = await setup();
    await other.leg.answer();
    other.carrier.isEchoing = false;
    other.leg.media.play(1, new Int16Array(800).fill(500));
    other.pass(5);
    const late = other.leg.hangUp();
    other.clock.advance(1_000);
    await late;
    expect((await other.events.end()).cause).toBe('local-hang-up');
    expect(clock.pendingTimers()).toBe(0);
  });

  test('a caller who hangs up while we do does not delay the end, which stays ours', async () => {
    const { leg, carrier, events, pass } = await setup();
    await leg.answer();
    leg.media.play(1, new Int16Array(800).fill(500));
    pass(5);
    const ended = leg.hangUp();
    carrier.tell('stop');
    await ended;
    expect((await events.end()).cause).toBe('local-hang-up');
  });

  test('a connection that breaks is a lost line', async () => {
    const { leg, socket, events } = await setup();
    await leg.answer();
    socket.emit('close', 1006);
    expect(await events.end()).toMatchObject({ cause: 'line-lost' });
  });

  test.each([
    [
      'messages that come twice',
      (carrier: FakeCarrier) => carrier.socket.says({ event: 'stop', sequenceNumber: '1' }),
    ],
    ['text that is no JSON', (carrier: FakeCarrier) => carrier.socket.says('{')],
    ['lists', (carrier: FakeCarrier) => carrier.socket.says([])],
    ['binary messages', (carrier: FakeCarrier) => carrier.socket.emit('message', Buffer.alloc(160), true)],
    [
      'sound of our own track',
      (carrier: FakeCarrier) =>
        carrier.tell('media', { media: { track: 'outbound', timestamp: '1', payload: '//8=' } }),
    ],
    ['frames that are too long', (carrier: FakeCarrier) => carrier.say(new Int16Array(4_001))],
    ['unknown events', (carrier: FakeCarrier) => carrier.tell('other')],
    ['keys that do not exist', (carrier: FakeCarrier) => carrier.tell('dtmf', { dtmf: { digit: 'x' } })],
  ])('%s are ignored a hundred times', async (_what, send) => {
    const { leg, carrier, events } = await setup();
    await leg.answer();
    for (let count = 0; count < 100; count++) send(carrier);
    expect(events.types()).toEqual(['answered']);
    expect(leg.media.stats().packetsReceived).toBe(0);
    send(carrier);
    expect((await events.end()).cause).toBe('line-lost');
  });

  test('a carrier that floods the stream loses it', async () => {
    const { leg, carrier, events } = await setup();
    await leg.answer();
    for (let count = 0; count < 3_000; count++) carrier.tell('mark', { mark: { name: 'played 1' } });
    expect(await events.end()).toMatchObject({ detail: 'The carrier sent too many messages' });
  });
});
