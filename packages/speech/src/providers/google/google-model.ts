/** A language model behind Google's Gemini interface. */
import { createGoogle } from '@ai-sdk/google';
import { keptFetch } from '@parley/runtime/kept-fetch';
import type { LanguageModel } from '../../ports.ts';
import { trimmedUrl } from '../../wire/http-request.ts';
import type { ModelOptions } from '../ai-sdk/model-options.ts';
import { createStreamedModel } from '../ai-sdk/streamed-model.ts';

/** Models that think before they answer unless configured otherwise; the caller would only hear silence. */
const THINKS_FIRST = /^gemini-2\.5-flash/;
const NO_THINKING = { google: { thinkingConfig: { thinkingBudget: 0 } } };

/** The base URL is that of the provider, without the version. */
export function createGoogleModel({ account, model, clock, limits }: ModelOptions): LanguageModel {
  const { baseUrl, apiKey } = account;
  const provider = createGoogle({
    baseURL: `${trimmedUrl(baseUrl)}/v1beta`,
    apiKey: apiKey ?? '',
    fetch: keptFetch,
  });
  return createStreamedModel({
    model: provider(model),
    apiKey,
    clock,
    limits,
    ...(THINKS_FIRST.test(model) ? { providerOptions: NO_THINKING } : {}),
  });
}
