/** A language model behind Anthropic's Messages interface. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { keptFetch } from '@parley/runtime/kept-fetch';
import type { LanguageModel } from '../../ports.ts';
import { trimmedUrl } from '../../wire/http-request.ts';
import type { ModelOptions } from '../ai-sdk/model-options.ts';
import { createStreamedModel } from '../ai-sdk/streamed-model.ts';

/** The protocol requires a limit; this is about five minutes of speech. */
const MAX_OUTPUT_TOKENS = 1024;

/** The base URL is that of the provider, without the version. */
export function createAnthropicModel({ account, model, clock, limits }: ModelOptions): LanguageModel {
  const { baseUrl, apiKey } = account;
  const provider = createAnthropic({
    baseURL: `${trimmedUrl(baseUrl)}/v1`,
    apiKey: apiKey ?? '',
    fetch: keptFetch,
  });
  return createStreamedModel({
    model: provider(model),
    apiKey,
    clock,
    limits,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
  });
}
