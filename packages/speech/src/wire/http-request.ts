/** One HTTP request to a provider, up to the headers of the response. Connections are reused. */
import { keptFetch } from '@parley/runtime/kept-fetch';
import { statusError, toSpeechError } from './provider-error.ts';

/** What is asked. */
export interface HttpRequest {
  url: string;
  headers: Record<string, string>;
  /** JSON unless it is a form. */
  body: FormData | Record<string, unknown>;
  /** Removed from error messages in case the server repeats it. */
  apiKey: string | null;
}

/** @throws SpeechError when the server refuses or cannot be reached; the signal's reason when it is aborted */
export async function post(request: HttpRequest, signal: AbortSignal): Promise<Response> {
  const { url, body, apiKey } = request;
  const headers = new Headers(request.headers);
  if (!(body instanceof FormData)) headers.set('content-type', 'application/json');
  const sent = body instanceof FormData ? body : JSON.stringify(body);
  const send = sent instanceof FormData ? fetch : keptFetch;
  const response = await send(url, { method: 'POST', headers, body: sent, signal }).catch(
    (error: unknown) => {
      throw signal.aborted ? error : toSpeechError(error, apiKey);
    },
  );
  if (response.ok) return response;
  const text = await response.text().catch(() => '');
  throw statusError(response.status, text, { apiKey });
}

/** An address without slashes at its end, so that paths can be appended. */
export function trimmedUrl(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '');
}

/** The same address for a socket: `http` becomes `ws`, `https` becomes `wss`. */
export function socketUrl(baseUrl: string, path: string, query: Record<string, string> = {}): string {
  const url = new URL(`${trimmedUrl(baseUrl)}${path}`.replace(/^http/i, 'ws'));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}
