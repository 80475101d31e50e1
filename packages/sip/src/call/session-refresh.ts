/**
 * Keeps one session alive (RFC 4028 sections 7.4 and 10): refreshes it when that is our part, and reports when it has
 * expired. A refresh is an UPDATE where the peer allows that method, otherwise a re-INVITE that offers our latest
 * description again.
 */
import type { AgentCore, SessionTimerSetting } from '../dialog/agent-core.ts';
import type { Authenticator } from '../dialog/authentication.ts';
import type { Dialog } from '../dialog/dialog.ts';
import { sendInDialog } from '../dialog/in-dialog-request.ts';
import { sendReInvite } from '../dialog/re-invite.ts';
import type { MediaNegotiation } from '../media/media-negotiation.ts';
import type { Received } from '../message/destination.ts';
import { allowsMethod, SUPPORTED } from '../message/extensions.ts';
import {
  SDP_TYPE,
  textBody,
  type HeaderField,
  type SipMessage,
  type SipResponse,
} from '../message/message.ts';
import { sessionDescription } from '../message/session-description.ts';
import { retryAfterMs } from './retry-after.ts';
import type { Alarm } from '../transaction/timer-queue.ts';
import {
  agreedInterval,
  expireAfterMs,
  raisedSetting,
  refreshAfterMs,
  requestFields,
  type SessionInterval,
} from './session-timer.ts';

/** The session that is kept alive. */
export interface RefreshParts {
  dialog: Dialog;
  media: MediaNegotiation;
  authenticator: Authenticator;
  /** True if we sent the INVITE that opened the dialog, and so chose its Call-ID. */
  isCaller: boolean;
  /** The Allow header field. */
  allow: HeaderField;
  /** The local CSeq number has changed. */
  onSent: () => void;
  /** The answer to a re-INVITE has moved the media. */
  onMediaChanged: () => void;
  onExpired: () => void;
}

/** How often a re-INVITE that takes a session over is sent again with a longer interval. */
const MAX_RAISES = 3;
/** The shortest time before a re-INVITE is sent again that the far end cannot take for now. */
const SHORTEST_RETRY_MS = 500;
/** After any other refusal of a refresh, without Retry-After; milliseconds. */
const RETRY_MS = 10_000;
const LONGEST_RETRY_MS = 60_000;
/** Responses that say that the peer does not support UPDATE after all. */
const WITHOUT_UPDATE: readonly number[] = [405, 501];

/** One per session. */
export class SessionRefresh {
  readonly #core: AgentCore;
  readonly #parts: RefreshParts;
  #setting: SessionTimerSetting;
  #interval: SessionInterval | null = null;
  #hasUpdate = false;
  #refresh: Alarm | null = null;
  #expiry: Alarm | null = null;
  #isReInviting = false;
  #isStopped = false;
  #raises = 0;
  /** Until when a re-INVITE that takes the session over is sent again; null before the first one. */
  #resumeUntilMs: number | null = null;

  constructor(core: AgentCore, parts: RefreshParts) {
    this.#core = core;
    this.#parts = parts;
    this.#setting = core.sessionTimer;
  }

  /** The interval in force, null if the session does not expire. */
  get interval(): SessionInterval | null {
    return this.#interval;
  }

  /** True while a re-INVITE of ours waits for its final response. */
  get isReInviting(): boolean {
    return this.#isReInviting;
  }

  /** Learns from Allow whether the peer supports UPDATE; a message without Allow changes nothing. */
  learn(message: SipMessage): void {
    this.#hasUpdate = allowsMethod(message, 'UPDATE') ?? this.#hasUpdate;
  }

  /** The session was opened or refreshed just now. */
  restart(interval: SessionInterval | null): void {
    this.#cancel();
    this.#interval = interval;
    if (!interval || this.#isStopped) return;
    const { onExpired } = this.#parts;
    this.#expiry = this.#core.after(expireAfterMs(interval), onExpired);
    if (interval.refresher === 'local') this.#sendIn(refreshAfterMs(interval));
  }

  /**
   * Takes over the session of a lost process: a re-INVITE offers our own media. It is sent again while the far end is in the
   * middle of another INVITE, for as long as one to the lost process may last there: 64*T1.
   *
   * @param onOutcome - gets the final status once, or null when there was no response; a 2xx without a usable answer is 488
   */
  resume(onOutcome: (status: number | null) => void): void {
    const { dialog, authenticator, media, onSent } = this.#parts;
    this.#isReInviting = true;
    this.#resumeUntilMs ??= this.#core.nowMs() + 64 * this.#core.timerValues.t1;
    const headers = [...this.#headers(requestFields(this.#setting)), SDP_TYPE];
    const request = { dialog, authenticator, onSent, headers, body: textBody(media.offer()) };
    sendReInvite(this.#core, request, (status, received) => {
      this.#isReInviting = false;
      if (!this.#isStopped) this.#takeResumed(received?.message ?? null, onOutcome, status);
    });
  }

  #takeResumed(
    response: SipResponse | null,
    onOutcome: (status: number | null) => void,
    status: number | null,
  ): void {
    if (!response || status === null) return onOutcome(null);
    this.learn(response);
    if (status < 300) {
      this.restart(agreedInterval(response, this.#setting));
      return onOutcome(this.#parts.media.takeAnswer(sessionDescription(response) ?? '') ? status : 488);
    }
    const retryMs = this.#resumeRetryMs(response);
    const leftMs = (this.#resumeUntilMs ?? 0) - this.#core.nowMs();
    if (retryMs === null || retryMs > leftMs) return onOutcome(status);
    this.#refresh = this.#core.after(retryMs, () => this.resume(onOutcome));
  }

  /**
   * Null: the refusal is final. RFC 3261 section 14.2: the far end answers 491 while an INVITE of its own is in progress, and 500
   * with Retry-After before it has sent its final response to an earlier one of ours. Section 14.1 limits no number of attempts.
   */
  #resumeRetryMs(response: SipResponse): number | null {
    if (response.status === 491) return this.#glareMs();
    const afterMs = response.status === 500 ? retryAfterMs(response) : null;
    if (afterMs !== null) return Math.max(afterMs, SHORTEST_RETRY_MS);
    const raised = response.status === 422 ? raisedSetting(response, this.#setting) : null;
    if (!raised || this.#raises >= MAX_RAISES) return null;
    this.#setting = raised;
    this.#raises += 1;
    return 0;
  }

  #headers(timer: readonly HeaderField[]): HeaderField[] {
    const { dialog, allow } = this.#parts;
    const contact = this.#core.contact(dialog.destination, dialog.remoteTarget);
    return [contact, allow, SUPPORTED, ...timer];
  }

  /** The call has ended. */
  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  #cancel(): void {
    this.#refresh?.cancel();
    this.#expiry?.cancel();
  }

  #sendIn(delayMs: number): void {
    this.#refresh?.cancel();
    this.#refresh = this.#core.after(delayMs, () => this.#send());
  }

  #send(): void {
    const { dialog, authenticator, media, onSent } = this.#parts;
    if (!this.#interval || this.#isStopped) return;
    const intervalSeconds = Math.max(this.#interval.seconds, this.#setting.minimumSeconds);
    const headers = this.#headers(requestFields({ ...this.#setting, intervalSeconds }, 'uac'));
    const request = { dialog, authenticator, onSent };
    const onFinal = (status: number | null, received: Received<SipResponse> | null): void =>
      this.#takeFinal(status, received);
    if (this.#hasUpdate) return sendInDialog(this.#core, { ...request, method: 'UPDATE', headers }, onFinal);
    // No INVITE of the peer is in progress: each restarts the interval, and half of one outlasts 64*T1.
    this.#isReInviting = true;
    const body = textBody(media.offerAgain());
    sendReInvite(this.#core, { ...request, headers: [...headers, SDP_TYPE], body }, onFinal);
  }

  #takeFinal(status: number | null, received: Received<SipResponse> | null): void {
    const wasReInvite = this.#isReInviting;
    this.#isReInviting = false;
    if (this.#isStopped) return;
    // Section 10: a timeout, 408 or 481 ends the call with BYE (RFC 3261 section 12.2.1.2).
    if (received === null || status === 408 || status === 481) return this.#parts.onExpired();
    const { message } = received;
    this.learn(message);
    if (message.status < 300) return this.#takeSuccess(message, wasReInvite);
    this.#sendIn(this.#retryMs(message, wasReInvite));
  }

  #takeSuccess(response: SipResponse, wasReInvite: boolean): void {
    const answer = wasReInvite ? sessionDescription(response) : null;
    this.restart(agreedInterval(response, this.#setting));
    if (answer !== null && this.#parts.media.takeAnswer(answer)) this.#parts.onMediaChanged();
  }

  /** When to try again. The session expires at its time, whatever the peer refuses until then. */
  #retryMs(response: SipResponse, wasReInvite: boolean): number {
    const { status } = response;
    if (status === 491) return this.#glareMs();
    if (!wasReInvite && WITHOUT_UPDATE.includes(status)) {
      this.#hasUpdate = false;
      return 0;
    }
    const raised = status === 422 ? raisedSetting(response, this.#sentSetting()) : null;
    if (raised) {
      this.#setting = raised;
      return 0;
    }
    return Math.min(Math.max(retryAfterMs(response) ?? 0, RETRY_MS), LONGEST_RETRY_MS);
  }

  #sentSetting(): SessionTimerSetting {
    const { minimumSeconds } = this.#setting;
    return { minimumSeconds, intervalSeconds: Math.max(this.#interval?.seconds ?? 0, minimumSeconds) };
  }

  /**
   * RFC 3261 section 14.1: the owner of the Call-ID waits "a randomly chosen value between 2.1 and 4 seconds in units of
   * 10 ms", the other side one "between 0 and 2 seconds".
   */
  #glareMs(): number {
    const draw = Buffer.from(this.#core.random(2)).readUInt16BE();
    return this.#parts.isCaller ? 2100 + (draw % 191) * 10 : (draw % 201) * 10;
  }
}
