/**
 * The assistant's own words that come back from the far end. `near-end-gate.ts` keeps the echo of a speakerphone from
 * counting as speech, but recognisers hear it and may transcribe it. Without this rule the assistant would answer itself.
 */
import type { TurnEvent, TurnState } from './turn-state.ts';
import { plainWords } from '../recognition/plain-words.rules.ts';

/** How long after the assistant's last sound its words may still arrive: the echo, and a recogniser that is slow. */
const ECHO_WORDS_WITHIN_MS = 3000;
/** How much later than the speech that the detector found the words of a recogniser may end. */
const LEEWAY_MS = 500;
/** A single word may be the caller's answer: "yes" after "Please say yes or no." */
const LEAST_WORDS = 2;
/** Recognisers mishear an echo more often than speech. */
const LEAST_SHARE = 0.7;

/**
 * Whether the event reports words that the assistant said, in audio in which the detector has found no speech.
 *
 * @param said - the texts of the assistant that were heard since then, milliseconds of call audio
 */
export function isOwnSpeech(
  event: TurnEvent,
  state: TurnState,
  { nowMs, said }: { nowMs: number; said: (sinceMs: number) => string },
): boolean {
  if (event.type !== 'words.recognised' || !isUndetected(event, state)) return false;
  const words = plainWords(event.text);
  if (words.length < LEAST_WORDS) return false;
  const own = plainWords(said(nowMs - ECHO_WORDS_WITHIN_MS));
  return commonWords(words, own) >= LEAST_SHARE * words.length;
}

/** Words that the recogniser owes for the caller's last turn are the caller's, also where the assistant repeats them. */
function isUndetected({ endMs }: { endMs: number | null }, { input, taken, caller }: TurnState): boolean {
  if (input.startedMs !== null) return false;
  return endMs === null ? taken?.owesFinal !== true : endMs > caller.lastSpeechMs + LEEWAY_MS;
}

/** The length of the longest common subsequence: words that occur in both, in the same order. */
function commonWords(words: readonly string[], own: readonly string[]): number {
  let lengths = own.map(() => 0);
  for (const word of words) {
    const before = lengths;
    lengths = [];
    own.forEach((other, at) => {
      const longest = Math.max(lengths[at - 1] ?? 0, before[at] ?? 0);
      lengths.push(word === other ? (before[at - 1] ?? 0) + 1 : longest);
    });
  }
  return lengths.at(-1) ?? 0;
}
