/** Notes about the state of a call that are added to the owner's prompt. */
import type { AnsweringVerdict } from './answering/answering.rules.ts';

const WRAP_UP_NOTE =
  'The call is out of time and ends in a few seconds: say goodbye now, in one short sentence.';

const ANSWERED_NOTES: Readonly<Partial<Record<AnsweringVerdict, string>>> = {
  screening:
    'A call screening assistant has answered, and a person may be listening. Until a person speaks, say in one short ' +
    'sentence who you are and why you are calling, and then wait.',
  menu:
    'An automatic phone menu has answered. Until a person speaks, answer its questions in a few words, or say whom you ' +
    'want to reach.',
};

/** The state of a call that the model is informed about. */
export interface PromptState {
  /** The call is about to reach its limit. */
  mustWrapUp: boolean;
  answeredBy: AnsweringVerdict | null;
}

/** The prompt with the notes that apply. */
export function promptWith(prompt: string, { mustWrapUp, answeredBy }: PromptState): string {
  const notes = [
    answeredBy === null ? undefined : ANSWERED_NOTES[answeredBy],
    mustWrapUp ? WRAP_UP_NOTE : undefined,
  ];
  return [prompt, ...notes.filter((note) => note !== undefined)].join('\n\n');
}
