/**
 * What speech over the assistant means once it is over and was no interruption: a backchannel, which gets no reply, or an
 * early answer, which is the caller's next turn. Callers often begin to answer before the sound of a question has ended.
 */
import { inputText, type CallerInput } from '../recognition/caller-input.rules.ts';
import { isBackchannel } from '../recognition/caller-words.rules.ts';
import { hasCoveringFinal } from '../recognition/endpointing.rules.ts';
import type { TurnState } from './turn-state.ts';

/** Speech after which the assistant speaks at most this long is an early answer. A pause of playout does not count. */
const EARLY_ANSWER_MS = 1000;
/** A backchannel that lasts longer beyond the assistant's turn is a turn of the caller. */
const BACKCHANNEL_ENDS_WITHIN_MS = 250;
/** How long recognised words are awaited before speech counts as finished. */
const WORDS_OVERDUE_MS = 2000;

/** Whether what the caller said over the assistant's turn is their next turn, if the assistant finishes now. */
export function isEarlyAnswer(input: CallerInput): boolean {
  return input.startedMs !== null && input.spokenOverMs <= EARLY_ANSWER_MS;
}

/** Whether speech over the assistant can no longer become an early answer: it is over, and the assistant has continued. */
export function isAside({ caller, input, policy }: TurnState, nowMs: number): boolean {
  if (caller.isSpeaking || input.startedMs === null || isEarlyAnswer(input)) return false;
  if (policy.recogniser === null || hasCoveringFinal({ activity: caller, input })) return true;
  return nowMs - input.endedMs >= WORDS_OVERDUE_MS;
}

/**
 * Whether the open turn of the caller consists of a backchannel at the end of the assistant's turn. After a question, "yes"
 * is an answer and not a backchannel.
 */
export function isLateBackchannel({ input, assistantEnd, policy }: TurnState): boolean {
  if (!assistantEnd || assistantEnd.hasAsked || input.keys !== '' || input.startedMs === null) return false;
  const { atMs } = assistantEnd;
  if (input.startedMs >= atMs || input.endedMs > atMs + BACKCHANNEL_ENDS_WITHIN_MS) return false;
  const text = inputText(input);
  if (text !== '') return isBackchannel(text, policy.language);
  return policy.recogniser !== null && !policy.recogniser.isModel;
}

/** The last sentences in which a question is looked for: "Shall I book it? Please say yes or no." */
const LAST_SENTENCES = 2;

/** Whether a text of the assistant ends with a question. */
export function endsWithQuestion(text: string): boolean {
  const sentences = text.trim().split(/(?<=[.!?。！？؟])\s*/u);
  return sentences.slice(-LAST_SENTENCES).some((sentence) => /[?？؟]$/u.test(sentence));
}
