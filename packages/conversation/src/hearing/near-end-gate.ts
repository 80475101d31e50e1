/**
 * Lets the caller's speech begin, and nothing else: not the echo of our own sound on a speakerphone, and, where the owner
 * wants noise kept out, not the voices behind the caller. Works on the detector's answers before anyone sees them. It
 * decides about beginnings only: what has begun ends by itself, so that no word loses its end (VOICE findings: a gate on
 * ends costs 200 ms of them).
 */
import { echoShare } from './echo.rules.ts';
import { SoundHistory } from './sound-history.ts';

/** As in `caller-activity.rules.ts`. */
const SPEECH_STARTS_AT = 0.5;
const SPEECH_LASTS_ABOVE = 0.35;
const WINDOWS_TO_START = 2;
const PAUSE_MS = 250;

/** What is looked at of the far end: three windows of the detector. */
const LOOK_MS = 96;
/** Echoes come back within this time (speakerphones and networks together). */
const LONGEST_ECHO_MS = 450;
/** More than this share of echo: the caller is not louder than it. */
const MOSTLY_ECHO = 0.5;
/** An echo as faint as the noise of the line is told by this: nobody speaks over us so softly, decibels of full scale. */
const FAINTEST_OVER_US_DB = -46;
const FULL_SCALE_DB = 20 * Math.log10(32_768);
/** So far below the caller's own level speech is somebody else's, decibels. */
const BEHIND_DB = 8;
/** How fast the caller's level follows a window of theirs, and how it falls for a window kept out: 0.3 dB a second. */
const LEVEL_FOLLOWS = 0.1;
const LEVEL_FALLS_DB = 0.01;

/** One per call. Times are milliseconds since the first frame. */
export class NearEndGate {
  readonly #received: SoundHistory;
  readonly #sent: SoundHistory;
  readonly #keepsNoiseOut: boolean;
  #openUntilMs = -Infinity;
  #passedWindows = 0;
  /** Of the caller's speech, decibels; null before they have spoken. */
  #levelDb: number | null = null;

  /** @param keepsNoiseOut - the assistant's `noise_cancellation` */
  constructor(sampleRateHz: number, keepsNoiseOut: boolean) {
    this.#received = new SoundHistory(sampleRateHz);
    this.#sent = new SoundHistory(sampleRateHz);
    this.#keepsNoiseOut = keepsNoiseOut;
  }

  /** The next frame of both directions. */
  hear(received: Int16Array, sent: Int16Array): void {
    this.#received.push(received);
    this.#sent.push(sent);
  }

  /** What a window of the detector counts. @returns its probability, or 0 for speech that is not the caller's */
  weigh(probability: number, endMs: number): number {
    if (endMs <= this.#openUntilMs) {
      if (probability >= SPEECH_LASTS_ABOVE) this.#openUntilMs = endMs + PAUSE_MS;
      if (probability >= SPEECH_STARTS_AT) this.#learnLevel(endMs);
      return probability;
    }
    if (probability < SPEECH_STARTS_AT) {
      this.#passedWindows = 0;
      return probability;
    }
    if (this.#isEcho(endMs) || this.#isBehind(endMs)) {
      this.#passedWindows = 0;
      return 0;
    }
    this.#passedWindows += 1;
    if (this.#passedWindows >= WINDOWS_TO_START) this.#openUntilMs = endMs + PAUSE_MS;
    return probability;
  }

  #isEcho(endMs: number): boolean {
    const sent = this.#sent.upTo(endMs, LOOK_MS + LONGEST_ECHO_MS);
    if (sent.every((sample) => sample === 0)) return false;
    if (this.#levelAt(endMs) - FULL_SCALE_DB < FAINTEST_OVER_US_DB) return true;
    return echoShare(this.#received.upTo(endMs, LOOK_MS), sent) > MOSTLY_ECHO;
  }

  #isBehind(endMs: number): boolean {
    if (!this.#keepsNoiseOut || this.#levelDb === null) return false;
    if (this.#levelAt(endMs) >= this.#levelDb - BEHIND_DB) return false;
    this.#levelDb -= LEVEL_FALLS_DB; // whoever goes on speaking softly is the caller after all
    return true;
  }

  /** Energies are averaged, not decibels: the soft ends of words must not make a soft speaker of a loud one. */
  #learnLevel(endMs: number): void {
    const heard = 10 ** (this.#levelAt(endMs) / 10);
    const known = this.#levelDb === null ? heard : 10 ** (this.#levelDb / 10);
    this.#levelDb = 10 * Math.log10(known + LEVEL_FOLLOWS * (heard - known));
  }

  #levelAt(endMs: number): number {
    const heard = this.#received.upTo(endMs, LOOK_MS);
    let energy = 0;
    for (const sample of heard) energy += sample * sample;
    return 10 * Math.log10(energy / heard.length + 1);
  }
}
