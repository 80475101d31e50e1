/**
 * `fetch` whose connections outlast the pauses of a conversation. Node's own closes one after 4 s without a request, so
 * nearly every turn of a call would pay for a new connection to its model, and for TLS on it.
 */
import { Agent, fetch as fetchBy } from 'undici';

/** Longer than nearly all pauses, and shorter than what hosted providers keep; a server that says less is obeyed. */
const KEPT_MS = 60_000;

const agent = new Agent({ keepAliveTimeout: KEPT_MS, keepAliveMaxTimeout: KEPT_MS });

/** As the global one. Takes no `FormData`: that is Node's, and this is another `undici`. */
export const keptFetch: typeof fetch = async (input, init) => {
  const request = { ...init, dispatcher: agent } as Parameters<typeof fetchBy>[1];
  return fetchBy(input as Parameters<typeof fetchBy>[0], request);
};
