/** A language model behind the chat completions of the OpenAI wire protocol. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { keptFetch } from '@parley/runtime/kept-fetch';
import type { LanguageModel } from '../../ports.ts';
import { trimmedUrl } from '../../wire/http-request.ts';
import { createStreamedModel } from '../ai-sdk/streamed-model.ts';
import type { ModelOptions } from '../ai-sdk/model-options.ts';

/** OpenAI's models that think before they speak; they refuse a temperature other than their own. */
const THINKS_FIRST = /^(o\d|gpt-5)/;
/** All of them but these accept the shortest thinking that is common to them, so that the caller waits less. */
const HAS_FIXED_EFFORT = /-(chat|pro)|^o1-(mini|preview)/;
const SHORT_THINKING = { 'openai-compatible': { reasoningEffort: 'low' } };

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
  const thinks = THINKS_FIRST.test(model);
  return createStreamedModel({
    model: provider(model),
    apiKey,
    clock,
    limits,
    takesTemperature: !thinks,
    ...(thinks && !HAS_FIXED_EFFORT.test(model) ? { providerOptions: SHORT_THINKING } : {}),
  });
}
