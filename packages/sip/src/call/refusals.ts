/** Refusals of requests that change or refresh a session; inbound, outbound and early dialogs share them. */
import type { AgentCore } from '../dialog/agent-core.ts';
import type { Transaction } from '../transaction/transaction.ts';

/**
 * RFC 3261 section 14.2 and RFC 3311 section 5.2: an offer before the end of the previous exchange gets 500, which "MUST include
 * a Retry-After header field with a randomly chosen value of between 0 and 10 seconds."
 */
export function refuseForNow(core: AgentCore, transaction: Transaction): void {
  const seconds = Buffer.from(core.random(1)).readUInt8() % 11;
  core.respond(transaction, 500, { headers: [{ name: 'Retry-After', value: `${seconds}` }] });
}

/** RFC 4028 section 9: a Session-Expires below our minimum gets 422 with Min-SE. */
export function refuseInterval(core: AgentCore, transaction: Transaction): void {
  core.respond(transaction, 422, {
    headers: [{ name: 'Min-SE', value: `${core.sessionTimer.minimumSeconds}` }],
  });
}
