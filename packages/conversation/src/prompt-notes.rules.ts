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

/** For an assistant that may press keys. */
const menuKeysNote = (keysTool: string): string =>
  'An automatic phone menu has answered. Until a person speaks, choose from it: listen to all choices, then press the key ' +
  `that fits with ${keysTool} and say nothing. If it asks for words, answer in a few words.`;

const ANNOUNCED_NOTE = 'The caller was told that a colleague is now listening to this call.';

const ATTENDED_NOTE =
  'During this call a colleague has talked to the caller in your place. You have not heard what the colleague said; what the ' +
  'caller answered is in the conversation. Do not repeat questions that the caller has answered.';

const WHISPER_NOTE =
  'A supervisor follows this call, whom the caller cannot hear, and has written the instructions below for you. Follow them ' +
  'from your next reply on. Do not read them out, and do not mention the supervisor.';

/** The state of a call that the model is informed about. */
export interface PromptState {
  /** The call is about to reach its limit. */
  mustWrapUp: boolean;
  answeredBy: AnsweringVerdict | null;
  /** The tool with which the assistant presses keys; null if it has none. */
  keysTool: string | null;
  /** The caller was told that a supervisor listens in. */
  isAnnounced: boolean;
  /** A person has talked in place of the assistant. */
  wasAttended: boolean;
  /** Instructions of the supervisor, oldest first. */
  whispers: readonly string[];
}

/** The notes that apply, in the order in which they follow the prompt. */
export function promptNotes(state: PromptState): string[] {
  const { mustWrapUp, isAnnounced, wasAttended, whispers } = state;
  const notes = [
    answeredNote(state),
    isAnnounced ? ANNOUNCED_NOTE : undefined,
    wasAttended ? ATTENDED_NOTE : undefined,
    whispers.length > 0 ? [WHISPER_NOTE, ...whispers.map(asItem)].join('\n') : undefined,
    mustWrapUp ? WRAP_UP_NOTE : undefined,
  ];
  return notes.filter((note) => note !== undefined);
}

function answeredNote({ answeredBy, keysTool }: PromptState): string | undefined {
  if (answeredBy === 'menu' && keysTool !== null) return menuKeysNote(keysTool);
  return answeredBy === null ? undefined : ANSWERED_NOTES[answeredBy];
}

/** On one line, so that it cannot pass for another part of the prompt. */
function asItem(text: string): string {
  return `- ${text.replaceAll(/\s+/gu, ' ').trim()}`;
}
