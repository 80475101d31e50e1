/**
 * A leg over SIP and RTP: translates the events of the user agent, opens and moves the media, and enforces the two limits
 * that end every leg: the ring limit and the limit of silence from the far end.
 */
import type { Timer } from '@parley/runtime';
import {
  escapeUser,
  type AgreedMedia,
  type Codec,
  type CallEnd,
  type CallEvent,
  type CallNumber,
  type Destination,
  type LocalMedia,
  type RedirectTarget,
  type ReferOutcome,
  type ReferTarget,
} from '@parley/sip';
import type { AnswerSettings, CallLeg, KeysOutcome, LegEnd, LegEvent, TransferOutcome } from '../call-leg.ts';
import type { TrunkAddress } from './dial-request.ts';
import type { LegControl } from './leg-control.ts';
import type { RtpMedia } from '../media-factory.ts';
import { LegListeners } from '../leg-listeners.ts';
import { toLegEnd, type OwnReason } from './leg-end.rules.ts';
import type { LegOptions } from './leg-options.ts';
import { LegKeys } from './leg-keys.ts';
import { LegMedia } from './leg-media.ts';
import { LegReferrals, type Followed } from './leg-referrals.ts';
import { LegSuccession, type SucceededCall } from './leg-succession.ts';
import { toMediaTarget } from './media-target.ts';

/** The rejection when no RTP port is free: 503 Service Unavailable. */
const NO_MEDIA_STATUS = 503;
/** The rejection of an offer that does not fit. */
const NOT_ACCEPTABLE_STATUS = 488;
const REQUEST_PENDING = 491;

const TRANSFER_RESULTS = {
  success: 'transferred',
  refusal: 'refused',
  failure: 'failed',
  unknown: 'unknown',
} as const;
/** The outcome when no REFER was sent. */
const REFUSED: TransferOutcome = { result: 'refused', sipStatus: null };

/** One leg; it ends exactly once. */
export class SipLeg implements CallLeg {
  readonly id: string;
  readonly callerTag: string | undefined;
  readonly direction: 'inbound' | 'outbound';
  readonly from: string;
  readonly to: string;
  readonly media = new LegMedia();
  readonly #options: LegOptions;
  readonly #control: LegControl<SipLeg>;
  readonly #answered = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #listeners: LegListeners;
  /** Null before the INVITE of an outbound leg. */
  #call: CallNumber | null = null;
  #rtp: RtpMedia | null = null;
  readonly #keys: LegKeys;
  #silenceLimitMs: number;
  #writeNumber: LegOptions['writeNumber'];
  #signallingHost: string | null = null;
  /** Whether the signalling is over TLS, so that it can carry keys. */
  #isSecure = false;
  #isHeld = false;
  #hasEnded = false;
  /** Our media once they are being opened; null if no port was free. */
  #opening: Promise<LocalMedia | null> | null = null;
  /** What the trunk of an inbound leg allows; absent: PCMU and PCMA. */
  #codecs: readonly Codec[] | undefined;
  #isAnswering = false;
  #isAnswered = false;
  #local: LocalMedia | null = null;
  #agreed: AgreedMedia | null = null;
  #reason: OwnReason = null;
  #ringLimit: Timer | null = null;
  #acceptsRefer: boolean;
  readonly #referrals: LegReferrals;
  readonly #succession: LegSuccession;
  /** Resolves the transfer in progress. */
  #onReferred: ((outcome: ReferOutcome) => void) | null = null;

  constructor(options: LegOptions, control: LegControl<SipLeg>) {
    this.id = options.id;
    this.callerTag = options.callerTag;
    this.direction = options.direction;
    this.from = options.from;
    this.to = options.to;
    this.#options = options;
    this.#listeners = new LegListeners(options.log.child({ sipCallId: options.id }));
    this.#silenceLimitMs = options.silenceLimitMs;
    this.#writeNumber = options.writeNumber;
    this.#control = control;
    this.media.allow(options.trunk?.codecs);
    this.#acceptsRefer = options.trunk?.acceptsRefer ?? false;
    this.#referrals = new LegReferrals(options.clock, control, (followed) => this.#follow(followed));
    this.#succession = new LegSuccession({ clock: options.clock, control }, this.#referrals, {
      connect: (agreed, host) => this.#connect(agreed, host),
      succeed: (next) => this.#succeed(next),
      keepOld: (oldEnd) => this.#keepOld(oldEnd),
      lostFarEnd: () => this.#noteHold(true),
    });
    this.#keys = new LegKeys(options.dtmf, (digit) => {
      if (this.#call !== null) control.sendKey(this.#call, digit);
    });
  }

  /** The address from which the far end's signalling comes, null before the INVITE. */
  get signallingHost(): string | null {
    return this.#signallingHost;
  }

  /** The trunk of an outbound leg. */
  get trunk(): TrunkAddress | undefined {
    return this.#options.trunk;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  onEvent(listener: (event: LegEvent) => void): void {
    this.#listeners.add(listener);
  }

  ring(): void {
    if (this.#call === null) return;
    if (!this.#options.mustOfferInRinging) return this.#control.ring(this.#call, null);
    this.#control.background('ring with an offer', () =>
      this.#withMedia((call, local) => {
        this.#control.ring(call, local);
      }),
    );
  }

  allowCodecs(codecs: readonly Codec[] | undefined): void {
    if (this.#opening) return;
    this.#codecs = codecs;
    this.media.allow(codecs);
  }

  async answer({
    silenceLimitMs,
    dtmf,
    writeNumber,
    encryption,
    codecs,
    acceptsRefer = false,
  }: AnswerSettings = {}): Promise<void> {
    if (this.direction === 'outbound' || this.#hasEnded) return;
    const isNew = !this.#isAnswering;
    if (isNew && encryption === 'required' && !this.#canEncrypt()) this.#refuseOpenKeys();
    else if (isNew) {
      this.#writeNumber = writeNumber;
      this.#acceptsRefer = acceptsRefer;
      this.#silenceLimitMs = silenceLimitMs ?? this.#silenceLimitMs;
      this.#keys.setting = dtmf ?? this.#keys.setting;
      if (codecs) this.allowCodecs(codecs);
      this.#isAnswering = true;
      await this.#answerWithMedia(encryption);
    }
    await this.#answered.promise;
  }

  reject(sipStatus: number): void {
    if (this.#call !== null) this.#control.reject(this.#call, sipStatus);
  }

  async hangUp(): Promise<void> {
    if (this.#call === null) this.endBy({ by: 'cancel' });
    else this.#hangUpCalls(this.#call);
    await this.#ended.promise;
  }

  abandon(): void {
    if (this.#call === null) this.endBy({ by: 'taken-over' });
    else this.#control.abandon(this.#call);
  }

  async sendDtmf(digits: string): Promise<KeysOutcome> {
    return this.#keys.send(digits);
  }

  async transfer(number: string, limitMs: number): Promise<TransferOutcome> {
    if (this.#call === null || this.#hasEnded || this.#onReferred) return REFUSED;
    // Not a refusal, after which the number would be called in another way.
    if (this.#succession.isFollowing) return { result: 'failed', sipStatus: REQUEST_PENDING };
    const { promise, resolve } = Promise.withResolvers<ReferOutcome>();
    this.#onReferred = resolve;
    const user = escapeUser(this.#writeNumber?.(number) ?? number);
    this.#control.refer(this.#call, { user, limitMs });
    const { result, status: sipStatus } = await promise;
    this.#onReferred = null;
    return { result: TRANSFER_RESULTS[result], sipStatus };
  }

  /** The INVITE was sent to `signallingHost` or received from it: starts the ring limit. */
  begin(call: CallNumber, { signallingHost, isSecure }: { signallingHost: string; isSecure: boolean }): void {
    this.#call = call;
    this.#isSecure = isSecure;
    this.#signallingHost = signallingHost;
    this.#ringLimit = this.#options.clock.after(this.#options.ringLimitMs, () => this.#giveUp('ring-limit'));
  }

  /** The INVITE goes to another host: the trunk has redirected it, or its server could not take the call. */
  moveTo(signallingHost: string): void {
    this.#signallingHost = signallingHost;
  }

  /**
   * Another call takes this leg over (RFC 3891): it is answered with the media of the leg, which goes on without a gap. The
   * call of the leg is hung up once the other one is confirmed; until then, nothing has changed.
   *
   * @returns false if it cannot: one is being taken over already, or the audio would lose its encryption
   */
  takeOver(call: CallNumber, to: { signallingHost: string; isSecure: boolean }): boolean {
    const local = this.#local;
    const isOpen = local?.encryption === 'required' && !to.isSecure;
    if (this.#hasEnded || this.#call === null || !local || this.#succession.isPending || isOpen) return false;
    this.#succession.begin(call, to.signallingHost, null);
    this.#control.answer(call, local, this.#acceptsRefer);
    return true;
  }

  /** Calls the party of a REFER, which takes the leg over with its answer. @returns false if it cannot */
  #follow(followed: Followed): boolean {
    const local = this.#local;
    const { referrer, request } = followed;
    if (this.#call !== referrer || this.#hasEnded || !local || this.#succession.isPending) return false;
    this.#control.answerRefer(referrer, 202);
    // Many transferors send no sound any more; the wait has the ring limit.
    this.#rtp?.onSilence(Infinity, () => undefined);
    const onCall = (call: CallNumber, host: string): void => this.#succession.begin(call, host, followed);
    this.#control.invite(this, { request, local, onCall });
    return true;
  }

  /** Takes ownership of the RTP socket, or closes it if the leg has ended in the meantime. */
  attach(rtp: RtpMedia, local: LocalMedia): void {
    if (this.#hasEnded) return rtp.close();
    this.#local = local;
    this.#rtp = rtp;
    this.media.attach(rtp);
    rtp.onDtmf((key) => this.#listeners.emit({ type: 'dtmf', ...key }));
  }

  /** Takes an event of a call of this leg. */
  take(event: CallEvent, call: CallNumber): void {
    if (this.#hasEnded) return;
    if (this.#succession.take(event, call)) return;
    // What remains of a call that was replaced.
    if (this.#call !== null && call !== this.#call) return;
    if (event.type !== 'ended' || !this.#succession.oldEnded(event.end)) this.#takeOwn(event);
  }

  #succeed({ call, host, agreed, dialog, by }: SucceededCall): void {
    const old = this.#call;
    this.#call = call;
    this.#signallingHost = host;
    this.#agreed = agreed;
    if (old !== null && by === 'replaces') this.#control.hangUp(old);
    // What was asked of the old party is not reported any more.
    this.#onReferred?.({ result: 'unknown', status: null });
    this.#keys.takeResponse(null);
    if (this.#isAnswered) return this.#listeners.emit({ type: 'replaced', dialog, by });
    // The phone rang, and another one has picked the call up.
    this.#takeOwn({ type: 'answered', dialog });
  }

  #keepOld(oldEnd: CallEnd | null): void {
    if (oldEnd) return this.endBy(oldEnd);
    if (this.#agreed && this.#signallingHost !== null) this.#connect(this.#agreed, this.#signallingHost);
  }

  #takeOwn(event: CallEvent): void {
    switch (event.type) {
      case 'ringing':
        return this.#listeners.emit({ type: 'ringing', dialog: event.dialog });
      case 'redirected':
        return this.#followRedirect(event.targets);
      case 'media':
        this.#agreed = event.agreed;
        return this.#connect(event.agreed, this.#signallingHost);
      case 'answered':
        this.#isAnswered = true;
        this.#ringLimit?.cancel();
        this.#listeners.emit({ type: 'answered', dialog: event.dialog });
        return this.#answered.resolve();
      case 'failed-over':
        this.moveTo(event.to.host);
        return this.#listeners.emit({
          type: 'failed-over',
          from: serverOf(event.from),
          to: serverOf(event.to),
        });
      case 'dialog-changed':
        return this.#listeners.emit({ type: 'dialog-changed', dialog: event.dialog });
      case 'referred':
        return this.#onReferred?.(event.outcome);
      case 'refer-received':
        return this.#takeReferral(event.target);
      case 'key':
        return this.#listeners.emit({ type: 'dtmf', digit: event.digit, durationMs: event.durationMs });
      case 'key-sent':
        return this.#keys.takeResponse(event.status);
      case 'ended':
        return this.endBy(event.end);
    }
  }

  #takeReferral(target: ReferTarget): void {
    if (this.#call === null) return;
    const isBusy = this.#succession.isPending || this.#onReferred !== null;
    const about = { isBusy, signallingHost: this.#signallingHost };
    const referral = this.#referrals.take(this.#call, target, about);
    if (referral) this.#listeners.emit({ type: 'referral', referral });
  }

  /** Ends the leg because its call has ended. */
  endBy(end: CallEnd): void {
    this.end(toLegEnd(end, this.#reason));
  }

  /** Ends the leg; it reports nothing afterwards. */
  end(end: LegEnd): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#ringLimit?.cancel();
    this.media.close();
    this.#keys.end();
    this.#succession.end();
    this.#referrals.end();
    this.#rtp = null;
    this.#control.forget(this, this.#call);
    this.#listeners.emit({ type: 'ended', end });
    this.#onReferred?.({ result: 'unknown', status: null });
    this.#answered.resolve();
    this.#ended.resolve();
  }

  async #answerWithMedia(encryption: AnswerSettings['encryption']): Promise<void> {
    await this.#withMedia((call, local) => {
      // From the 200 on, the limit of the user agent for the ACK applies.
      this.#ringLimit?.cancel();
      this.#control.answer(call, local, this.#acceptsRefer);
    }, encryption);
  }

  /** Opens the media once, for 180 or for the answer. */
  async #withMedia(
    run: (call: CallNumber, local: LocalMedia) => void,
    encryption?: AnswerSettings['encryption'],
  ): Promise<void> {
    this.#opening ??= this.#openMedia(encryption);
    const local = await this.#opening;
    if (local && this.#call !== null) run(this.#call, local);
  }

  async #openMedia(encryption: AnswerSettings['encryption']): Promise<LocalMedia | null> {
    try {
      const settings = {
        dtmf: this.#keys.setting,
        ...(encryption ? { encryption } : {}),
        ...(this.#codecs ? { codecs: this.#codecs } : {}),
      };
      const { rtp, local } = await this.#control.openMedia(settings, this.media.sampleRateHz);
      this.attach(rtp, local);
      return local;
    } catch (error) {
      this.#options.log.error({ err: error, sipCallId: this.id }, 'No RTP port could be opened');
      this.reject(NO_MEDIA_STATUS);
      return null;
    }
  }

  /** False without TLS, and where an offer without a key has already left with the 180. */
  #canEncrypt(): boolean {
    return this.#isSecure && this.#opening === null;
  }

  /** RFC 4568 section 9.2: everyone who reads the description of a stream can decrypt it. */
  #refuseOpenKeys(): void {
    const { log } = this.#options;
    log.warn(
      { sipCallId: this.id },
      'A call was refused: its audio must be encrypted, but it did not come over TLS, or asked for an offer in the 180',
    );
    this.reject(NOT_ACCEPTABLE_STATUS);
  }

  #followRedirect(targets: readonly RedirectTarget[]): void {
    const call = this.#call;
    if (call === null) return;
    this.#control.background('follow a redirect', () => this.#control.followRedirect(this, call, targets));
  }

  #connect(agreed: AgreedMedia, signallingHost: string | null): void {
    const target = toMediaTarget(agreed, signallingHost);
    this.#rtp?.connect(target);
    this.media.note(agreed.codec);
    if (this.#rtp) this.#keys.connect(this.#rtp, target);
    const isHeld = agreed.direction === 'recvonly' || agreed.direction === 'inactive';
    // Many peers send nothing while they hold a call, so only the limit of the call itself ends it.
    const limitMs = isHeld ? Infinity : this.#silenceLimitMs;
    this.#rtp?.onSilence(limitMs, () => this.#giveUp('no-sound'));
    this.#noteHold(isHeld);
  }

  #noteHold(isHeld: boolean): void {
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    this.#listeners.emit({ type: 'held', isHeld });
  }

  #giveUp(reason: OwnReason): void {
    this.#reason = reason;
    if (this.#call !== null) this.#hangUpCalls(this.#call);
  }

  /** Ends the call of the leg, and one that is taking it over, which would go on otherwise. */
  #hangUpCalls(call: CallNumber): void {
    this.#succession.hangUp();
    this.#control.hangUp(call);
  }
}

function serverOf({ host: address, port }: Destination): { address: string; port: number } {
  return { address, port };
}
