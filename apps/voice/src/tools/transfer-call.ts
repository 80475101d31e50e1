/**
 * Transfers a caller to a number of the tool's list. Core authorises the number at the last moment, as it does for every
 * dial; the far end is then asked to transfer the call (SIP REFER), and a bridge replaces that where it is refused. A warm
 * transfer is always a bridge, because the person is asked first. Only one transfer runs at a time, and a number whose
 * outcome is unknown is never tried again.
 */
import type { ToolAnswer } from '@parley/conversation';
import type { TransferAuthorization, TransferDestination } from '@parley/core';
import { interpolate } from '@parley/script';
import type { CallLeg } from '@parley/telephony';
import type { BridgeDial, CallBridge, PersonQuestion } from '../bridge/call-bridge.ts';
import {
  BEYOND_RINGING_MS,
  findDestination,
  outcomeAnswer,
  refusalAnswer,
  warmAnswer,
  type TransferTool,
  type WarmTransferTool,
} from './transfer-description.rules.ts';

/** Options of the transfers of one call. */
export interface CallTransferOptions {
  /** Asks core whether that number may be called now. */
  authorize: (phoneNumber: string) => Promise<TransferAuthorization>;
  leg: Pick<CallLeg, 'transfer'>;
  bridge: Pick<CallBridge, 'dial'>;
  /** The caller waits for a person who is asked, or does not wait any more (null). */
  hold: (sound: WarmTransferTool['holdSound'] | null) => void;
  /** A transfer has begun or is over. */
  onChange: () => void;
}

/** Opens the question of a warm transfer. */
export type AskForTransfer = (
  person: Pick<CallLeg, 'media'>,
  question: { tool: WarmTransferTool; announcement: string },
) => PersonQuestion;

/** A use of the tool. */
export interface TransferWish {
  tool: TransferTool | WarmTransferTool;
  /** The arguments of the model. */
  given: Readonly<Record<string, unknown>>;
  /** For the texts of the tool. */
  variables: Readonly<Record<string, unknown>>;
  ask: AskForTransfer;
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

  /** True while a transfer runs. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** A transfer by an operator. @returns null when the caller was transferred. @throws the error of core */
  async byHand(tools: readonly TransferTool[], name: string, signal: AbortSignal): Promise<string | null> {
    for (const tool of tools) {
      const destination = findDestination(tool, { destination: name });
      if (!destination) continue;
      const dial = dialOf(tool, destination, signal);
      const answer = await this.#alone(destination, () => this.#transfer(dial));
      return answer.isOk && answer.isTransferred ? null : answer.text;
    }
    return refusalAnswer('not_listed').text;
  }

  /** @throws the error of core */
  async run(wish: TransferWish, signal: AbortSignal): Promise<ToolAnswer> {
    const { tool, given } = wish;
    const destination = findDestination(tool, given);
    if (!destination) return refusalAnswer('not_listed');
    const dial = dialOf(tool, destination, signal);
    return this.#alone(destination, () =>
      tool.type === 'call_transfer' ? this.#transfer(dial) : this.#askFirst({ ...wish, tool }, dial),
    );
  }

  async #alone({ phoneNumber }: TransferDestination, work: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
    if (this.#isBusy) return { isOk: false, text: 'Another transfer is under way.' };
    if (this.#doubtful.has(phoneNumber)) return outcomeAnswer({ result: 'unknown' });
    this.#setBusy(true);
    try {
      return await work();
    } finally {
      this.#setBusy(false);
    }
  }

  #setBusy(isBusy: boolean): void {
    this.#isBusy = isBusy;
    this.#options.onChange();
  }

  async #askFirst(
    { tool, given, variables, ask }: TransferWish & { tool: WarmTransferTool },
    dial: BridgeDial,
  ): Promise<ToolAnswer> {
    const { bridge, hold } = this.#options;
    const { summary = '' } = given;
    const announcement = onOneLine(interpolate(tool.announcement, { ...variables, summary }).text);
    const words = interpolate(tool.unavailableMessage ?? '', variables).text.trim();
    hold(tool.holdSound);
    try {
      const outcome = await bridge.dial({ ...dial, ask: (person) => ask(person, { tool, announcement }) });
      return warmAnswer(outcome, words);
    } finally {
      hold(null);
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

function dialOf(
  tool: TransferTool | WarmTransferTool,
  { phoneNumber }: TransferDestination,
  signal: AbortSignal,
): BridgeDial {
  return { phoneNumber, ringLimitMs: tool.ringTimeoutSeconds * 1000, signal };
}

/** An announcement may contain what the caller has said, so nothing in it is a template. */
function onOneLine(text: string): string {
  return text.replaceAll(/[{}\s]+/gu, ' ').trim();
}
