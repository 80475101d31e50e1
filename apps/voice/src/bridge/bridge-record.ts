/**
 * What core is asked and told of the second leg of a bridge: whether it may be dialed, and what became of it. Facts go
 * behind those of the call, and are repeated until they are stored.
 */
import {
  authorizeBridge,
  recordBridgeDialog,
  recordBridgeEnd,
  type BridgeRefusal,
  type CoreContext,
  type PermittedBridge,
  type VoiceFence,
} from '@parley/core';
import { pause } from '@parley/runtime';
import type { StoredDialog } from '@parley/telephony';

/** Whose bridge, and how facts are stored. */
export interface BridgeRecordOptions {
  core: CoreContext;
  callId: number;
  fence: VoiceFence;
  /** Stores a fact after all earlier ones, however long that takes. */
  report: (name: string, store: () => Promise<void>) => void;
}

/** Core's last word. */
export type BridgeVerdict =
  | ({ isAllowed: true } & PermittedBridge)
  | { isAllowed: false; reason: BridgeRefusal };

/** A trunk whose turn does not come within this time takes no transfer, milliseconds. */
const TURN_LIMIT_MS = 5_000;

/** Of one call. */
export class BridgeRecord {
  readonly #options: BridgeRecordOptions;

  constructor(options: BridgeRecordOptions) {
    this.#options = options;
  }

  /** Asks until it is our turn on the trunk. @throws whatever keeps core from answering */
  async authorize(phoneNumber: string, signal: AbortSignal): Promise<BridgeVerdict> {
    const { core, callId, fence } = this.#options;
    const untilMs = core.clock.monotonic() + TURN_LIMIT_MS;
    for (;;) {
      const verdict = await authorizeBridge(core, { callId, phoneNumber, fence });
      if (verdict.isAllowed || verdict.reason !== 'wait') return verdict;
      if (core.clock.monotonic() + verdict.waitMs > untilMs)
        return { isAllowed: false, reason: 'trunk_rate' };
      await pause(core.clock, verdict.waitMs, signal);
      if (signal.aborted) return { isAllowed: false, reason: 'over' };
    }
  }

  /** Somebody has answered, or the dialog has changed since. */
  dialog(bridgeId: number, dialog: StoredDialog): void {
    const { core, report } = this.#options;
    const fact = { ...this.#fact(bridgeId), dialog };
    report('bridge_dialog', () => recordBridgeDialog(core, fact));
  }

  /** Nobody has answered. */
  unanswered(bridgeId: number, reason: string): void {
    const { core, report } = this.#options;
    const fact = { ...this.#fact(bridgeId), reason };
    report('bridge_ended', () => recordBridgeEnd(core, fact));
  }

  #fact(bridgeId: number) {
    const { core, callId, fence } = this.#options;
    return { callId, bridgeId, at: new Date(core.clock.now()), fence };
  }
}
