import { encodeG711, tone, tonePurity } from '@parley/audio';
import { ManualClock } from '@parley/runtime';
import { describe, expect, test } from 'vitest';
import { describeCarrier } from '../../test/carrier-conformance.ts';
import { connectCarrier, FakeCarrier, telnyxWords } from '../../test/fake-carrier.ts';
import { LegEvents } from '../../test/leg-events.ts';
import { CarrierStream } from './carrier-stream.ts';
import { telnyxProtocol } from './telnyx-messages.ts';

const { start: START } = telnyxWords;

async function setup(changes: object = {}) {
  const all = await connectCarrier(telnyxWords, changes);
  const heard: number[] = [];
  all.leg.media.onTick((tick) => heard.push(...tick.received));
  return { ...all, heard, events: new LegEvents(all.leg) };
}

describeCarrier('carrier stream of Telnyx', telnyxWords);

describe('what Telnyx says first', () => {
  test('names the call, the sound and the parameters', async () => {
    const { leg, start } = await setup();
    expect(start).toEqual({
      streamSid: '32de0dea-53cb-4b21-89a4-9e1819c043bc',
      callSid: START.call_control_id,
      codec: 'PCMU',
      parameters: { ticket: 'secret' },
    });
    expect(leg.id).toBe(START.call_control_id);
  });

  test.each([
    ['PCMU', 'PCMU'],
    ['PCMA', 'PCMA'],
    ['audio/x-mulaw', 'PCMU'],
    ['audio/x-alaw', 'PCMA'],
  ])('%s is %s', async (encoding, codec) => {
    const { start } = await setup({ media_format: { encoding, sample_rate: 8000, channels: 1 } });
    expect(start.codec).toBe(codec);
  });

  test.each([
    ['wideband sound', { media_format: { encoding: 'G722', sample_rate: 16_000, channels: 1 } }],
    ['the name of an inherited property', { media_format: { encoding: 'toString', sample_rate: 8000 } }],
    ['two channels', { media_format: { encoding: 'PCMU', sample_rate: 8000, channels: 2 } }],
    ['no format', { media_format: null }],
    ['a call without a valid id', { call_control_id: 'a b' }],
  ])('a start with %s is none', async (_what, changes) => {
    const clock = new ManualClock();
    const carrier = new FakeCarrier(telnyxWords);
    const stream = new CarrierStream(carrier.socket, { clock, protocol: telnyxProtocol });
    carrier.start(changes);
    clock.advance(5_000);
    expect(await stream.started).toBeNull();
  });

  test('a message of Twilio is none', () => {
    const message = { event: 'start', sequenceNumber: '1', start: { streamSid: 'MZ1' } };
    expect(telnyxProtocol.parse(JSON.stringify(message))).toBeNull();
  });
});

describe('the messages to Telnyx', () => {
  test('have the fields of its reference, and no others', async () => {
    const { leg, socket, pass } = await setup();
    await leg.answer();
    leg.media.play(1, tone({ hz: 400, sampleRateHz: 8000, samples: 8000 }));
    pass(40);
    leg.media.clear();
    expect(socket.of('media')[0]).toEqual({
      event: 'media',
      media: { payload: Buffer.alloc(160, 0xff).toString('base64') },
    });
    expect(socket.of('mark')[0]).toEqual({ event: 'mark', mark: { name: 'played 25' } });
    expect(socket.sent.at(-1)).toEqual({ event: 'clear' });
  });
});

describe('the sound of Telnyx', () => {
  test('that comes out of order is heard in order, and once', async () => {
    const { leg, carrier, clock, heard } = await setup();
    await leg.answer();
    const sound = tone({ hz: 430, sampleRateHz: 8000, samples: 160 * 60 });
    for (let at = 0; at < sound.length; at += 320) {
      const [first, second] = [0, 160].map((offset) =>
        carrier.frame(sound.slice(at + offset, at + offset + 160)),
      );
      carrier.tell('media', { media: second });
      carrier.tell('media', { media: first });
      carrier.tell('media', { media: first });
      clock.advance(40);
    }
    const middle = Int16Array.from(heard.slice(160 * 15, 160 * 45));
    expect(tonePurity(middle, 430, 8000)).toBeGreaterThan(0.99);
  });

  test('that is lost leaves a gap of its length, so that what follows is not early', async () => {
    const { leg, carrier, clock, heard } = await setup();
    await leg.answer();
    for (let count = 0; count < 10; count++) carrier.say(new Int16Array(160));
    for (let lost = 0; lost < 5; lost++) carrier.frame(new Int16Array(160));
    carrier.say(new Int16Array(160).fill(8000));
    clock.advance(600);
    const atMs = heard.findIndex((sample) => sample > 4000) / 8;
    expect(atMs).toBeGreaterThan(280);
    expect(atMs).toBeLessThan(420);
  });

  test('in A-law is understood', async () => {
    const media_format = { encoding: 'PCMA', sample_rate: 8000, channels: 1 };
    const { leg, carrier, clock, heard } = await setup({ media_format });
    await leg.answer();
    const payload = new Uint8Array(160);
    encodeG711('PCMA', new Int16Array(160).fill(8000), payload);
    for (let chunk = 1; chunk <= 30; chunk++) {
      const media = { track: 'inbound', chunk, payload: Buffer.from(payload).toString('base64') };
      carrier.tell('media', { media });
      clock.advance(20);
    }
    expect(heard.at(-1)).toBeGreaterThan(7_800);
    expect(heard.at(-1)).toBeLessThan(8_200);
    expect(leg.media.stats().codec).toBe('PCMA');
  });

  test('of our own track, without a place, or too long is ignored', async () => {
    const { leg, carrier } = await setup();
    await leg.answer();
    const frame = carrier.frame(new Int16Array(160));
    for (const changes of [{ track: 'outbound' }, { chunk: 'x' }, { chunk: undefined }, { payload: '%' }])
      carrier.tell('media', { media: { ...frame, ...changes } });
    carrier.say(new Int16Array(4_001));
    expect(leg.media.stats().packetsReceived).toBe(0);
  });
});

test('keys, marks, errors and the end count without a number too, and an error does not end the call', async () => {
  const { leg, carrier, events } = await setup();
  await leg.answer();
  const payload = { code: 100_003, title: 'malformed_frame', detail: 'The frame was malformed.' };
  for (let count = 0; count < 200; count++) carrier.socket.says({ event: 'error', payload });
  carrier.socket.says({ event: 'error' });
  carrier.socket.says({ event: 'mark', mark: { name: 'played 25' } });
  carrier.socket.says({ event: 'dtmf', dtmf: { digit: '5' } });
  expect(events.types()).toEqual(['answered', 'dtmf']);
  carrier.socket.says({ event: 'stop', stop: {} });
  expect(await events.end()).toMatchObject({ cause: 'remote-hang-up' });
});

test('a number far behind the newest one is not taken, however many came', async () => {
  const { leg, carrier, socket } = await setup();
  await leg.answer();
  for (let count = 0; count < 500; count++) carrier.say(new Int16Array(160));
  const { packetsReceived } = leg.media.stats();
  for (const number of [1, 2, 400, 437, 500])
    socket.says(telnyxWords.about('media', number, { media: carrier.frame(new Int16Array(160)) }));
  expect(leg.media.stats().packetsReceived).toBe(packetsReceived);
});
