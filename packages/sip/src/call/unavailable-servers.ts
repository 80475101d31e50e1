/**
 * Servers that have answered 503 with Retry-After. RFC 3261 section 21.5.4: a client "SHOULD NOT forward any other requests to that
 * server for the duration specified in the Retry-After header field, if present." The next calls begin with another server of
 * their trunk; where there is none, they go to this one all the same, because only it can take them.
 */
import type { Destination } from '../message/destination.ts';
import type { SipResponse } from '../message/message.ts';
import type { InviteRequest, InviteTarget } from './invite-request.ts';
import { retryAfterMs } from './retry-after.ts';

/** A server must not silence itself for days, milliseconds. */
const LONGEST_MS = 600_000;
/** Servers that are remembered; beyond it the oldest are forgotten. */
const MOST_SERVERS = 1000;

/** One per agent. */
export class UnavailableServers {
  /** Until when, by {@link keyOf}, oldest first. */
  readonly #untilMs = new Map<string, number>();

  /** A server has answered 503. */
  note(server: Destination, response: SipResponse, nowMs: number): void {
    const afterMs = retryAfterMs(response);
    if (afterMs === null) return;
    const key = keyOf(server);
    this.#untilMs.delete(key);
    this.#untilMs.set(key, nowMs + Math.min(afterMs, LONGEST_MS));
    const [oldest] = this.#untilMs.keys();
    if (this.#untilMs.size > MOST_SERVERS && oldest !== undefined) this.#untilMs.delete(oldest);
  }

  /** The request with its servers in their order, those that are unavailable last. */
  reorder(request: InviteRequest, nowMs: number): InviteRequest {
    const { toUri, destination, alternatives = [] } = request;
    const targets: readonly InviteTarget[] = [{ uri: toUri, destination }, ...alternatives];
    const isUnavailable = (target: InviteTarget): boolean =>
      (this.#untilMs.get(keyOf(target.destination)) ?? 0) > nowMs;
    const [first, ...others] = [
      ...targets.filter((target) => !isUnavailable(target)),
      ...targets.filter(isUnavailable),
    ];
    if (!first || first === targets[0]) return request;
    return { ...request, toUri: first.uri, destination: first.destination, alternatives: others };
  }
}

function keyOf({ transport, host, port }: Destination): string {
  return `${transport} ${host} ${port}`;
}
