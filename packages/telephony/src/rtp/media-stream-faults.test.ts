/**
 * The effects of a bad network on a call and on both channels of its recording: ten minutes of packets on a
 * clock moved by hand. The far end clicks once a second by its own clock, which tells where its sound has come to lie.
 */
import { encodeG711 } from '@parley/audio';
import { describe, expect, test } from 'vitest';
import type { MediaTarget } from '../media-factory.ts';
import { MediaStream } from './media-stream.ts';
import { parseRtp, RTP_HEADER_BYTES, writeRtpHeader } from './rtp-packet.ts';
import type { Address } from './source-latch.ts';

const REMOTE: Address = { host: '10.0.0.9', port: 5004 };
const TARGET: MediaTarget = {
  remoteHost: REMOTE.host,
  remotePort: REMOTE.port,
  codec: 'PCMA',
  payloadType: 8,
  telephoneEventPayloadType: 101,
  direction: 'sendrecv',
};
const FRAME = 160;
const FRAME_MS = 20;
const FRAMES_PER_CLICK = 50;
const TEN_MINUTES = 30_000;
/** Where in its packet a click lies: past the 4 ms in which a hole is joined to what follows it. */
const CLICK_AT = 80;
const CLICK = 16_000;
const MURMUR = 400;

/** One packet on its way: its number, and when it comes, milliseconds since the start. */
interface Arrival {
  number: number;
  atMs: number;
  payloadType?: number;
  ssrc?: number;
}

/** What a network makes of packet `number`, sent at `sentMs`: none, one or several arrivals. */
type Network = (number: number, sentMs: number) => Arrival[];

const perfect: Network = (number, sentMs) => [{ number, atMs: sentMs }];

/** Numbers from 0 to 1 that are the same in every run. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const MURMURING = Int16Array.from({ length: FRAME }, (_, i) => (i % 40 < 20 ? MURMUR : -MURMUR));
const PLAIN = encoded(MURMURING);
const WITH_CLICK = encoded(MURMURING.with(CLICK_AT, CLICK));

function encoded(sound: Int16Array): Uint8Array {
  const octets = new Uint8Array(sound.length);
  encodeG711('PCMA', sound, octets);
  return octets;
}

function packetOf({ number, payloadType = 8, ssrc = 7 }: Arrival): Uint8Array {
  const bytes = new Uint8Array(RTP_HEADER_BYTES + FRAME);
  const header = {
    payloadType,
    hasMarker: false,
    // Every stream counts from another number.
    timestamp: (number * FRAME + ssrc * 1_000_003) >>> 0,
    ssrc,
    sequence: number & 0xff_ff,
  };
  writeRtpHeader(new DataView(bytes.buffer), header);
  bytes.set(number % FRAMES_PER_CLICK === 0 ? WITH_CLICK : PLAIN, RTP_HEADER_BYTES);
  return bytes;
}

/** A call of `frames` ticks with a far end whose clock runs `skewPpm` fast. */
function call({ network = perfect, skewPpm = 0, frames = TEN_MINUTES } = {}) {
  const arrivals: Arrival[] = [];
  // Sent in the middle between two ticks, so that only the simulated network determines which packets are on time; a few more than
  // are needed, so that a far end whose clock runs fast does not fall silent before the end.
  for (let number = 0; number < frames * 1.02; number++)
    arrivals.push(...network(number, (number * FRAME_MS + 10) / (1 + skewPpm / 1e6)));
  arrivals.sort((one, other) => one.atMs - other.atMs);
  const sentTimestamps: number[] = [];
  const stream = new MediaStream({
    start: { ssrc: 1, sequence: 0, timestamp: 0 },
    send: (kind, bytes) => {
      if (kind === 'rtp') sentTimestamps.push(parseRtp(bytes)?.timestamp ?? -1);
    },
    onKey: () => {},
    onSilence: () => {},
  });
  stream.connect(TARGET);
  const received = new Int16Array(frames * FRAME);
  const concealed: boolean[] = [];
  const waiting = arrivals.values();
  let next = waiting.next();
  for (let index = 0; index < frames; index++) {
    const nowMs = (index + 1) * FRAME_MS;
    for (; !next.done && next.value.atMs <= nowMs; next = waiting.next())
      stream.receive(packetOf(next.value), REMOTE, next.value.atMs);
    const tick = stream.tick(0, { monotonicMs: nowMs, wallMs: nowMs });
    received.set(tick.received, index * FRAME);
    concealed.push(tick.isConcealed);
  }
  return { received, concealed, sentTimestamps };
}

/** For each click, by how many samples it lies behind the instant at which the far end sent it, by our clock. */
function delaysOf(received: Int16Array, skewPpm = 0): number[] {
  const delays: number[] = [];
  received.forEach((sample, at) => {
    if (sample < CLICK / 2) return;
    const click = Math.round((at * (1 + skewPpm / 1e6) - CLICK_AT) / (FRAME * FRAMES_PER_CLICK));
    delays.push(at - (click * FRAME * FRAMES_PER_CLICK + CLICK_AT) / (1 + skewPpm / 1e6));
  });
  return delays;
}

/** Length of the longest run of made-up frames after the start, milliseconds. */
function longestGapMs(concealed: boolean[]): number {
  let longest = 0;
  let run = 0;
  for (const isMadeUp of concealed.slice(3)) {
    run = isMadeUp ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest * FRAME_MS;
}

const spread = (values: number[]): number => Math.max(...values) - Math.min(...values);

describe('ten minutes of a call, by the clock of its RTP', () => {
  const lossy: Network = (number, sentMs) => (number % 20 === 7 ? [] : [{ number, atMs: sentMs }]);

  test.each([
    ['a perfect network', perfect],
    ['one packet in twenty lost', lossy],
  ])('both channels stay exact to the sample: %s', (_, network) => {
    const { received, sentTimestamps } = call({ network });
    expect(sentTimestamps).toEqual(Array.from({ length: TEN_MINUTES }, (__, n) => n * FRAME));
    const delays = delaysOf(received);
    expect(delays.length).toBeGreaterThanOrEqual(TEN_MINUTES / FRAMES_PER_CLICK - 1);
    // What the starting delay has to spare is given up after three seconds; from then on nothing moves.
    expect(spread(delays.slice(10))).toBe(0);
  });

  /** 10 ms of jitter, one packet in twenty lost, a new SSRC every hundred seconds. */
  const bad = (): Network => {
    const random = seededRandom(11);
    return (number, sentMs) =>
      random() < 0.05 && number % FRAMES_PER_CLICK > 4 && number % FRAMES_PER_CLICK < 46
        ? []
        : [{ number, atMs: sentMs + random() * 10, ssrc: 7 + Math.floor(number / 5000) }];
  };

  // Not followed, the sound would move by 120 ms at 200 ppm and by 600 ms at 1000 ppm.
  test.each([
    [200, 8],
    [-200, 8],
    [1000, 24],
    [-1000, 24],
  ])('a far end %i ppm off moves by less than %i samples on a bad network', (skewPpm, limit) => {
    const { received } = call({ network: bad(), skewPpm });
    const delays = delaysOf(received, skewPpm);
    // What the delay of the start had to spare has been given up by then; the clock is not well known yet.
    expect(spread(delays.slice(8))).toBeLessThan(limit);
    // Once it is, nothing moves by a millisecond.
    expect(spread(delays.slice(60))).toBeLessThan(8);
  });
});

describe('a bad network', () => {
  const random = seededRandom(7);
  const cases: [name: string, network: Network, longestLossMs: number][] = [
    ['single losses', (number, sentMs) => (number % 10 === 7 ? [] : [{ number, atMs: sentMs }]), 20],
    ['bursts of loss', (number, sentMs) => (number % 100 >= 95 ? [] : [{ number, atMs: sentMs }]), 100],
    ['30 ms of jitter', (number, sentMs) => [{ number, atMs: sentMs + random() * 30 }], 0],
    ['neighbours in wrong order', (number, sentMs) => [{ number, atMs: sentMs + (number % 2) * -21 }], 0],
    [
      'every packet twice',
      (number, sentMs) => [
        { number, atMs: sentMs },
        { number, atMs: sentMs + 15 },
      ],
      0,
    ],
    [
      'a new SSRC every ten seconds',
      (number, sentMs) => [{ number, atMs: sentMs, ssrc: Math.floor(number / 500) }],
      0,
    ],
    [
      'packets of another payload type between',
      (number, sentMs) => [
        { number, atMs: sentMs },
        { number, atMs: sentMs + 1, payloadType: 0 },
      ],
      0,
    ],
    ['a clock one per cent fast', (number, sentMs) => [{ number, atMs: sentMs / 1.01 }], 0],
    // Such a far end sends a frame too few every two seconds, of which following its clock makes up a third.
    ['a clock one per cent slow', (number, sentMs) => [{ number, atMs: sentMs * 1.01 }], 20],
  ];

  test.each(cases)('%s: no gap is longer than what was lost and 20 ms', (_, network, longestLossMs) => {
    const { concealed } = call({ network, frames: 5000 });
    expect(longestGapMs(concealed)).toBeLessThanOrEqual(longestLossMs + 20);
  });
});
