/** What a SIP leg asks of its endpoint. */
import type { CallNumber, LocalMedia, RedirectTarget, ReferRequest } from '@parley/sip';
import type { AnswerSettings } from '../call-leg.ts';
import type { RtpMedia } from '../media-factory.ts';
import type { DialRequest } from './dial-request.ts';

/** What of the settings decides about offer and answer. */
export type MediaSettings = Pick<AnswerSettings, 'dtmf' | 'encryption' | 'codecs'>;

/** A bound RTP socket, and what of it goes into our description. */
export interface OpenMedia {
  rtp: RtpMedia;
  local: LocalMedia;
}

/** Our call to another party, with the media of a leg. */
export interface LegInvite {
  /** With its targets. */
  request: DialRequest;
  local: LocalMedia;
  /** Called before any event of the call. */
  onCall: (call: CallNumber, host: string) => void;
}

/** What a leg uses of its endpoint. */
export interface LegControl<Leg> {
  /** Binds RTP. @throws Error when no port is free */
  openMedia(settings: MediaSettings, sampleRateHz: 8000 | 16_000): Promise<OpenMedia>;
  /** `local`: our media, for an inbound call whose 180 must contain our offer. */
  ring(call: CallNumber, local: LocalMedia | null): void;
  /** Runs in the background; its failure is logged. */
  background(what: string, run: () => Promise<void>): void;
  /** The trunk has redirected the call. */
  followRedirect(leg: Leg, call: CallNumber, targets: readonly RedirectTarget[]): Promise<void>;
  answer(call: CallNumber, local: LocalMedia, acceptsRefer: boolean): void;
  reject(call: CallNumber, sipStatus: number): void;
  hangUp(call: CallNumber): void;
  abandon(call: CallNumber): void;
  refer(call: CallNumber, request: ReferRequest): void;
  sendKey(call: CallNumber, digit: string): void;
  /** Answers the REFER of the far end, and reports the outcome. */
  answerRefer(call: CallNumber, sipStatus: number): void;
  reportReferral(call: CallNumber, sipStatus: number): void;
  /**
   * Calls the party of a REFER.
   *
   * @throws Error when the INVITE cannot be built
   */
  invite(leg: Leg, invite: LegInvite): void;
  /** The leg has ended. */
  forget(leg: Leg, call: CallNumber | null): void;
}
