/**
 * Frames from the media worker to the main thread. The frames of all calls that are due at one wake-up of the clock are
 * packed into one message of two arrays, whose memory is transferred rather than copied:
 *
 *   facts  {@link FACTS_PER_TICK} integers per frame, in the order of the constants below
 *   sound  each frame twice: received, then sent; mono Int16, 160 samples at 8000 Hz or 320 at 16 000 Hz
 */
import type { FarReport, MediaStats, MediaTick } from '../call-leg.ts';
import type { StreamTick } from './media-stream.ts';

const ID = 0;
const INDEX = 1;
const IS_CONCEALED = 2;
const SENT_TURN = 3;
const SENT_SAMPLES = 4;
const QUEUED_SAMPLES = 5;
const PACKETS_SENT = 6;
const PACKETS_RECEIVED = 7;
const PACKETS_LOST = 8;
const JITTER_MICROSECONDS = 9;
const CONCEALED_FRAMES = 10;
const RECEIVED_AGO_MICROSECONDS = 11;
/** The numbers of the far end's report, or {@link NONE}. */
const FAR_PACKETS_LOST = 12;
const FAR_JITTER_MICROSECONDS = 13;
const FAR_ROUND_TRIP_MICROSECONDS = 14;
const FRAME_SAMPLES = 15;
const FACTS_PER_TICK = 16;
const NONE = -1;

const USUAL_SOUND_PER_TICK = 2 * 160;

/** The two arrays as they cross between the threads. */
export interface PackedTicks {
  facts: Int32Array<ArrayBuffer>;
  sound: Int16Array<ArrayBuffer>;
}

/** A frame and the ID of its call. */
export interface UnpackedTick {
  id: number;
  tick: MediaTick;
  stats: MediaStats;
}

/** Collects the frames of one wake-up. */
export class TickBatch {
  #facts = new Int32Array(FACTS_PER_TICK * 8);
  #sound = new Int16Array(USUAL_SOUND_PER_TICK * 8);
  #count = 0;
  #soundLength = 0;

  add(call: { id: number; index: number }, tick: StreamTick, stats: MediaStats): void {
    this.#grow(tick.received.length + tick.sent.length);
    const at = this.#count * FACTS_PER_TICK;
    const facts = this.#facts;
    facts[at + ID] = call.id;
    facts[at + INDEX] = call.index;
    facts[at + IS_CONCEALED] = tick.isConcealed ? 1 : 0;
    facts[at + SENT_TURN] = tick.sentTurn;
    facts[at + SENT_SAMPLES] = tick.sentSamples;
    facts[at + QUEUED_SAMPLES] = tick.queuedSamples;
    facts[at + PACKETS_SENT] = stats.packetsSent;
    facts[at + PACKETS_RECEIVED] = stats.packetsReceived;
    facts[at + PACKETS_LOST] = stats.packetsLost;
    facts[at + JITTER_MICROSECONDS] = Math.round(stats.jitterMs * 1000);
    facts[at + CONCEALED_FRAMES] = stats.concealedFrames;
    facts[at + RECEIVED_AGO_MICROSECONDS] = Math.round(tick.receivedAgoMs * 1000);
    facts[at + FAR_PACKETS_LOST] = stats.far?.packetsLost ?? NONE;
    facts[at + FAR_JITTER_MICROSECONDS] = Math.round((stats.far?.jitterMs ?? NONE) * 1000);
    facts[at + FAR_ROUND_TRIP_MICROSECONDS] = microsecondsOrNone(stats.far?.roundTripMs ?? null);
    facts[at + FRAME_SAMPLES] = tick.received.length;
    this.#sound.set(tick.received, this.#soundLength);
    this.#sound.set(tick.sent, this.#soundLength + tick.received.length);
    this.#soundLength += tick.received.length + tick.sent.length;
    this.#count++;
  }

  /** Returns the collected frames in new arrays and clears the batch; `null` when it is empty. */
  take(): PackedTicks | null {
    if (this.#count === 0) return null;
    const facts = this.#facts.slice(0, this.#count * FACTS_PER_TICK);
    const sound = this.#sound.slice(0, this.#soundLength);
    this.#count = 0;
    this.#soundLength = 0;
    return { facts, sound };
  }

  #grow(soundLength: number): void {
    if ((this.#count + 1) * FACTS_PER_TICK > this.#facts.length) {
      const facts = new Int32Array(this.#facts.length * 2);
      facts.set(this.#facts);
      this.#facts = facts;
    }
    if (this.#soundLength + soundLength <= this.#sound.length) return;
    const sound = new Int16Array(this.#sound.length * 2);
    sound.set(this.#sound);
    this.#sound = sound;
  }
}

/** The frames of a message, in order. Their arrays are views of the memory of the message. */
export function* unpackTicks({ facts, sound }: PackedTicks): Generator<UnpackedTick> {
  let soundAt = 0;
  for (let i = 0; i * FACTS_PER_TICK < facts.length; i++) {
    const fact = (which: number): number => facts[i * FACTS_PER_TICK + which] ?? 0;
    const frameSamples = fact(FRAME_SAMPLES);
    const middle = soundAt + frameSamples;
    soundAt = middle + frameSamples;
    yield {
      id: fact(ID),
      tick: {
        index: fact(INDEX),
        received: sound.subarray(middle - frameSamples, middle),
        isConcealed: fact(IS_CONCEALED) === 1,
        receivedAgoMs: fact(RECEIVED_AGO_MICROSECONDS) / 1000,
        sent: sound.subarray(middle, soundAt),
        sentTurn: fact(SENT_TURN),
        sentSamples: fact(SENT_SAMPLES),
        queuedSamples: fact(QUEUED_SAMPLES),
      },
      stats: {
        packetsSent: fact(PACKETS_SENT),
        packetsReceived: fact(PACKETS_RECEIVED),
        packetsLost: fact(PACKETS_LOST),
        jitterMs: fact(JITTER_MICROSECONDS) / 1000,
        concealedFrames: fact(CONCEALED_FRAMES),
        far: unpackFar(fact),
      },
    };
  }
}

function unpackFar(fact: (which: number) => number): FarReport | null {
  if (fact(FAR_PACKETS_LOST) === NONE) return null;
  const roundTrip = fact(FAR_ROUND_TRIP_MICROSECONDS);
  return {
    packetsLost: fact(FAR_PACKETS_LOST),
    jitterMs: fact(FAR_JITTER_MICROSECONDS) / 1000,
    roundTripMs: roundTrip === NONE ? null : roundTrip / 1000,
  };
}

function microsecondsOrNone(milliseconds: number | null): number {
  return milliseconds === null ? NONE : Math.round(milliseconds * 1000);
}
