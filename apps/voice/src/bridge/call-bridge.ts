/**
 * Bridges a caller to another number: dials a second leg on the same trunk and, once it is answered, plays the sound of
 * each leg on the other. The person who answers may be asked first; one who does not accept is hung up, and the call
 * goes on. A hang-up on either connected leg ends both. Core authorises the INVITE and records the leg, so that another
 * process can end it if this one is lost.
 */
import type { BridgeRefusal, CallForVoice, PermittedBridge, TrunkAccess } from '@parley/core';
import type { BackgroundWork, Clock, Timer } from '@parley/runtime';
import type { CallLeg, LegEnd, LegEvent, MediaTick, SipEndpoint, TrunkTargets } from '@parley/telephony';
import type { HangUpRequest } from '../call-end.rules.ts';
import type { LiveCalls } from '../live-calls.ts';
import { trunkAddress } from '../trunk-address.ts';
import type { BridgeRecord } from './bridge-record.ts';
import { SoundPipe } from './sound-pipe.ts';

/** Options of the bridge of one call. */
export interface CallBridgeOptions {
  background: BackgroundWork;
  clock: Clock;
  endpoint: Pick<SipEndpoint, 'dial' | 'findTrunk'>;
  /** The second leg occupies a slot there, and ends with all other calls. */
  calls: Pick<LiveCalls, 'hasFreeSlot' | 'add' | 'remove'>;
  call: Pick<CallForVoice, 'assistantPhoneNumber' | 'trunk'>;
  /** The caller's leg. */
  leg: Pick<CallLeg, 'media' | 'sendDtmf'>;
  record: Pick<BridgeRecord, 'authorize' | 'dialog' | 'notJoined'>;
  /** Ends the whole call. */
  hangUp: (request: HangUpRequest) => void;
}

/** What became of a question to the person who answered. `failed`: it could not be asked. */
export type PersonVerdict = 'accepted' | 'declined' | 'machine' | 'no_decision' | 'failed' | 'hung_up';

/** A question to the person on the second leg. It begins with `answered`. */
export interface PersonQuestion {
  answered(): void;
  dtmf(digit: string): void;
  hold(isHeld: boolean): void;
  /** The leg has ended, or is about to. Harmless when repeated. */
  end(): void;
  /** Never rejects. */
  readonly verdict: Promise<PersonVerdict>;
}

/** The number to dial, and how long to let it ring. */
export interface BridgeDial {
  /** E.164. */
  phoneNumber: string;
  ringLimitMs: number;
  /** Opens the question that the person must accept before the legs can be joined. Without it, an answer is enough. */
  ask?: (person: Pick<CallLeg, 'media'>) => PersonQuestion;
  /** Aborted when the answer is no longer needed. */
  signal: AbortSignal;
}

/** Why the second leg was not dialed. */
export type BridgeObstacle = BridgeRefusal | 'voice_capacity' | 'given_up' | 'unreachable';

/**
 * The outcome of the dial. `sipStatus`: the final response, or null without one; `not-accepted`: it was answered, and the
 * leg ends.
 */
export type BridgeOutcome =
  | { result: 'transferred' | 'failed'; sipStatus: number | null }
  | { result: 'not-accepted'; verdict: Exclude<PersonVerdict, 'accepted'> }
  | { result: 'not-tried'; reason: BridgeObstacle };

/** The end of a call that was bridged. */
export const BRIDGED: HangUpRequest = { by: 'transfer', reason: 'call_transfer' };

/** Limit of a bridge from its answer, milliseconds: no assistant is left to end it, and both ends may be machines. */
export const LONGEST_BRIDGE_MS = 4 * 3_600_000;
const TOO_LONG: HangUpRequest = { by: 'limit', reason: 'duration_limit' };
/** "The server could not produce a response within a suitable amount of time" (RFC 3261 section 21.4.9). */
const REQUEST_TIMEOUT = 408;
const DECLINE = 603;

/** A second leg that was dialed. */
interface SecondLeg {
  bridgeId: number;
  leg: CallLeg;
  question: PersonQuestion | null;
  /** `leaving`: it was answered, and is being hung up because of the verdict or because the transfer was given up. */
  state: 'ringing' | 'asking' | 'leaving' | 'connected' | 'ended';
  verdict: Exclude<PersonVerdict, 'accepted'> | null;
}

/** The bridge of one call; one second leg at a time. */
export class CallBridge {
  readonly #options: CallBridgeOptions;
  /** The latest second leg, until it has ended. */
  #second: SecondLeg | null = null;
  #limit: Timer | null = null;
  #pipes: { toCaller: SoundPipe; toOther: SoundPipe } | null = null;
  #isConnected = false;
  #isOver = false;

  constructor(options: CallBridgeOptions) {
    this.#options = options;
  }

  /** True while there is a second leg. */
  get isBusy(): boolean {
    return this.#second !== null;
  }

  /** True once the second leg was answered, and accepted if the person was asked. */
  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** True while sound passes between the legs. */
  get isJoined(): boolean {
    return this.#pipes !== null;
  }

  /** Dials the number and waits for the outcome. @throws the error of core */
  async dial(wish: BridgeDial): Promise<BridgeOutcome> {
    const { phoneNumber, signal } = wish;
    const { record, call } = this.#options;
    // Before the permission, because a lookup may take seconds, and the permission is valid for two.
    const targets = call.trunk && (await this.#findTrunk(call.trunk));
    if (call.trunk && !targets) return { result: 'not-tried', reason: 'unreachable' };
    const verdict = await record.authorize(phoneNumber, signal);
    if (!verdict.isAllowed) return { result: 'not-tried', reason: verdict.reason };
    const { bridgeId } = verdict;
    const obstacle = this.#obstacle(signal);
    if (obstacle !== null) {
      record.notJoined(bridgeId, obstacle);
      return { result: 'not-tried', reason: obstacle };
    }
    return this.#outcomeOf(this.#open(verdict, wish, targets), signal);
  }

  /** Connects the sound of both legs; nothing else may play on the caller's leg from then on. */
  join(): void {
    const second = this.#second?.leg;
    if (!second || this.#pipes) return;
    const { media } = this.#options.leg;
    media.clear();
    media.setAmbience(null);
    const pipes = { toCaller: new SoundPipe(media), toOther: new SoundPipe(second.media) };
    this.#pipes = pipes;
    second.media.onTick((tick) => {
      pipes.toOther.noteSent(tick);
      pipes.toCaller.pass(tick);
    });
  }

  /** A frame of the caller's leg, while joined. */
  tick(tick: MediaTick): void {
    this.#pipes?.toCaller.noteSent(tick);
    this.#pipes?.toOther.pass(tick);
  }

  /** A key of the caller, while joined. */
  dtmf(digit: string): void {
    if (this.#second) this.#passKey(this.#second.leg, digit);
  }

  #passKey(leg: Pick<CallLeg, 'sendDtmf'>, digit: string): void {
    this.#options.background.start('pass a key to the other leg', () => leg.sendDtmf(digit));
  }

  /** The caller's leg has ended: ends the second leg. */
  end(): void {
    this.#isOver = true;
    this.#limit?.cancel();
    if (this.#second) this.#hangUp(this.#second.leg);
  }

  #hangUp(leg: CallLeg): void {
    this.#options.background.start('hang up the second leg', () => leg.hangUp());
  }

  /** @returns null when its host has no address that we may send to */
  async #findTrunk(trunk: TrunkAccess): Promise<TrunkTargets | null> {
    return this.#options.endpoint.findTrunk(trunkAddress(trunk)).catch(() => null);
  }

  /** Checks what may have changed while core was deciding. */
  #obstacle(signal: AbortSignal): 'given_up' | 'voice_capacity' | null {
    if (this.#isOver || signal.aborted) return 'given_up';
    return this.#options.calls.hasFreeSlot() ? null : 'voice_capacity';
  }

  /** @throws Error when the SIP endpoint is not started */
  #open({ bridgeId, sipCallId }: PermittedBridge, to: BridgeDial, targets: TrunkTargets | null): SecondLeg {
    const { endpoint, call, calls, record } = this.#options;
    try {
      if (!call.trunk || !targets) throw new Error('A call without a trunk cannot be bridged');
      const leg = endpoint.dial({
        from: call.assistantPhoneNumber,
        to: to.phoneNumber,
        sipCallId,
        // A bridge has two ends, and neither is an assistant that could go on with another person.
        trunk: { ...trunkAddress(call.trunk), acceptsRefer: false },
        targets,
        ringTimeoutMs: to.ringLimitMs,
      });
      const second: SecondLeg = { bridgeId, leg, question: null, state: 'ringing', verdict: null };
      this.#second = second;
      const state = (): string => (second.state === 'ringing' ? 'ringing' : 'talking');
      const place = { callId: bridgeId, state, hangUp: () => this.#hangUp(leg) };
      calls.add(place);
      leg.onEvent((event) => event.type === 'ended' && calls.remove(place));
      second.question = this.#openQuestion(second, to);
      return second;
    } catch (error) {
      record.notJoined(bridgeId, 'internal_error');
      throw error;
    }
  }

  /** The phone rings already: a question that cannot be opened ends the leg. @throws the error of `ask` */
  #openQuestion({ leg }: SecondLeg, { ask }: BridgeDial): PersonQuestion | null {
    try {
      return ask?.(leg) ?? null;
    } catch (error) {
      this.#hangUp(leg);
      throw error;
    }
  }

  /** Resolves when the leg is connected, is not accepted, or has ended. */
  #outcomeOf(second: SecondLeg, signal: AbortSignal): Promise<BridgeOutcome> {
    const { promise, resolve } = Promise.withResolvers<BridgeOutcome>();
    const giveUp = (): void => {
      if (second.state === 'asking') second.state = 'leaving';
      this.#hangUp(second.leg);
    };
    const settle = (outcome: BridgeOutcome): void => {
      // A connected leg outlives the conversation, which ends then.
      signal.removeEventListener('abort', giveUp);
      resolve(outcome);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    if (second.question)
      this.#options.background.start('ask the person who is called', async () => {
        const verdict = await second.question?.verdict;
        const outcome = verdict && this.#takeVerdict(second, verdict);
        if (outcome) settle(outcome);
      });
    second.leg.onEvent((event) => {
      const outcome = this.#take(event, second);
      if (outcome) settle(outcome);
    });
    return promise;
  }

  /** @returns null when the leg has ended before, which decided the outcome */
  #takeVerdict(second: SecondLeg, verdict: PersonVerdict): BridgeOutcome | null {
    if (second.state !== 'asking' || this.#isOver) return null;
    if (verdict === 'accepted') return this.#connect(second);
    second.state = 'leaving';
    second.verdict = verdict;
    this.#hangUp(second.leg);
    return { result: 'not-accepted', verdict };
  }

  #connect(second: SecondLeg): BridgeOutcome {
    const { clock, hangUp } = this.#options;
    second.state = 'connected';
    this.#isConnected = true;
    this.#limit = clock.after(LONGEST_BRIDGE_MS, () => hangUp(TOO_LONG));
    return { result: 'transferred', sipStatus: null };
  }

  /** @returns the outcome of the dial, if the event decides it */
  #take(event: LegEvent, second: SecondLeg): BridgeOutcome | null {
    const { record, leg } = this.#options;
    const { bridgeId, question } = second;
    switch (event.type) {
      case 'answered':
        if (event.dialog) record.dialog(bridgeId, event.dialog);
        if (!question) return this.#connect(second);
        second.state = 'asking';
        question.answered();
        return null;
      case 'dialog-changed':
      case 'replaced':
        record.dialog(bridgeId, event.dialog);
        return null;
      case 'dtmf':
        if (second.state === 'asking') question?.dtmf(event.digit);
        else if (this.isJoined) this.#passKey(leg, event.digit);
        return null;
      case 'held':
        question?.hold(event.isHeld);
        return null;
      case 'ended':
        return this.#onEnded(event.end, second);
      case 'referral':
        event.referral.refuse(DECLINE);
        return null;
      case 'ringing':
      case 'failed-over':
        return null;
    }
  }

  /** The row of a leg is kept until the leg has ended, so that another process can end it. */
  #onEnded(end: LegEnd, second: SecondLeg): BridgeOutcome {
    const { record, hangUp } = this.#options;
    const { bridgeId, question, state, verdict } = second;
    second.state = 'ended';
    if (this.#second === second) this.#second = null;
    question?.end();
    if (state === 'connected') {
      this.#limit?.cancel();
      hangUp(BRIDGED);
    } else record.notJoined(bridgeId, verdict ?? end.cause.replaceAll('-', '_'));
    // A leg may end while it is being hung up, before the verdict is reported.
    if (state === 'asking' || verdict) return { result: 'not-accepted', verdict: verdict ?? 'hung_up' };
    const sipStatus = end.cause === 'no-answer' ? REQUEST_TIMEOUT : (end.sipStatus ?? null);
    return { result: 'failed', sipStatus };
  }
}
