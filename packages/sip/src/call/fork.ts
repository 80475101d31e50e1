/**
 * One fork of an outbound INVITE that is ringing or has answered: its dialog, its own state of offer and answer, and the
 * reliable provisional responses that it has sent (RFC 3262 section 4).
 */
import type { AgentCore } from '../dialog/agent-core.ts';
import type { Authenticator } from '../dialog/authentication.ts';
import { sendInDialog } from '../dialog/in-dialog-request.ts';
import type { MediaNegotiation } from '../media/media-negotiation.ts';
import type { Received } from '../message/destination.ts';
import { MAX_RELIABLE_RESPONSES } from '../message/limits.ts';
import type { SipResponse } from '../message/message.ts';
import { rackFor } from '../message/reliability.ts';
import { sessionDescription } from '../message/session-description.ts';
import type { Session } from './session.ts';

/** One fork. */
export class Fork {
  readonly session: Session;
  readonly media: MediaNegotiation;
  /** The ACK for its 2xx, sent again for every retransmission of the 2xx. */
  ack: Uint8Array | null = null;
  readonly #core: AgentCore;
  readonly #authenticator: Authenticator;
  /** The RSeq of the latest reliable response in order, null before the first. */
  #latest: number | null = null;
  #count = 0;

  constructor(
    core: AgentCore,
    parts: { session: Session; media: MediaNegotiation; authenticator: Authenticator },
  ) {
    this.#core = core;
    this.session = parts.session;
    this.media = parts.media;
    this.#authenticator = parts.authenticator;
  }

  /**
   * Takes a reliable provisional response and sends its PRACK. Returns false for one that must be ignored: out of order,
   * or repeated. The PRACK of a repeated one is on its way: its transaction retransmits it until it is answered.
   */
  acknowledge(number: number, { message, envelope }: Received<SipResponse>): boolean {
    const isNext = this.#latest === null || number === this.#latest + 1;
    if (!isNext || this.#count >= MAX_RELIABLE_RESPONSES || this.session.isClosed) return false;
    this.#latest = number;
    this.#count += 1;
    this.#takeAnswer(message);
    const headers = [rackFor(number, envelope.sequence.number)];
    const { dialog } = this.session;
    const request = { dialog, authenticator: this.#authenticator, method: 'PRACK', headers };
    // A PRACK that is refused or lost needs nothing: the far end gives up the call if it misses it.
    sendInDialog(this.#core, request, () => undefined);
    return true;
  }

  /**
   * Takes the answer of the 2xx. RFC 3261 section 13.2.1 allows only one answer, and asks us to ignore a later one; we take
   * that of the 2xx, because gateways that play announcements answer with another address once they connect. It is
   * ignored where an UPDATE has changed the session since.
   *
   * @returns false if no media are agreed on
   */
  takeFinalAnswer(response: SipResponse): boolean {
    this.#takeAnswer(response);
    return this.media.agreed !== null;
  }

  #takeAnswer(response: SipResponse): void {
    const description = this.media.hasOffered ? sessionDescription(response) : null;
    if (description !== null) this.media.takeAnswer(description);
  }
}
