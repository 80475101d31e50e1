/**
 * Transfers a caller to a number of the tool's list. Core authorises the number at the last moment, as it does for every
 * dial; the far end is then asked to transfer the call (SIP REFER), and a bridge replaces that where it is refused. Only
 * one transfer runs at a time, and a number whose outcome is unknown is never tried again.
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
} from './transfer-description.rules.ts';

/** Options of the transfers of one call. */
export interface CallTransferOptions {
  /** Asks core whether that number may be called now. */
  authorize: (phoneNumber: string) => Promise<TransferAuthorization>;
  leg: Pick<CallLeg, 'transfer'>;
  bridge: Pick<CallBridge, 'dial'>;
}

/** One instance per call. */
export class CallTransfer {
  readonly #options: CallTransferOptions;
  /** Numbers with an unknown outcome: they may have rung. */
  readonly #doubtful = new Set<string>();
  #isBusy = false;

  constructor(options: CallTransferOptions) {
    this.#options = options;
  }

  /** A transfer by an operator. @returns null when the caller was transferred. @throws the error of core */
  async byHand(tools: readonly TransferTool[], name: string, signal: AbortSignal): Promise<string | null> {
    const tool = tools.find((one) => findDestination(one, { destination: name }));
    if (!tool) return refusalAnswer('not_listed').text;
    const answer = await this.run(tool, { destination: name }, signal);
    return answer.isOk && answer.isTransferred ? null : answer.text;
  }

  /** @throws the error of core */
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
