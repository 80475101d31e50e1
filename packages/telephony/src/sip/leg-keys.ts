/** Sends the DTMF keys of one leg by the method that the setting of its trunk and the far end allow. */
import type { DtmfSetting, KeysOutcome } from '../call-leg.ts';
import type { MediaTarget, RtpMedia } from '../media-factory.ts';
import { keysOf } from '../rtp/telephone-event.ts';

/** Whether a setting lets the far end send its keys as RFC 4733 events, so that our SDP offers them. */
export function offersEvents(setting: DtmfSetting | undefined): boolean {
  return setting === undefined || setting === 'auto' || setting === 'rfc4733';
}

/** The keys of one leg. */
export class LegKeys {
  setting: DtmfSetting;
  /** Sends a key as SIP INFO; its response is passed to {@link LegKeys.takeResponse}. */
  readonly #sendInfo: (digit: string) => void;
  #media: { rtp: RtpMedia; target: MediaTarget } | null = null;
  /** Resolves the INFO in progress. */
  #onResponse: ((status: number | null) => void) | null = null;
  /** The end of the INFO requests that are queued: keys must arrive in their order. */
  #queue: Promise<unknown> = Promise.resolve();
  #hasEnded = false;

  constructor(setting: DtmfSetting, sendInfo: (digit: string) => void) {
    this.setting = setting;
    this.#sendInfo = sendInfo;
  }

  /** The media was agreed on, or has changed. */
  connect(rtp: RtpMedia, target: MediaTarget): void {
    this.#media = { rtp, target };
  }

  async send(digits: string): Promise<KeysOutcome> {
    if (!this.#media || this.#hasEnded) return { isSent: false, reason: 'no-call' };
    const { rtp, target } = this.#media;
    const hasEvents = target.telephoneEventPayloadType !== null;
    const method = this.setting === 'auto' ? (hasEvents ? 'rfc4733' : 'inband') : this.setting;
    if (method === 'info') return this.#sendAsInfo(keysOf(digits));
    if (method === 'rfc4733' && !hasEvents) return { isSent: false, reason: 'unsupported' };
    if (target.direction === 'recvonly' || target.direction === 'inactive')
      return { isSent: false, reason: 'on-hold' };
    rtp.sendDtmf(digits, method === 'rfc4733' ? 'events' : 'tones');
    return { isSent: true, method };
  }

  /** The final status of an INFO, null without a response. */
  takeResponse(status: number | null): void {
    this.#onResponse?.(status);
  }

  /** The leg has ended. */
  end(): void {
    this.#hasEnded = true;
    this.#onResponse?.(null);
  }

  async #sendAsInfo(digits: string): Promise<KeysOutcome> {
    const outcome = this.#queue.then(async () => this.#sendEach(digits));
    this.#queue = outcome;
    return outcome;
  }

  async #sendEach(digits: string): Promise<KeysOutcome> {
    for (const digit of digits) {
      if (this.#hasEnded) return { isSent: false, reason: 'no-call' };
      const { promise, resolve } = Promise.withResolvers<number | null>();
      this.#onResponse = resolve;
      this.#sendInfo(digit);
      const status = await promise;
      this.#onResponse = null;
      if (status === null || status >= 300) return { isSent: false, reason: 'refused' };
    }
    return { isSent: true, method: 'info' };
  }
}
