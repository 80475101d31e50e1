/**
 * Puts a caller through to a number of the tool's list. Whether it may ring is asked of core at the last moment, as for
 * every dial; the call is then transferred by whoever carries it (SIP REFER), or over us where that is refused. A number
 * is tried once at a time, and never again once it may have rung without our knowing what came of it.
 */
import type { ToolAnswer } from '@parley/conversation';
import type { TransferAuthorization } from '@parley/core';
import type { CallLeg } from '@parley/telephony';
import type { BridgeDial, CallBridge } from '../bridge/call-bridge.ts';
import {
  BEYOND_RINGING_MS,
  findDestination,
  outcomeAnswer,
  refusalAnswer,
  type TransferTool,
} from './transfer-words.rules.ts';

/** What it needs of the call. */
export interface CallTransferOptions {
  /** Whether that number may ring now. */
  authorize: (phoneNumber: string) => Promise<TransferAuthorization>;
  leg: Pick<CallLeg, 'transfer'>;
  bridge: Pick<CallBridge, 'dial'>;
}

/** One per call. */
export class CallTransfer {
  readonly #options: CallTransferOptions;
  /** Numbers of which it is not known whether they have rung. */
  readonly #doubtful = new Set<string>();
  #isBusy = false;

  constructor(options: CallTransferOptions) {
    this.#options = options;
  }

  /** @throws whatever keeps core from answering */
  async run(
    tool: TransferTool,
    given: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ToolAnswer> {
    const destination = findDestination(tool, given);
    if (!destination) return refusalAnswer('not_listed');
    if (this.#isBusy) return { isOk: false, text: 'Another transfer is under way.' };
    if (this.#doubtful.has(destination.phoneNumber)) return outcomeAnswer({ result: 'unknown' });
    this.#isBusy = true;
    try {
      const ringLimitMs = tool.ringTimeoutSeconds * 1000;
      return await this.#transfer({ phoneNumber: destination.phoneNumber, ringLimitMs, signal });
    } finally {
      this.#isBusy = false;
    }
  }

  async #transfer(wish: BridgeDial): Promise<ToolAnswer> {
    const { authorize, leg, bridge } = this.#options;
    const { phoneNumber, ringLimitMs } = wish;
    const verdict = await authorize(phoneNumber);
    if (!verdict.isAllowed) return refusalAnswer(verdict.reason);
    const { result, sipStatus } = await leg.transfer(phoneNumber, ringLimitMs + BEYOND_RINGING_MS);
    if (result === 'refused') return outcomeAnswer(await bridge.dial(wish));
    if (result === 'unknown') this.#doubtful.add(phoneNumber);
    return outcomeAnswer({ result, sipStatus });
  }
}
