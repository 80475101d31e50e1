/**
 * An outbound call: load it, ask core once more whether it may be dialed, send its one INVITE, or the one request to the carrier
 * that dials it and streams it to us, and hold it to its end. The
 * worker may repeat the hand-over at any time; a repetition finds the call here, or finds it ended.
 */
import type { EndReason } from '@parley/contracts';
import {
  authorizeDial,
  DomainError,
  loadCallForVoice,
  openStreamedDial,
  type CallForVoice,
  type TrunkAccess,
} from '@parley/core';
import { pause } from '@parley/runtime';
import { DialedCarrierLeg, type CallLeg, type TrunkTargets } from '@parley/telephony';
import { recordFailedCall } from './call-facts.ts';
import type { HangUpRequest } from './call-end.rules.ts';
import { type CallSession } from './call-session.ts';
import { NOT_TALKING } from './call-session-options.ts';
import type { LiveCall } from './live-calls.ts';
import { openSession } from './open-session.ts';
import type { CallSupervision } from './supervision/call-supervision.ts';
import { trunkAddress } from './trunk-address.ts';
import type { VoiceContext } from './voice-context.ts';

/** Takes a call over. It is in `voice.calls` when this returns; dialing continues in the background. */
export function dialCall(voice: VoiceContext, callId: number): void {
  const call = new OutboundCall(voice, callId);
  voice.calls.add(call);
  voice.background.start('hold an outbound call', async () => {
    await call.run().catch((error: unknown) => call.fail(error));
    voice.calls.remove(call);
  });
}

class OutboundCall implements LiveCall {
  readonly callId: number;
  readonly #voice: VoiceContext;
  #session: CallSession | null = null;
  #requested: HangUpRequest | null = null;
  #dialedLeg: DialedCarrierLeg | null = null;

  constructor(voice: VoiceContext, callId: number) {
    this.#voice = voice;
    this.callId = callId;
  }

  state(): string {
    return this.#session?.state() ?? 'opening';
  }

  hangUp(request: HangUpRequest): void {
    this.#requested ??= request;
    this.#session?.hangUp(request);
  }

  abandon(): void {
    this.#session?.abandon();
  }

  supervision(): CallSupervision | null {
    return this.#session?.supervision ?? null;
  }

  dialedLeg(): DialedCarrierLeg | null {
    return this.#dialedLeg;
  }

  transfer(destination: string): string | null {
    return this.#session ? this.#session.transfer(destination) : NOT_TALKING;
  }

  async run(): Promise<void> {
    const call = await loadCallForVoice(this.#voice.core, this.callId);
    // Before the permission, which a slow name server would outlast.
    const way = await this.#findWay(call);
    if (typeof way === 'string' || this.#requested)
      return this.#giveUp(this.#requested?.reason ?? (typeof way === 'string' ? way : 'cancelled'));
    const session = await openSession({ voice: this.#voice, call }, async () =>
      (await this.#mayDial()) ? way() : null,
    );
    if (!session) return;
    this.#session = session;
    session.start();
    if (this.#requested) session.hangUp(this.#requested);
    await session.finished;
  }

  /** @returns what dials the call, once, or the reason why nothing can */
  async #findWay(call: CallForVoice): Promise<(() => CallLeg) | EndReason> {
    const { trunk } = call;
    if (!trunk) return 'no_line';
    if (trunk.streamingAccountId !== null) return this.#openStream(call, trunk.streamingAccountId);
    const targets = await this.#findTrunk(trunk);
    return targets ? () => this.#dial(call, trunk, targets) : 'unreachable';
  }

  async #openStream(call: CallForVoice, carrierAccountId: number): Promise<(() => CallLeg) | EndReason> {
    const { core, ringLimitMs } = this.#voice;
    const { callId, assistantPhoneNumber: from, clientPhoneNumber: to, sipCallId: id } = call;
    const dial = await openStreamedDial(core, { callId, carrierAccountId, from, to, ringLimitMs });
    if (!dial) return 'no_line';
    const { clock, log } = core;
    const { ticket } = dial;
    return () => {
      this.#dialedLeg = new DialedCarrierLeg({
        id,
        from,
        to,
        ticket,
        ringLimitMs,
        carrier: dial,
        clock,
        log,
      });
      return this.#dialedLeg;
    };
  }

  /** @returns null when its hosts have no address that we may send to */
  async #findTrunk(trunk: TrunkAccess): Promise<TrunkTargets | null> {
    const { core, endpoint } = this.#voice;
    return endpoint.findTrunk(trunkAddress(trunk)).catch((error: unknown) => {
      core.log.warn({ err: error, callId: this.callId }, 'The host of a trunk could not be resolved');
      return null;
    });
  }

  #dial(call: CallForVoice, trunk: TrunkAccess, targets: TrunkTargets): CallLeg {
    const { endpoint, ringLimitMs } = this.#voice;
    return endpoint.dial({
      from: call.assistantPhoneNumber,
      to: call.clientPhoneNumber,
      sipCallId: call.sipCallId,
      trunk: trunkAddress(trunk),
      targets,
      ringTimeoutMs: ringLimitMs,
    });
  }

  /** Asks until the trunk allows this call. Once core has agreed, the INVITE counts as sent, even if it does not leave. */
  async #mayDial(): Promise<boolean> {
    const { core, lease } = this.#voice;
    for (;;) {
      const verdict = await authorizeDial(core, { callId: this.callId, fence: lease.fence() });
      if (verdict.isAllowed) return true;
      if (verdict.reason !== 'wait') {
        const { reason } = verdict;
        core.log.info({ callId: this.callId, reason }, 'Core refused permission to dial');
        return false;
      }
      await pause(core.clock, verdict.waitMs);
      if (this.#requested) {
        await this.#giveUp(this.#requested.reason);
        return false;
      }
    }
  }

  /** Handles a failure before the call had a session: the call is recorded as failed, and the lead may be retried. */
  async fail(error: unknown): Promise<void> {
    const isOver = error instanceof DomainError && error.kind === 'not-found';
    if (isOver) return;
    this.#voice.core.log.error({ err: error, callId: this.callId }, 'An outbound call could not be opened');
    await this.#giveUp('internal_error');
  }

  async #giveUp(reason: EndReason): Promise<void> {
    const { core, lease } = this.#voice;
    await recordFailedCall({ core, callId: this.callId, fence: lease.fence() }, reason);
  }
}
