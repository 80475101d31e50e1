/**
 * Puts a caller through over us, where whoever carries the call does not: dials a second leg on the same trunk, and once
 * it is answered plays what each of the two hears to the other. Whoever of them hangs up ends both. Core is asked before
 * the INVITE, and knows the leg from then on: should this process die, others end it.
 */
import type { BridgeRefusal, CallForVoice, PermittedBridge } from '@parley/core';
import type { BackgroundWork, Clock, Timer } from '@parley/runtime';
import type { CallLeg, LegEnd, LegEvent, MediaTick, SipLine } from '@parley/telephony';
import type { HangUpRequest } from '../call-end.rules.ts';
import type { LiveCalls } from '../live-calls.ts';
import { trunkAddress } from '../trunk-address.ts';
import type { BridgeRecord } from './bridge-record.ts';
import { SoundPipe } from './sound-pipe.ts';

/** What it needs of the call and of the process. */
export interface CallBridgeOptions {
  background: BackgroundWork;
  clock: Clock;
  line: Pick<SipLine, 'dial'>;
  /** The second leg takes room there, and ends with all others. */
  calls: Pick<LiveCalls, 'hasRoom' | 'add' | 'remove'>;
  call: Pick<CallForVoice, 'assistantPhoneNumber' | 'trunk'>;
  /** The caller's. */
  leg: Pick<CallLeg, 'media' | 'sendDtmf'>;
  record: Pick<BridgeRecord, 'authorize' | 'dialog' | 'unanswered'>;
  /** Ends the whole call. */
  hangUp: (request: HangUpRequest) => void;
}

/** Whom to ring, for how long. */
export interface BridgeDial {
  /** E.164. */
  phoneNumber: string;
  ringLimitMs: number;
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
}

/** Why nobody was rung. */
export type BridgeObstacle = BridgeRefusal | 'voice_capacity' | 'given_up';

/** What came of it. `sipStatus`: what the far end said, null where it said nothing. */
export type BridgeOutcome =
  | { result: 'transferred' | 'failed'; sipStatus: number | null }
  | { result: 'not-tried'; reason: BridgeObstacle };

/** The caller is with somebody else: the call is over for us when they are done. */
export const BRIDGED: HangUpRequest = { by: 'transfer', reason: 'call_transfer' };

/** No assistant watches over a bridge any more: two machines must not talk for ever. From the answer, milliseconds. */
export const LONGEST_BRIDGE_MS = 4 * 3_600_000;
const TOO_LONG: HangUpRequest = { by: 'limit', reason: 'duration_limit' };
/** What SIP says where a phone rang until we gave up (RFC 3261 section 21.4.9). */
const REQUEST_TIMEOUT = 408;

/** Of one call; one second leg at a time. */
export class CallBridge {
  readonly #options: CallBridgeOptions;
  #leg: CallLeg | null = null;
  #limit: Timer | null = null;
  #pipes: { toCaller: SoundPipe; toOther: SoundPipe } | null = null;
  #wasAnswered = false;
  #isOver = false;

  constructor(options: CallBridgeOptions) {
    this.#options = options;
  }

  /** Somebody has taken the caller; stays true. */
  get wasAnswered(): boolean {
    return this.#wasAnswered;
  }

  /** The two hear each other. */
  get isJoined(): boolean {
    return this.#pipes !== null;
  }

  /** Rings that number until it is answered or not. @throws whatever keeps core from answering */
  async dial({ phoneNumber, ringLimitMs, signal }: BridgeDial): Promise<BridgeOutcome> {
    const { record } = this.#options;
    const verdict = await record.authorize(phoneNumber, signal);
    if (!verdict.isAllowed) return { result: 'not-tried', reason: verdict.reason };
    const { bridgeId } = verdict;
    const obstacle = this.#obstacle(signal);
    if (obstacle !== null) {
      record.unanswered(bridgeId, obstacle);
      return { result: 'not-tried', reason: obstacle };
    }
    const second = this.#open(verdict, { phoneNumber, ringLimitMs });
    return this.#outcomeOf(second, bridgeId, signal);
  }

  /** From now on the two hear each other; nobody else may play on the caller's leg. */
  join(): void {
    const second = this.#leg;
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
    this.#leg?.sendDtmf(digit);
  }

  /** The caller is gone: nobody rings, or talks, any longer. */
  end(): void {
    this.#isOver = true;
    this.#limit?.cancel();
    if (this.#leg) this.#hangUp(this.#leg);
  }

  #hangUp(leg: CallLeg): void {
    this.#options.background.start('hang up the second leg', () => leg.hangUp());
  }

  /** What may have changed while core was asked. */
  #obstacle(signal: AbortSignal): 'given_up' | 'voice_capacity' | null {
    if (this.#isOver || signal.aborted) return 'given_up';
    return this.#options.calls.hasRoom() ? null : 'voice_capacity';
  }

  /** @throws Error when the line takes no call */
  #open(permit: PermittedBridge, to: Omit<BridgeDial, 'signal'>): CallLeg {
    const { line, call, calls, record } = this.#options;
    const { bridgeId, sipCallId } = permit;
    try {
      if (!call.trunk) throw new Error('A call without a trunk was to be put through');
      const second = line.dial({
        from: call.assistantPhoneNumber,
        to: to.phoneNumber,
        sipCallId,
        trunk: trunkAddress(call.trunk),
        ringTimeoutMs: to.ringLimitMs,
      });
      const state = (): string => (this.#wasAnswered ? 'talking' : 'ringing');
      const place = { callId: bridgeId, state, hangUp: () => this.#hangUp(second) };
      calls.add(place);
      second.onEvent((event) => event.type === 'ended' && calls.remove(place));
      return (this.#leg = second);
    } catch (error) {
      record.unanswered(bridgeId, 'internal_error');
      throw error;
    }
  }

  /** Resolves when it is answered, or is not. */
  #outcomeOf(second: CallLeg, bridgeId: number, signal: AbortSignal): Promise<BridgeOutcome> {
    const { promise, resolve } = Promise.withResolvers<BridgeOutcome>();
    const giveUp = (): void => this.#hangUp(second);
    signal.addEventListener('abort', giveUp, { once: true });
    second.onEvent((event) => {
      const outcome = this.#take(event, bridgeId);
      if (!outcome) return;
      // What was answered is not given up with the conversation, which ends then.
      signal.removeEventListener('abort', giveUp);
      resolve(outcome);
    });
    return promise;
  }

  /** @returns what came of the dial, where the event says it */
  #take(event: LegEvent, bridgeId: number): BridgeOutcome | null {
    const { record, leg, clock, hangUp } = this.#options;
    switch (event.type) {
      case 'answered':
        this.#wasAnswered = true;
        if (event.dialog) record.dialog(bridgeId, event.dialog);
        this.#limit = clock.after(LONGEST_BRIDGE_MS, () => hangUp(TOO_LONG));
        return { result: 'transferred', sipStatus: null };
      case 'dialog-changed':
        record.dialog(bridgeId, event.dialog);
        return null;
      case 'dtmf':
        if (this.isJoined) leg.sendDtmf(event.digit);
        return null;
      case 'ended':
        return this.#onEnded(event.end, bridgeId);
      case 'ringing':
      case 'held':
        return null;
    }
  }

  #onEnded(end: LegEnd, bridgeId: number): BridgeOutcome {
    const { record, hangUp } = this.#options;
    this.#leg = null;
    this.#limit?.cancel();
    if (this.#wasAnswered) hangUp(BRIDGED);
    else record.unanswered(bridgeId, end.cause.replaceAll('-', '_'));
    const sipStatus = end.cause === 'no-answer' ? REQUEST_TIMEOUT : (end.sipStatus ?? null);
    return { result: 'failed', sipStatus };
  }
}
