/**
 * Whether the INVITE of a call may go to another server (RFC 3263 section 4.3), so that no phone rings twice for it. Only where
 * it is certain that the server before has not taken the call: it answered 503 without a sign of ringing, or nothing could
 * be sent to it. A server that is silent may have rung the phone, its answers lost; it is therefore never replaced during a
 * call. docs/decisions/fail-over-of-calls.md explains this.
 */
import type { AgentCore } from '../dialog/agent-core.ts';
import type { InviteTarget } from './invite-request.ts';

/** Permission to dial is given for now, so a server that refuses late is not replaced, milliseconds. */
const LIMIT_MS = 10_000;

/** The servers that are left. */
export class ServerChoice {
  readonly #left: InviteTarget[];
  readonly #core: Pick<AgentCore, 'nowMs'>;
  readonly #untilMs: number;

  constructor(targets: readonly InviteTarget[], core: Pick<AgentCore, 'nowMs'>) {
    this.#left = [...targets];
    this.#core = core;
    this.#untilMs = core.nowMs() + LIMIT_MS;
  }

  /** Whether another server may be tried now. */
  get hasNext(): boolean {
    return this.#left.length > 0 && this.#core.nowMs() < this.#untilMs;
  }

  take(): InviteTarget | undefined {
    return this.#left.shift();
  }

  /** The phone may have rung, or the call was redirected: the INVITE goes nowhere else. */
  close(): void {
    this.#left.length = 0;
  }
}
