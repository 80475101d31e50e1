/**
 * Requests to servers with an OpenAI-compatible API: hosted providers, Ollama, llama.cpp, LM Studio, vLLM, LocalAI, speaches
 * and many others.
 */
import { trimmedUrl, type HttpRequest } from '../../wire/http-request.ts';
import type { ProviderAccount } from '../provider-account.ts';

/** @param path - below the base URL, which ends with the version, for example `http://127.0.0.1:11434/v1` */
export function openAiRequest(
  { baseUrl, apiKey }: ProviderAccount,
  path: string,
  body: HttpRequest['body'],
): HttpRequest {
  return {
    url: `${trimmedUrl(baseUrl)}${path}`,
    headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {},
    body,
    apiKey,
  };
}
