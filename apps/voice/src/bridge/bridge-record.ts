/**
 * Authorises the second leg of a bridge with core and records its dialog and end. Facts are stored after those of the
 * call, with the same retries.
 */
import {
  authorizeBridge,
  authorizeReferral,
  recordBridgeDialog,
  recordBridgeEnd,
  type BridgeRefusal,
  type CoreContext,
  type PermittedBridge,
  type ReferralAuthorization,
  type VoiceFence,
} from '@parley/core';
import { pause } from '@parley/runtime';
import type { StoredDialog } from '@parley/telephony';

/** Options of the record of one bridge. */
export interface BridgeRecordOptions {
  core: CoreContext;
  callId: number;
  fence: VoiceFence;
  /** Stores a fact after all earlier ones, with retries. */
  report: (name: string, store: () => Promise<void>) => void;
}

/** The decision of core. */
export type BridgeVerdict =
  | ({ isAllowed: true } & PermittedBridge)
  | { isAllowed: false; reason: BridgeRefusal };

/** The decision of core about the party of a REFER. */
export type ReferralVerdict = Exclude<ReferralAuthorization, Wait>;

interface Wait {
  isAllowed: false;
  reason: 'wait';
  waitMs: number;
}

/** How long to wait for a trunk with a rate limit, milliseconds. */
const TURN_LIMIT_MS = 5_000;

/** One instance per call. */
export class BridgeRecord {
  readonly #options: BridgeRecordOptions;
  /** The latest dialog of the second leg that waits to be stored. */
  #unstored: { bridgeId: number; dialog: StoredDialog } | null = null;

  constructor(options: BridgeRecordOptions) {
    this.#options = options;
  }

  /** Asks until the trunk's rate limit allows the leg. @throws the error of core */
  async authorize(phoneNumber: string, signal: AbortSignal): Promise<BridgeVerdict> {
    const { core, callId, fence } = this.#options;
    return this.#inTurn(() => authorizeBridge(core, { callId, phoneNumber, fence }), signal);
  }

  /** The same for the party of a REFER. @param user - as the far end has named it */
  async authorizeReferral(user: string, signal: AbortSignal): Promise<ReferralVerdict> {
    const { core, callId, fence } = this.#options;
    return this.#inTurn(() => authorizeReferral(core, { callId, user, fence }), signal);
  }

  async #inTurn<Verdict extends { isAllowed: boolean }>(
    ask: () => Promise<Verdict | Wait>,
    signal: AbortSignal,
  ): Promise<Verdict | { isAllowed: false; reason: 'trunk_rate' | 'over' }> {
    const { core } = this.#options;
    const untilMs = core.clock.monotonic() + TURN_LIMIT_MS;
    for (;;) {
      const verdict = await ask();
      if (!isWait(verdict)) return verdict;
      if (core.clock.monotonic() + verdict.waitMs > untilMs)
        return { isAllowed: false, reason: 'trunk_rate' };
      await pause(core.clock, verdict.waitMs, signal);
      if (signal.aborted) return { isAllowed: false, reason: 'over' };
    }
  }

  /** The second leg was answered, or its dialog has changed. Of several dialogs that wait to be stored, only the last one is. */
  dialog(bridgeId: number, dialog: StoredDialog): void {
    const { core, report } = this.#options;
    if (this.#unstored?.bridgeId === bridgeId) {
      this.#unstored.dialog = dialog;
      return;
    }
    const unstored = { bridgeId, dialog };
    this.#unstored = unstored;
    const fact = this.#fact(bridgeId);
    report('bridge_dialog', async () => {
      if (this.#unstored === unstored) this.#unstored = null;
      await recordBridgeDialog(core, { ...fact, dialog: unstored.dialog });
    });
  }

  /** The second leg was not answered, or not accepted. */
  notJoined(bridgeId: number, reason: string): void {
    const { core, report } = this.#options;
    const fact = { ...this.#fact(bridgeId), reason };
    report('bridge_ended', () => recordBridgeEnd(core, fact));
  }

  #fact(bridgeId: number) {
    const { core, callId, fence } = this.#options;
    return { callId, bridgeId, at: new Date(core.clock.now()), fence };
  }
}

function isWait(verdict: { isAllowed: boolean }): verdict is Wait {
  return 'reason' in verdict && verdict.reason === 'wait';
}
