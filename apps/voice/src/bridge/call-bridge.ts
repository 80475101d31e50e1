/**
 * Bridges a caller to another number where the far end refuses to transfer the call: dials a second leg on the same trunk
 * and, once it is answered, plays the sound of each leg on the other. A hang-up on either leg ends both. Core authorises
 * the INVITE and records the leg, so that another process can end it if this one is lost.
 */
import type { BridgeRefusal, CallForVoice, PermittedBridge, TrunkAccess } from '@parley/core';
import type { BackgroundWork, Clock, Timer } from '@parley/runtime';
import type { CallLeg, LegEnd, LegEvent, MediaTick, SipLine, TrunkTargets } from '@parley/telephony';
import type { HangUpRequest } from '../call-end.rules.ts';
import type { LiveCalls } from '../live-calls.ts';
import { trunkAddress } from '../trunk-address.ts';
import type { BridgeRecord } from './bridge-record.ts';
import { SoundPipe } from './sound-pipe.ts';

/** Options of the bridge of one call. */
export interface CallBridgeOptions {
  background: BackgroundWork;
  clock: Clock;
  line: Pick<SipLine, 'dial' | 'findTrunk'>;
  /** The second leg occupies a slot there, and ends with all other calls. */
  calls: Pick<LiveCalls, 'hasFreeSlot' | 'add' | 'remove'>;
  call: Pick<CallForVoice, 'assistantPhoneNumber' | 'trunk'>;
  /** The caller's leg. */
  leg: Pick<CallLeg, 'media' | 'sendDtmf'>;
  record: Pick<BridgeRecord, 'authorize' | 'dialog' | 'unanswered'>;
  /** Ends the whole call. */
  hangUp: (request: HangUpRequest) => void;
}

/** The number to dial, and how long to let it ring. */
export interface BridgeDial {
  /** E.164. */
  phoneNumber: string;
  ringLimitMs: number;
  /** Aborted when the answer is no longer needed. */
  signal: AbortSignal;
}

/** Why the second leg was not dialed. */
export type BridgeObstacle = BridgeRefusal | 'voice_capacity' | 'given_up' | 'unreachable';

/** The outcome of the dial. `sipStatus`: the final response, or null without one. */
export type BridgeOutcome =
  | { result: 'transferred' | 'failed'; sipStatus: number | null }
  | { result: 'not-tried'; reason: BridgeObstacle };

/** The end of a call that was bridged. */
export const BRIDGED: HangUpRequest = { by: 'transfer', reason: 'call_transfer' };

/** Limit of a bridge from its answer, milliseconds: no assistant is left to end it, and both ends may be machines. */
export const LONGEST_BRIDGE_MS = 4 * 3_600_000;
const TOO_LONG: HangUpRequest = { by: 'limit', reason: 'duration_limit' };
/** "The server could not produce a response within a suitable amount of time" (RFC 3261 section 21.4.9). */
const REQUEST_TIMEOUT = 408;

/** The bridge of one call; one second leg at a time. */
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

  /** True from the answer of the second leg on. */
  get wasAnswered(): boolean {
    return this.#wasAnswered;
  }

  /** True while sound passes between the legs. */
  get isJoined(): boolean {
    return this.#pipes !== null;
  }

  /** Dials the number and waits for the outcome. @throws the error of core */
  async dial({ phoneNumber, ringLimitMs, signal }: BridgeDial): Promise<BridgeOutcome> {
    const { record, call } = this.#options;
    // Before the permission, because a lookup may take seconds, and the permission is valid for two.
    const targets = call.trunk && (await this.#findTrunk(call.trunk));
    if (call.trunk && !targets) return { result: 'not-tried', reason: 'unreachable' };
    const verdict = await record.authorize(phoneNumber, signal);
    if (!verdict.isAllowed) return { result: 'not-tried', reason: verdict.reason };
    const { bridgeId } = verdict;
    const obstacle = this.#obstacle(signal);
    if (obstacle !== null) {
      record.unanswered(bridgeId, obstacle);
      return { result: 'not-tried', reason: obstacle };
    }
    const second = this.#open(verdict, { phoneNumber, ringLimitMs, targets });
    return this.#outcomeOf(second, bridgeId, signal);
  }

  /** Connects the sound of both legs; nothing else may play on the caller's leg from then on. */
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
    if (this.#leg) this.#passKey(this.#leg, digit);
  }

  #passKey(leg: Pick<CallLeg, 'sendDtmf'>, digit: string): void {
    this.#options.background.start('pass a key to the other leg', () => leg.sendDtmf(digit));
  }

  /** The caller's leg has ended: ends the second leg. */
  end(): void {
    this.#isOver = true;
    this.#limit?.cancel();
    if (this.#leg) this.#hangUp(this.#leg);
  }

  #hangUp(leg: CallLeg): void {
    this.#options.background.start('hang up the second leg', () => leg.hangUp());
  }

  /** @returns null when its host has no address that we may send to */
  async #findTrunk(trunk: TrunkAccess): Promise<TrunkTargets | null> {
    return this.#options.line.findTrunk(trunkAddress(trunk)).catch(() => null);
  }

  /** Checks what may have changed while core was deciding. */
  #obstacle(signal: AbortSignal): 'given_up' | 'voice_capacity' | null {
    if (this.#isOver || signal.aborted) return 'given_up';
    return this.#options.calls.hasFreeSlot() ? null : 'voice_capacity';
  }

  /** @throws Error when the SIP line is not started */
  #open(permit: PermittedBridge, to: Omit<BridgeDial, 'signal'> & { targets: TrunkTargets | null }): CallLeg {
    const { line, call, calls, record } = this.#options;
    const { bridgeId, sipCallId } = permit;
    try {
      if (!call.trunk || !to.targets) throw new Error('A call without a trunk cannot be bridged');
      const second = line.dial({
        from: call.assistantPhoneNumber,
        to: to.phoneNumber,
        sipCallId,
        trunk: trunkAddress(call.trunk),
        targets: to.targets,
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

  /** Resolves when the leg is answered or has ended. */
  #outcomeOf(second: CallLeg, bridgeId: number, signal: AbortSignal): Promise<BridgeOutcome> {
    const { promise, resolve } = Promise.withResolvers<BridgeOutcome>();
    const giveUp = (): void => this.#hangUp(second);
    signal.addEventListener('abort', giveUp, { once: true });
    second.onEvent((event) => {
      const outcome = this.#take(event, bridgeId);
      if (!outcome) return;
      // An answered leg outlives the conversation, which ends then.
      signal.removeEventListener('abort', giveUp);
      resolve(outcome);
    });
    return promise;
  }

  /** @returns the outcome of the dial, if the event decides it */
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
        if (this.isJoined) this.#passKey(leg, event.digit);
        return null;
      case 'ended':
        return this.#onEnded(event.end, bridgeId);
      case 'ringing':
      case 'failed-over':
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
