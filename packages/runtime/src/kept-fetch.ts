/**
 * `fetch` with connections that stay open during the pauses of a conversation. The built-in one closes idle connections
 * after 4 s, so nearly every turn of a call would need a new connection to its model, including the TLS handshake.
 */
import { Agent, fetch as fetchBy } from 'undici';

/** Longer than most pauses, and shorter than the idle timeout of hosted providers; a shorter `Keep-Alive` of a server is respected. */
const KEPT_MS = 60_000;

const agent = new Agent({ keepAliveTimeout: KEPT_MS, keepAliveMaxTimeout: KEPT_MS });

/** Like the global `fetch`, but without support for the global `FormData`, which belongs to another copy of `undici`. */
export const keptFetch: typeof fetch = async (input, init) => {
  const request = { ...init, dispatcher: agent } as Parameters<typeof fetchBy>[1];
  return fetchBy(input as Parameters<typeof fetchBy>[0], request);
};
