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
/**
 * Once a voice in the background is known, the border is halfway between its level and the caller's, but never closer to
 * the caller than this, decibels. Its loudest words would otherwise pass as the caller's.
 */
const LEAST_BEHIND_DB = 12;
/** The same rule ends this long after the caller's last speech: a caller who has become softer must be heard. */
const OTHER_KNOWN_MS = 10_000;
/**
 * Softer speech of this many windows (1.5 s) while we are silent is the caller's: they have lowered their voice or moved
 * away from the telephone. Speech more than {@link FAR_BEHIND_DB} below theirs is not, nor that of a known other voice.
 */
const WINDOWS_TO_ADAPT = 48;
/** Softer speech of this many windows (1 s) before the caller continues at the level before belongs to another person. */
const WINDOWS_OF_OTHER = 32;
/** Louder audio of ours is our speech and not ambience; decibels of full scale. */
const OUR_SPEECH_DB = -34;
/**
 * How fast the level follows the caller's windows, and how fast it falls for suppressed windows of which it is not known
 * whose they are: 0.3 dB a second.
 */
const LEVEL_FOLLOWS = 0.1;
const LEVEL_FALLS_DB = 0.01;

/** Speech that was suppressed because of its level. */
interface SofterSpeech {
  windows: number;
  /** The windows whose speech may be the caller's. */
  callersWindows: number;
  db: number | null;
}

const NO_SOFTER_SPEECH: SofterSpeech = { windows: 0, callersWindows: 0, db: null };

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
  /** The same when it was last learned; suppressed windows do not lower it. */
  #spokenDb: number | null = null;
  /** When that was. */
  #levelMs = -Infinity;
  /** The level of the voice in the background, decibels; null before one was noticed. */
  #otherDb: number | null = null;
  /** The level of a voice after which the caller has spoken as loudly as before; null before that has happened. */
  #backgroundDb: number | null = null;
  /** The softer speech since the caller's last, and how much of it may be the caller's. */
  #softer: SofterSpeech = NO_SOFTER_SPEECH;

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
      // A voice in the background of which the detector is not sure must not continue the caller's speech either.
      return probability < SPEECH_LASTS_ABOVE ? probability : 0;
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
    const isFar = this.#isBehind(endMs, this.#farBehindDb(endMs));
    this.#farBehindSinceMs = isFar ? (this.#farBehindSinceMs ?? endMs) : null;
    if (this.#farBehindSinceMs !== null && endMs - this.#farBehindSinceMs >= FAR_BEHIND_MS) {
      this.#farBehindSinceMs = null;
      this.#openUntilMs = -Infinity;
      this.#passedWindows = 0;
      return 0;
    }
    // A backchannel must not seem longer because of the voice in the background that follows it.
    if (isFar && this.#isOtherKnown(endMs)) return 0;
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
    if (!this.#isBehind(endMs, this.#keepsNoiseOut ? BEHIND_DB : this.#farBehindDb(endMs))) return false;
    const heardDb = this.#levelAt(endMs);
    this.#otherDb = followed(this.#otherDb, heardDb);
    if (this.#levelDb !== null) this.#levelDb -= LEVEL_FALLS_DB; // soft speech that continues is the caller after all
    this.#adapt(heardDb, endMs);
    return true;
  }

  /** Softer speech that continues while we are silent gives the caller a new level. */
  #adapt(heardDb: number, endMs: number): void {
    const { windows, callersWindows, db } = this.#softer;
    this.#softer = {
      windows: windows + 1,
      callersWindows: callersWindows + (this.#mayBeCaller(heardDb, endMs) ? 1 : 0),
      db: followed(db, heardDb),
    };
    if (this.#softer.callersWindows < WINDOWS_TO_ADAPT) return;
    this.#levelDb = this.#softer.db;
    this.#otherDb = this.#backgroundDb;
    this.#softer = NO_SOFTER_SPEECH;
  }

  #mayBeCaller(heardDb: number, endMs: number): boolean {
    const spokenDb = this.#spokenDb;
    if (spokenDb === null || heardDb < spokenDb - FAR_BEHIND_DB || this.#isOurTurn(endMs)) return false;
    if (this.#backgroundDb === null || !this.#isOtherKnown(endMs)) return true;
    return heardDb > (spokenDb + this.#backgroundDb) / 2;
  }

  #isOurTurn(endMs: number): boolean {
    const sent = this.#sent.upTo(endMs, LOOK_MS + LONGEST_ECHO_MS);
    return levelOf(sent) - FULL_SCALE_DB > OUR_SPEECH_DB;
  }

  #isBehind(endMs: number, db: number): boolean {
    return this.#levelDb !== null && this.#levelAt(endMs) < this.#levelDb - db;
  }

  /** How far below the caller's level the border to other voices is, decibels. */
  #farBehindDb(endMs: number): number {
    if (this.#levelDb === null || this.#otherDb === null || !this.#isOtherKnown(endMs)) return FAR_BEHIND_DB;
    const halfwayDb = (this.#levelDb - this.#otherDb) / 2;
    return Math.min(FAR_BEHIND_DB, Math.max(LEAST_BEHIND_DB, halfwayDb));
  }

  #isOtherKnown(endMs: number): boolean {
    return this.#otherDb !== null && endMs - this.#levelMs <= OTHER_KNOWN_MS;
  }

  #learnLevel(endMs: number): void {
    if (this.#softer.windows >= WINDOWS_OF_OTHER) this.#backgroundDb = this.#softer.db;
    this.#softer = NO_SOFTER_SPEECH;
    this.#levelDb = followed(this.#levelDb, this.#levelAt(endMs));
    this.#spokenDb = this.#levelDb;
    this.#levelMs = endMs;
  }

  #levelAt(endMs: number): number {
    return levelOf(this.#received.upTo(endMs, LOOK_MS));
  }
}

function levelOf(heard: Float32Array): number {
  let energy = 0;
  for (const sample of heard) energy += sample * sample;
  return 10 * Math.log10(energy / heard.length + 1);
}

/** Averages energies and not decibels, so that soft ends of words hardly lower the level of a loud speaker. */
function followed(knownDb: number | null, heardDb: number): number {
  const heard = 10 ** (heardDb / 10);
  const known = knownDb === null ? heard : 10 ** (knownDb / 10);
  return 10 * Math.log10(known + LEVEL_FOLLOWS * (heard - known));
}
