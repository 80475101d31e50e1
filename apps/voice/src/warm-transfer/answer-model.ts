/**
 * The model of the conversation with a person who is asked to take a call: decides by keys and words, and repeats the
 * announcement where it understands neither. No language model decides, so that no words of the person can persuade one.
 */
import { telephoneKeys } from '@parley/contracts';
import {
  expectedPhrases,
  followScript,
  openScript,
  type CustomerEntry,
  type Script,
  type ScriptState,
} from '@parley/script';
import type { DialogueEntry, LanguageModel, LanguageModelRequest } from '@parley/speech';
import type { WarmTransferTool } from '../tools/transfer-description.rules.ts';

const END_CALL = 'end_call';
/** How often the announcement is repeated. */
const REPETITIONS = 2;

/** The note that has the decision, `accepted` or `declined`. */
export const DECISION = 'decision';

/** What the person may answer. */
type AnswerRule = Pick<WarmTransferTool, 'acceptKey' | 'acceptWords' | 'declineWords'>;

/** Ends its call with the tool `end_call` once there is a decision, which is then in its notes. */
export function createAnswerModel(rule: AnswerRule, announcement: string): LanguageModel {
  const script = scriptOf(rule, announcement);
  return {
    async *stream({ dialogue }) {
      const { say, hasEnded } = stand(script, dialogue);
      if (hasEnded)
        yield { type: 'tool-call', id: `answer-${dialogue.length}`, name: END_CALL, arguments: {} };
      else if (dialogue.at(-1)?.role === 'customer') yield { type: 'text', text: say };
    },
    standing({ dialogue }: LanguageModelRequest) {
      const standing = stand(script, dialogue);
      const notes = standing.hasEnded ? { [DECISION]: standing.state ?? '' } : {};
      return { expects: expectedPhrases(script, standing), notes };
    },
  };
}

/** Any key but the one that accepts declines, so that a wrong key never connects the caller. */
function scriptOf({ acceptKey, acceptWords, declineWords }: AnswerRule, announcement: string): Script {
  const answer = { takesAnything: false, notes: {} };
  const otherKeys = telephoneKeys.filter((key) => key !== acceptKey);
  const asking = {
    say: announcement,
    again: announcement,
    answers: [
      { ...answer, phrases: acceptWords, keys: [acceptKey], next: 'accepted' },
      { ...answer, phrases: declineWords, keys: otherKeys, next: 'declined' },
    ],
    tries: REPETITIONS,
    otherwise: 'declined',
  };
  const end: ScriptState = { say: '', again: null, answers: [], tries: 0, otherwise: null };
  const states = new Map<string, ScriptState>([
    ['asking', asking],
    ['accepted', end],
    ['declined', end],
  ]);
  return { first: 'asking', states, anywhere: [] };
}

/** What was said before the announcement, such as "Yes?", answers nothing; a key does. */
function stand(script: Script, dialogue: readonly DialogueEntry[]): ReturnType<typeof openScript> {
  let standing = openScript(script);
  let turn: CustomerEntry[] = [];
  let wasAsked = false;
  const take = (): void => {
    if (turn.length > 0) standing = followScript(script, standing, { turn, wasAsked: true });
    turn = [];
  };
  for (const entry of dialogue) {
    if (entry.role === 'assistant') take();
    if (entry.role === 'assistant' && entry.text.trim() !== '') wasAsked = true;
    if (entry.role === 'customer' && (wasAsked || entry.kind === 'dtmf')) turn.push(heard(entry));
  }
  take();
  return standing;
}

/** A script ends after a second silence; here the announcement is repeated as after any other answer. */
function heard({ kind, text }: CustomerEntry): CustomerEntry {
  return kind === 'silence' ? { kind: 'unrecognised', text: '' } : { kind, text };
}
