/** Wraps a language model and measures its token usage. */
import type { LanguageModel, LanguageModelRequest, TokenUsage } from '@parley/speech';

/** An estimate for European languages, used for providers that report no usage and for interrupted answers. */
const CHARACTERS_PER_TOKEN = 4;

/** @param note - receives the usage of one request; `isEstimated`: the provider did not report it */
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
        // A request that failed before its first token is not billed.
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
