/** Refusals of requests that change or refresh a session; inbound, outbound and early dialogs share them. */
import type { AgentCore } from '../dialog/agent-core.ts';
import type { Transaction } from '../transaction/transaction.ts';

/**
 * RFC 3261 section 14.2 and RFC 3311 section 5.2: an offer before the end of the previous exchange gets 500 with a
 * Retry-After of 0 to 10 seconds, chosen at random. The fixed 5 is our simplification.
 */
export function refuseForNow(core: AgentCore, transaction: Transaction): void {
  core.respond(transaction, 500, { headers: [{ name: 'Retry-After', value: '5' }] });
}

/** RFC 4028 section 9: a Session-Expires below our minimum gets 422 with Min-SE. */
export function refuseInterval(core: AgentCore, transaction: Transaction): void {
  core.respond(transaction, 422, {
    headers: [{ name: 'Min-SE', value: `${core.sessionTimer.minimumSeconds}` }],
  });
}
