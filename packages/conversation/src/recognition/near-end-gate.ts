/**
 * Suppresses the onset of anything that is not the caller's speech: the echo of our own audio on a speakerphone and, with
 * `noise_cancellation`, background voices; voices far behind the caller on every call. It filters the detector's results
 * before they are used. Speech that has begun ends by itself, so that no word loses its end (a gate on ends was measured to
 * cut 200 ms), unless only a voice far behind the caller continues.
 */
import { echoShare } from './echo.rules.ts';
import { SoundHistory } from './sound-history.ts';

/** As in `caller-activity.rules.ts`. */
const SPEECH_STARTS_AT = 0.5;
const SPEECH_LASTS_ABOVE = 0.35;
const WINDOWS_TO_START = 2;
const PAUSE_MS = 250;

/** How much audio of the far end is examined: three windows of the detector. */
const LOOK_MS = 96;
/** The longest delay of an echo, of speakerphone and network together. */
const LONGEST_ECHO_MS = 450;
/** Above this share of echo, the caller is not louder than the echo. */
const MOSTLY_ECHO = 0.5;
/** Fainter audio during our own speech is echo, because callers do not speak over it so softly; decibels of full scale. */
const FAINTEST_OVER_US_DB = -46;
const FULL_SCALE_DB = 20 * Math.log10(32_768);
/** With `noise_cancellation`, speech this far below the caller's usual level is not the caller's, decibels. */
const BEHIND_DB = 8;
/** The same on every call. Audio that stays so faint for this time also ends the caller's speech, milliseconds. */
const FAR_BEHIND_DB = 20;
const FAR_BEHIND_MS = 320;
/** How fast the level follows the caller's windows, and how fast it falls for suppressed windows: 0.3 dB a second. */
const LEVEL_FOLLOWS = 0.1;
const LEVEL_FALLS_DB = 0.01;

/** One per call. Times are milliseconds since the first frame. */
export class NearEndGate {
  readonly #received: SoundHistory;
  readonly #sent: SoundHistory;
  readonly #keepsNoiseOut: boolean;
  #openUntilMs = -Infinity;
  #passedWindows = 0;
  /** Since when the speech has been far below the caller's usual level; null if it is not. */
  #farBehindSinceMs: number | null = null;
  /** The level of the caller's speech, decibels; null before the caller has spoken. */
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

  /** @returns the probability of a window, or 0 for speech that is not the caller's */
  weigh(probability: number, endMs: number): number {
    if (endMs <= this.#openUntilMs) return this.#continue(probability, endMs);
    if (probability < SPEECH_STARTS_AT) {
      this.#passedWindows = 0;
      return probability;
    }
    if (this.#isEcho(endMs) || this.#isSomebodyElse(endMs)) {
      this.#passedWindows = 0;
      return 0;
    }
    this.#passedWindows += 1;
    if (this.#passedWindows >= WINDOWS_TO_START) this.#openUntilMs = endMs + PAUSE_MS;
    return probability;
  }

  /** Words end softly, so that only speech which stays far below the caller's level is not the caller's. */
  #continue(probability: number, endMs: number): number {
    const isFar = this.#isBehind(endMs, FAR_BEHIND_DB);
    this.#farBehindSinceMs = isFar ? (this.#farBehindSinceMs ?? endMs) : null;
    if (this.#farBehindSinceMs !== null && endMs - this.#farBehindSinceMs >= FAR_BEHIND_MS) {
      this.#farBehindSinceMs = null;
      this.#openUntilMs = -Infinity;
      this.#passedWindows = 0;
      return 0;
    }
    if (probability >= SPEECH_LASTS_ABOVE) this.#openUntilMs = endMs + PAUSE_MS;
    if (probability >= SPEECH_STARTS_AT && !isFar) this.#learnLevel(endMs);
    return probability;
  }

  #isEcho(endMs: number): boolean {
    const sent = this.#sent.upTo(endMs, LOOK_MS + LONGEST_ECHO_MS);
    if (sent.every((sample) => sample === 0)) return false;
    if (this.#levelAt(endMs) - FULL_SCALE_DB < FAINTEST_OVER_US_DB) return true;
    return echoShare(this.#received.upTo(endMs, LOOK_MS), sent) > MOSTLY_ECHO;
  }

  #isSomebodyElse(endMs: number): boolean {
    if (!this.#isBehind(endMs, this.#keepsNoiseOut ? BEHIND_DB : FAR_BEHIND_DB)) return false;
    if (this.#levelDb !== null) this.#levelDb -= LEVEL_FALLS_DB; // soft speech that continues is the caller after all
    return true;
  }

  #isBehind(endMs: number, db: number): boolean {
    return this.#levelDb !== null && this.#levelAt(endMs) < this.#levelDb - db;
  }

  /** Averages energies and not decibels, so that soft ends of words hardly lower the level of a loud speaker. */
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
