/**
 * All voices speak at one loudness. The gain of a voice is learned from its own sound and kept for the process, so that only
 * the beginning of its first sentence is not levelled yet (docs/decisions/loudness.md).
 */
import { ActiveLevel, Framer, LEVEL_FRAME_MS, SPEECH_DBFS } from '@parley/audio';
import type { RealtimeModel, RealtimePiece, RealtimeSession, Synthesiser } from '../ports.ts';
import { GainRamp } from './gain-ramp.ts';

/** The largest change of a voice, in both directions, decibels. */
const LARGEST_GAIN_DB = 12;
/** Speech from which the level of a voice is certain; from less of it, the gain is proportionally smaller, milliseconds. */
const CERTAIN_AFTER_MS = 1000;
/** The voice that was used least recently is forgotten first. About 1 kB each. */
const MOST_VOICES = 1000;

/** One per process. */
export interface Loudness {
  /** @param account - identifies the provider's account: the same voice name may be another voice elsewhere */
  level(synthesiser: Synthesiser, account: string): Synthesiser;
  /**
   * The same for speech to speech.
   *
   * @param voiceName - `voice@model`, by the provider's own names
   */
  levelRealtime(model: RealtimeModel, account: string, voiceName: string): RealtimeModel;
}

/** Makes one that knows no voice yet. */
export function createLoudness(): Loudness {
  const voices = new KnownVoices();
  return {
    level: (synthesiser, account) => ({
      capabilities: synthesiser.capabilities,
      speak: (text, options, signal) => {
        const stream = new LevelledStream(voices.meter(account, options.voice), options.sampleRateHz);
        return levelledSound(synthesiser.speak(text, options, signal), stream);
      },
      release: () => synthesiser.release?.(),
    }),
    levelRealtime: (model, account, voiceName) => ({
      open: (options, onEvent) => {
        const newStream = (): LevelledStream =>
          new LevelledStream(voices.meter(account, voiceName), options.sampleRateHz);
        return levelledSession(model.open(options, onEvent), newStream);
      },
    }),
  };
}

function levelledSession(session: RealtimeSession, newStream: () => LevelledStream): RealtimeSession {
  return {
    push: (samples) => session.push(samples),
    commit: (endMs) => session.commit(endMs),
    note: (entry) => session.note(entry),
    reply: (systemPrompt, signal) => levelledPieces(session.reply(systemPrompt, signal), newStream()),
    speak: (text, signal) => levelledSound(session.speak(text, signal), newStream()),
    truncate: (item, heardMs, heardText) => session.truncate(item, heardMs, heardText),
    close: () => session.close(),
  };
}

async function* levelledPieces(
  pieces: AsyncIterable<RealtimePiece>,
  stream: LevelledStream,
): AsyncGenerator<RealtimePiece> {
  for await (const piece of pieces)
    yield piece.type === 'sound' ? { ...piece, samples: stream.level(piece.samples) } : piece;
}

async function* levelledSound(
  sound: AsyncIterable<Int16Array>,
  stream: LevelledStream,
): AsyncGenerator<Int16Array> {
  for await (const samples of sound) yield stream.level(samples);
}

/** The meters of the voices. */
class KnownVoices {
  readonly #meters = new Map<string, ActiveLevel>(); // oldest use first

  meter(account: string, voice: string): ActiveLevel {
    const key = JSON.stringify([account, voice]);
    const meter = this.#meters.get(key) ?? new ActiveLevel();
    this.#meters.delete(key);
    this.#meters.set(key, meter);
    const [oldest] = this.#meters.keys();
    if (this.#meters.size > MOST_VOICES && oldest !== undefined) this.#meters.delete(oldest);
    return meter;
  }
}

/** One sentence or reply of a voice. Several may be generated at the same time. */
class LevelledStream {
  readonly #meter: ActiveLevel;
  readonly #framer: Framer;
  readonly #sampleRateHz: number;
  #ramp: GainRamp | null = null;

  constructor(meter: ActiveLevel, sampleRateHz: number) {
    this.#meter = meter;
    this.#sampleRateHz = sampleRateHz;
    this.#framer = new Framer(Math.round((sampleRateHz * LEVEL_FRAME_MS) / 1000));
  }

  /** Levels in place, beginning with the gain that is known when the first piece arrives. */
  level(samples: Int16Array): Int16Array {
    this.#ramp ??= new GainRamp({ sampleRateHz: this.#sampleRateHz, startDb: gainDb(this.#meter) });
    this.#framer.push(samples, (frame) => this.#meter.add(frame));
    this.#ramp.apply(samples, gainDb(this.#meter));
    return samples;
  }
}

/** The gain that brings the voice to the target, as far as it is known. */
function gainDb(meter: ActiveLevel): number {
  const { dbfs, activeMs } = meter.measure();
  if (dbfs === null) return 0;
  const gain = Math.max(-LARGEST_GAIN_DB, Math.min(LARGEST_GAIN_DB, SPEECH_DBFS - dbfs));
  return gain * Math.min(1, activeMs / CERTAIN_AFTER_MS);
}
