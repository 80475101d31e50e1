/**
 * Counts what went wrong in a conversation, from the frames of the line and the effects of the turn-taking rules. It
 * changes nothing in the conversation. While the far end holds the call, nothing is counted.
 */
import { FRAME_MS } from '../audio-line.ts';
import type { Effect } from '../turn/turn-state.ts';

/** A caller who hears nothing for this long after their turn has no answer. */
const ANSWER_WITHIN_MS = 4000;
/** Both sides at once for longer than a backchannel. */
const TALKED_OVER_MS = 1000;

/** What went wrong in one conversation. */
export interface CallQuality {
  /** Turns of the caller after which the assistant was silent for 4 s. */
  unansweredTurns: number;
  /** The longest time in which neither side was heard. */
  longestSilenceMs: number;
  /** Playout was paused for speech that was no interruption. */
  falseInterruptions: number;
  /** Both sides spoke at once for a second or more. */
  timesTalkedOver: number;
  /** Playback ran out of audio in the middle of a sentence, because the voice was too slow. */
  underruns: number;
}

/** One frame of the line. */
interface QualityFrame {
  isCallerSpeaking: boolean;
  /** 0 if the assistant was silent. */
  turn: number;
  isFiller: boolean;
}

/** One per conversation. */
export class CallQualityMeter {
  readonly #drafts = { made: 0, discarded: 0 };
  readonly #quality: CallQuality = {
    unansweredTurns: 0,
    longestSilenceMs: 0,
    falseInterruptions: 0,
    timesTalkedOver: 0,
    underruns: 0,
  };
  #silentMs = 0;
  #overlapMs = 0;
  /** How long the caller has waited for an answer; null if they do not wait. */
  #waitMs: number | null = null;
  #isPaused = false;

  hearFrame({ isCallerSpeaking, turn, isFiller }: QualityFrame): void {
    const isSounding = turn !== 0;
    this.#silentMs = isCallerSpeaking || isSounding ? 0 : this.#silentMs + FRAME_MS;
    this.#quality.longestSilenceMs = Math.max(this.#quality.longestSilenceMs, this.#silentMs);
    this.#overlapMs = isCallerSpeaking && isSounding ? this.#overlapMs + FRAME_MS : 0;
    if (this.#overlapMs === TALKED_OVER_MS) this.#quality.timesTalkedOver += 1;
    if (isCallerSpeaking || (isSounding && !isFiller)) this.#waitMs = null;
    if (this.#waitMs === null) return;
    this.#waitMs = isSounding ? 0 : this.#waitMs + FRAME_MS;
    if (this.#waitMs < ANSWER_WITHIN_MS) return;
    this.#quality.unansweredTurns += 1;
    this.#waitMs = null;
  }

  seeEffect(effect: Effect): void {
    if (effect.type === 'draft') this.#drafts.made += 1;
    if (effect.type === 'discard-draft') this.#drafts.discarded += 1;
    if (effect.type === 'note-caller' && !effect.isAside) this.#waitMs = 0;
    if (effect.type === 'pause') this.#isPaused = true;
    if (effect.type === 'resume' && this.#isPaused) this.#quality.falseInterruptions += 1;
    if (effect.type === 'resume' || effect.type === 'abort') this.#isPaused = false;
  }

  noteUnderrun(): void {
    this.#quality.underruns += 1;
  }

  figures(): { drafts: { made: number; discarded: number }; quality: CallQuality } {
    return { drafts: { ...this.#drafts }, quality: { ...this.#quality } };
  }
}

/** The figures of several conversations of one call. */
export function joinQuality(parts: readonly CallQuality[]): CallQuality {
  const sum = (name: keyof CallQuality): number => parts.reduce((total, part) => total + part[name], 0);
  return {
    unansweredTurns: sum('unansweredTurns'),
    longestSilenceMs: Math.max(0, ...parts.map(({ longestSilenceMs }) => longestSilenceMs)),
    falseInterruptions: sum('falseInterruptions'),
    timesTalkedOver: sum('timesTalkedOver'),
    underruns: sum('underruns'),
  };
}
