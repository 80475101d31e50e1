/**
 * A call that another process held until it was lost. Its confirmed dialog is rebuilt, and a re-INVITE (RFC 3261 section 14)
 * moves media and Contact to this process. A far end that refuses gets BYE.
 */
import type { CallEnd, CallOwner } from './agent-actions.ts';
import type { AgentCore } from '../dialog/agent-core.ts';
import { Authenticator } from '../dialog/authentication.ts';
import { dialogFromStored, type StoredDialog } from '../dialog/dialog.ts';
import { MediaNegotiation } from '../media/media-negotiation.ts';
import type { LocalMedia } from '../media/offer-answer.ts';
import type { Credentials } from '../message/digest.ts';
import type { Replaces } from '../message/replaces.ts';
import { NOT_IN_A_CALL, type ReferRequest } from './refer.ts';
import { Session } from './session.ts';

/** The call to go on with. */
export interface ResumeRequest {
  /** Its local CSeq number must be above all that the other process has used. */
  dialog: StoredDialog;
  media: LocalMedia;
  /** Answers a challenge to the re-INVITE. */
  credentials?: Credentials;
  /** True if our side sent the INVITE that opened the dialog. */
  isCaller: boolean;
  /** Default: REFER gets 405. */
  acceptsRefer?: boolean | undefined;
}

/** One resumed call. */
export class ResumedCall {
  readonly #owner: CallOwner;
  readonly #session: Session;
  readonly #media: MediaNegotiation;
  #state: 'resuming' | 'confirmed' | 'ended' = 'resuming';

  /** @throws SipParseError when the stored dialog is malformed */
  constructor(core: AgentCore, request: ResumeRequest, owner: CallOwner) {
    const { dialog, media, credentials = null, isCaller, acceptsRefer } = request;
    this.#owner = owner;
    this.#media = MediaNegotiation.resume(media, core.random, dialog.description);
    this.#session = new Session(core, {
      dialog: dialogFromStored(dialog),
      media: this.#media,
      authenticator: new Authenticator(credentials, core.random),
      isCaller,
      acceptsRefer,
      owner: {
        onMediaChanged: () => this.#reportMedia(),
        onDialogChanged: () => owner.onEvent({ type: 'dialog-changed', dialog: this.#session.stored() }),
        onReferred: (outcome) => owner.onEvent({ type: 'referred', outcome }),
        onReferReceived: (target) => owner.onEvent({ type: 'refer-received', target }),
        onKey: (key) => owner.onEvent({ type: 'key', ...key }),
        onKeySent: (status) => owner.onEvent({ type: 'key-sent', status }),
        onRemoteBye: () => this.#end({ by: 'remote-bye' }),
        onAck: () => undefined,
        onAckMissing: () => this.#endWithBye({ by: 'no-ack' }),
        onExpired: () => this.#endWithBye({ by: 'session-expired' }),
      },
    });
    this.#session.resume((status) => this.#takeOutcome(status));
  }

  /** Sends BYE. Does nothing once the call has ended. */
  hangUp(): void {
    this.#endWithBye({ by: 'local-bye' });
  }

  /** Another process goes on with the call. */
  abandon(): void {
    if (this.#state === 'ended') return;
    this.#session.close();
    this.#end({ by: 'taken-over' });
  }

  refer(request: ReferRequest): void {
    if (this.#state === 'confirmed') this.#session.refer(request);
    else this.#owner.onEvent({ type: 'referred', outcome: NOT_IN_A_CALL });
  }

  answerRefer(status: number): void {
    this.#session.answerRefer(status);
  }

  reportReferral(status: number): void {
    this.#session.reportReferral(status);
  }

  /** Sends a key as INFO. */
  sendKey(digit: string): void {
    if (this.#state === 'confirmed') this.#session.sendKey(digit);
    else this.#owner.onEvent({ type: 'key-sent', status: null });
  }

  replaceableAs(replaces: Replaces): 'confirmed' | null {
    return this.#state === 'confirmed' && this.#session.isNamedBy(replaces) ? 'confirmed' : null;
  }

  #takeOutcome(status: number | null): void {
    if (this.#state !== 'resuming') return;
    if (status === null || status >= 300) return this.#endWithBye({ by: 'not-resumed', status });
    this.#state = 'confirmed';
    this.#reportMedia();
    this.#owner.onEvent({ type: 'answered', dialog: this.#session.stored() });
  }

  #reportMedia(): void {
    if (this.#media.agreed) this.#owner.onEvent({ type: 'media', agreed: this.#media.agreed });
  }

  #endWithBye(end: CallEnd): void {
    if (this.#state === 'ended') return;
    this.#session.bye();
    this.#end(end);
  }

  #end(end: CallEnd): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#owner.onEvent({ type: 'ended', end });
    this.#owner.onEnd();
  }
}
