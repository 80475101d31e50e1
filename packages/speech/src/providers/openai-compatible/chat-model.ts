/** A language model behind the chat completions of the OpenAI wire protocol. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { keptFetch } from '@parley/runtime/kept-fetch';
import type { LanguageModel } from '../../ports.ts';
import { trimmedUrl } from '../../wire/http-request.ts';
import { createStreamedModel } from '../ai-sdk/streamed-model.ts';
import type { ModelOptions } from '../ai-sdk/model-options.ts';

/** OpenAI's models that think before they speak; they refuse a temperature other than their own. */
const THINKS_FIRST = /^(o\d|gpt-5)/;

/** Local servers need no key. */
export function createChatModel({ account, model, clock, limits }: ModelOptions): LanguageModel {
  const { baseUrl, apiKey } = account;
  const provider = createOpenAICompatible({
    name: 'openai-compatible',
    baseURL: trimmedUrl(baseUrl),
    includeUsage: true,
    fetch: keptFetch,
    ...(apiKey ? { apiKey } : {}),
  });
  const takesTemperature = !THINKS_FIRST.test(model);
  return createStreamedModel({ model: provider(model), apiKey, clock, limits, takesTemperature });
}
