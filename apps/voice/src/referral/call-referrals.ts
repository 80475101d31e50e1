/**
 * REFER requests of the far end of a call (RFC 3515): core decides whether the party may be called, and the leg goes on with the
 * party once it has answered. The conversation stays as it is. Only the trunk of the call is used.
 */
import type { CallForVoice, TrunkAccess } from '@parley/core';
import type { BackgroundWork, Log } from '@parley/runtime';
import type { LegReferral, SipEndpoint, TrunkTargets } from '@parley/telephony';
import type { BridgeRecord } from '../bridge/bridge-record.ts';
import { trunkAddress } from '../trunk-address.ts';
import { isAtTrunk, reasonOfStatus, statusOfRefusal, type ReferralObstacle } from './referral.rules.ts';

/** Options of the referrals of one call. */
export interface CallReferralsOptions {
  endpoint: Pick<SipEndpoint, 'follow' | 'findTrunk'>;
  call: Pick<CallForVoice, 'assistantPhoneNumber' | 'trunk'>;
  record: Pick<BridgeRecord, 'authorizeReferral' | 'notJoined'>;
  background: BackgroundWork;
  log: Log;
  ringLimitMs: number;
  /** False while the assistant does not talk with the far end, or another person is called. */
  isFree: () => boolean;
  /** Aborted at the end of the call. */
  ended: AbortSignal;
  note: (type: string, detail: Record<string, unknown>) => void;
}

/** One instance per call. */
export class CallReferrals {
  readonly #options: CallReferralsOptions;
  /** The live row of the party with whom the leg goes on. */
  #partyId: number | null = null;

  constructor(options: CallReferralsOptions) {
    this.#options = options;
  }

  /** Decides about a REFER; the leg takes one at a time. */
  take(referral: LegReferral): void {
    const { background, log } = this.#options;
    background.start('follow a referral of the far end', async () => {
      try {
        await this.#decide(referral);
      } catch (error) {
        log.error({ err: error }, 'A referral of the far end could not be followed');
        this.#refuse(referral, 'internal_error');
      }
    });
  }

  async #decide(referral: LegReferral): Promise<void> {
    const { call, record, isFree, ended } = this.#options;
    const { trunk } = call;
    if (!trunk || !isFree()) return this.#refuse(referral, 'busy');
    // Before the permission, because a lookup may take seconds, and the permission is valid for two.
    const targets = await this.#findTrunk(trunk);
    if (!targets) return this.#refuse(referral, 'unreachable');
    const { host, ownHosts, user } = referral;
    const hosts = [trunk, ...trunk.otherHosts].map((one) => one.host);
    const trunkHosts = [...hosts, ...targets.map(({ address }) => address)];
    if (!isAtTrunk({ host, ownHosts, trunkHosts })) return this.#refuse(referral, 'other_host');
    const verdict = await record.authorizeReferral(user, ended);
    // Core has noted its refusal.
    if (!verdict.isAllowed) return referral.refuse(statusOfRefusal(verdict.reason));
    const { bridgeId, sipCallId, phoneNumber } = verdict;
    if (ended.aborted || !isFree()) {
      record.notJoined(bridgeId, 'given_up');
      return referral.refuse(statusOfRefusal('over'));
    }
    await this.#follow(referral, { bridgeId, sipCallId, phoneNumber, trunk, targets });
  }

  async #follow(
    referral: LegReferral,
    to: {
      bridgeId: number;
      sipCallId: string;
      phoneNumber: string;
      trunk: TrunkAccess;
      targets: TrunkTargets;
    },
  ): Promise<void> {
    const { endpoint, call, record, ringLimitMs } = this.#options;
    const { bridgeId, sipCallId, trunk, targets } = to;
    const { isConnected, sipStatus } = await endpoint
      .follow(referral, {
        from: call.assistantPhoneNumber,
        to: to.phoneNumber,
        sipCallId,
        trunk: trunkAddress(trunk),
        targets,
        ringTimeoutMs: ringLimitMs,
      })
      .catch((error: unknown) => {
        // The party holds a place until then.
        record.notJoined(bridgeId, 'internal_error');
        throw error;
      });
    if (!isConnected) return record.notJoined(bridgeId, reasonOfStatus(sipStatus));
    // A party that has referred us on has left.
    if (this.#partyId !== null) record.notJoined(this.#partyId, 'referred_on');
    this.#partyId = bridgeId;
  }

  async #findTrunk(trunk: TrunkAccess): Promise<TrunkTargets | null> {
    return this.#options.endpoint.findTrunk(trunkAddress(trunk)).catch(() => null);
  }

  #refuse(referral: LegReferral, reason: ReferralObstacle): void {
    this.#options.note('far_end_referral_refused', { reason });
    referral.refuse(statusOfRefusal(reason));
  }
}
