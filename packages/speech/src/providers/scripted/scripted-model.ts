/**
 * The built-in replacement for a language model: follows the script in the assistant's prompt, or a short demonstration if
 * the prompt is not a script. Deterministic: the same dialogue always gets the same answer. Users see it as `scripted`.
 */
import {
  expectedPhrases,
  followScript,
  isScript,
  openScript,
  parseScript,
  ScriptError,
  type CustomerEntry,
  type Script,
  type Standing,
} from '@parley/script';
import type { DialogueEntry, LanguageModel, LanguageModelEvent, LanguageModelRequest } from '../../ports.ts';
import { GENERIC_SCRIPT } from './generic-script.ts';

/** The name under which this model is listed. */
export const SCRIPTED_MODEL = 'scripted';

const END_CALL_TOOL = 'end_call';

/** Needs nothing and never fails. */
export function createScriptedModel(): LanguageModel {
  return {
    async *stream(request, signal) {
      for (const event of answer(request)) {
        if (signal.aborted) return;
        yield event;
      }
    },
    standing(request) {
      const script = scriptOf(request.systemPrompt);
      const standing = stand(script, request.dialogue);
      return { expects: expectedPhrases(script, standing), notes: standing.notes };
    },
  };
}

/** The words sentence by sentence, then the end of the call where the script ends. */
function answer({ systemPrompt, dialogue, tools }: LanguageModelRequest): LanguageModelEvent[] {
  const { say, hasEnded } = stand(scriptOf(systemPrompt), dialogue);
  const isOurTurn = dialogue.length === 0 || dialogue.at(-1)?.role === 'customer';
  if (!isOurTurn) return [];
  const sentences = say.match(/[^.?!]+[.?!]*\s*/g) ?? [];
  const events: LanguageModelEvent[] = sentences.map((text) => ({ type: 'text', text }));
  if (hasEnded && tools.some(({ name }) => name === END_CALL_TOOL))
    events.push({ type: 'tool-call', id: `scripted-${dialogue.length}`, name: END_CALL_TOOL, arguments: {} });
  return events;
}

/** A faulty script is refused when it is saved, but values of variables may still break it. */
function scriptOf(prompt: string): Script {
  if (!isScript(prompt)) return parseScript(GENERIC_SCRIPT);
  try {
    return parseScript(prompt);
  } catch (error) {
    if (error instanceof ScriptError) return parseScript(GENERIC_SCRIPT);
    throw error;
  }
}

function stand(script: Script, dialogue: readonly DialogueEntry[]): Standing {
  const wasGreeted = dialogue[0]?.role === 'assistant';
  let standing = openScript(script);
  for (const [index, turn] of turnsOf(dialogue).entries())
    standing = followScript(script, standing, { turn, wasAsked: wasGreeted || index > 0 });
  return standing;
}

/** The customer's entries since the assistant last spoke are one turn. */
function turnsOf(dialogue: readonly DialogueEntry[]): CustomerEntry[][] {
  const turns: CustomerEntry[][] = [];
  let isNewTurn = true;
  for (const entry of dialogue) {
    if (entry.role === 'customer' && isNewTurn) turns.push([]);
    if (entry.role === 'customer') turns.at(-1)?.push(entry);
    isNewTurn = entry.role !== 'customer';
  }
  return turns;
}
