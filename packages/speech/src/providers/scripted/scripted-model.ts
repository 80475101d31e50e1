/**
 * The built-in stand-in for a language model: follows `scripted-dialogue.rules.ts`, whatever the assistant's prompt says.
 * Shown to users as `scripted`, so that nobody takes it for more than it is. English only.
 */
import type { LanguageModel, LanguageModelEvent, LanguageModelRequest } from '../../ports.ts';
import { nextScriptStep } from './scripted-dialogue.rules.ts';

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
  };
}

/** The words sentence by sentence, then the end of the call where the script ends. */
function answer({ dialogue, tools }: LanguageModelRequest): LanguageModelEvent[] {
  const step = nextScriptStep(dialogue);
  const sentences = step.say.match(/[^.?!]+[.?!]\s*/g) ?? [];
  const events: LanguageModelEvent[] = sentences.map((text) => ({ type: 'text', text }));
  const canEndCall = tools.some(({ name }) => name === END_CALL_TOOL);
  const isCustomersTurnOver = dialogue.at(-1)?.role === 'customer';
  if (step.next === 'ended' && canEndCall && isCustomersTurnOver)
    events.push({ type: 'tool-call', id: `scripted-${dialogue.length}`, name: END_CALL_TOOL, arguments: {} });
  return events;
}
