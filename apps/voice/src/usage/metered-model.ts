/** A language model whose use is counted. */
import type { LanguageModel, LanguageModelRequest, TokenUsage } from '@parley/speech';

/** Of European languages, roughly; for providers that state nothing and answers that were broken off. */
const CHARACTERS_PER_TOKEN = 4;

/** @param note - what one request took; `isEstimated`: the provider did not say */
export function meteredModel(
  model: LanguageModel,
  note: (usage: TokenUsage, isEstimated: boolean) => void,
): LanguageModel {
  return {
    ...(model.standing && {
      standing: (request: LanguageModelRequest) => model.standing?.(request) ?? NOWHERE,
    }),
    async *stream(request, signal) {
      let isStated = false;
      let isRefused = true;
      let answered = 0;
      try {
        for await (const event of model.stream(request, signal)) {
          isRefused = false;
          if (event.type === 'usage') note(event, false);
          if (event.type === 'usage') isStated = true;
          else answered += lengthOf(event);
          yield event;
        }
        isRefused = false;
      } finally {
        // A request that failed before its first word is not paid for.
        if (!isStated && (!isRefused || signal.aborted)) note(estimate(request, answered), true);
      }
    },
  };
}

const NOWHERE = { expects: [], notes: {} };

function lengthOf(event: { type: 'text'; text: string } | { type: 'tool-call'; arguments: unknown }): number {
  return event.type === 'text' ? event.text.length : JSON.stringify(event.arguments ?? {}).length;
}

function estimate({ systemPrompt, dialogue, tools }: LanguageModelRequest, answered: number): TokenUsage {
  const asked = systemPrompt.length + JSON.stringify(dialogue).length + JSON.stringify(tools).length;
  return {
    inputTokens: Math.ceil(asked / CHARACTERS_PER_TOKEN),
    outputTokens: Math.ceil(answered / CHARACTERS_PER_TOKEN),
  };
}
