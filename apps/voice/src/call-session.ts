/**
 * One live call, from a leg that was just opened to the last stored fact. The leg delivers events and sound, the
 * conversation decides what the assistant says, the recorder stores both directions, and core receives the facts. This file connects
 * them, in the order in which a call happens.
 *
 * Every call ends: a failure hangs up, and each step of the end has a deadline, so that `finished` always resolves.
 */
import type { AnsweredBy, ConversationEvent } from '@parley/conversation';
import type { AssistantForVoice, VoiceFence } from '@parley/core';
import { BackgroundWork, type Log, type Timer } from '@parley/runtime';
import type { LegEnd, LegEvent, MediaTick, StoredDialog } from '@parley/telephony';
import { CallAmbience } from './call-ambience.ts';
import { CallHold } from './call-hold.ts';
import {
  FAILURE,
  LEG_END_LIMIT_MS,
  LOST,
  NOT_TALKING,
  REFERRED_NOTE,
  UNCONFIRMED_END,
  type CallSessionOptions,
} from './call-session-options.ts';
import { noteOf, type TimelineNote } from './conversation-notes.rules.ts';
import { CallConversations } from './call-conversations.ts';
import { callProgress, resumedConversation, type ResumedCallState } from './resumed-call.ts';
import { BRIDGED, type CallBridge } from './bridge/call-bridge.ts';
import { openBridge, openBridgeRecord } from './bridge/open-bridge.ts';
import { CallReferrals } from './referral/call-referrals.ts';
import { decideCallEnd, type HangUpRequest } from './call-end.rules.ts';
import { ANSWERED_LATE, CallFacts } from './call-facts.ts';
import { recordCall, type CallRecording } from './call-recording.ts';
import { SessionTools } from './session-tools.ts';
import { guarded } from './guarded.ts';
import { reportSipTrace } from './sip-trace-report.ts';
import { storeCallEnd, type EndedCall } from './store-call-end.ts';
import { CallSupervision } from './supervision/call-supervision.ts';

const FRAME_MS = 20;

/** Holds one call. `finished` resolves when its end is stored, and never rejects. */
export class CallSession {
  readonly finished: Promise<void>;
  readonly #options: CallSessionOptions;
  readonly #log: Log;
  readonly #background: BackgroundWork;
  readonly #facts: CallFacts;
  /** The lease of this process when it took the call. */
  readonly #fence: VoiceFence;
  readonly #conversation: CallConversations;
  readonly #tools: SessionTools;
  readonly #bridge: CallBridge;
  readonly #referrals: CallReferrals;
  /** For the internal contract. */
  readonly supervision: CallSupervision;
  readonly #ambience: CallAmbience;
  readonly #hold: CallHold;
  readonly #resolveFinished: () => void;
  #recording: CallRecording | null = null;
  /** Who answered, as far as the conversation has found out. */
  #answeredBy: AnsweredBy | null = null;
  #requested: HangUpRequest | null = null;
  #state: 'opening' | 'ringing' | 'talking' | 'ending' = 'opening';
  /** Wall time of the answer, milliseconds since 1970; null before it. */
  #answeredAtMs: number | null = null;
  #hasFailed = false;
  /** Another process goes on with the call. */
  #isAbandoned = false;
  /** Whatever goes wrong there must not end the call. */
  readonly #showSupervisors = guarded(
    (tick: MediaTick) => this.supervision.tick(tick),
    (error) => {
      this.#log.error({ err: error }, 'Supervisors were disconnected from a call');
      this.supervision.end();
    },
  );
  /** Frames of the call before the leg of this process. */
  #earlierFrames = 0;
  readonly #ended = new AbortController();
  /** Set by the first hang-up, cancelled by the end of the leg. */
  #endLimit: Timer | null = null;

  constructor(options: CallSessionOptions) {
    const { voice, call, resumed } = options;
    this.#options = options;
    this.#fence = voice.lease.fence();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.finished = promise;
    this.#resolveFinished = resolve;
    this.#log = voice.core.log.child({ callId: call.callId });
    this.#background = new BackgroundWork(this.#log);
    this.#facts = this.#openFacts();
    this.#answeredAtMs = resumed?.answeredAtMs ?? null;
    options.engines.usage.addAll(resumed?.progress.used ?? []);
    this.#bridge = openBridge({
      ...options,
      fence: this.#fence,
      background: this.#background,
      report: (name, store) => this.#facts.add(name, store),
      hangUp: (request) => this.hangUp(request),
    });
    this.#referrals = this.#openReferrals();
    this.#tools = new SessionTools({
      ...options,
      fence: this.#fence,
      bridge: this.#bridge,
      background: this.#background,
      log: this.#log,
      notes: () => this.#conversation.notes(),
      hold: (sound) => this.#hold.wait(sound),
      onTransfer: () => this.#storeProgress(),
    });
    this.#ambience = new CallAmbience({
      sounds: voice.engines.ambientSounds,
      media: options.leg.media,
      background: this.#background,
      isOver: () => this.#bridge.isJoined,
    });
    this.#conversation = this.#openConversation();
    this.#hold = new CallHold(this.#ambience, this.#conversation);
    this.supervision = new CallSupervision({
      clock: voice.core.clock,
      media: options.leg.media,
      conversation: this.#conversation,
      state: () => this.#supervisedState(),
      destinations: this.#tools.destinations(),
      note: (type, detail) => this.#facts.note(type, detail),
    });
  }

  #openFacts(): CallFacts {
    const { voice, call, resumed } = this.#options;
    return new CallFacts({
      core: voice.core,
      callId: call.callId,
      fence: this.#fence,
      onLost: () => this.hangUp(LOST),
      onTaken: () => this.abandon(),
      isAnswered: resumed !== undefined,
    });
  }

  #openConversation(): CallConversations {
    const { voice, call, engines, servers, leg, resumed } = this.#options;
    return new CallConversations({
      voice,
      call,
      engines,
      servers,
      media: leg.media,
      log: this.#log,
      background: this.#background,
      resumed: resumed && resumedConversation(resumed, voice.core.clock.now()),
      toolsOf: (speaker) => this.#tools.runnerOf(speaker),
      onEvent: (event) => this.#onConversationEvent(event),
      onHandOver: (speaker) => this.#onHandOver(speaker),
      note: (type, detail) => this.#facts.note(type, detail),
      onFailure: (error) => this.fail(error),
    });
  }

  #openReferrals(): CallReferrals {
    const { voice, call } = this.#options;
    const report = this.#facts.add.bind(this.#facts);
    return new CallReferrals({
      ...voice,
      call,
      record: openBridgeRecord({ voice, call, fence: this.#fence, report }),
      background: this.#background,
      log: this.#log,
      isFree: () => this.#supervisedState() === 'talking' && !this.#bridge.isBusy,
      ended: this.#ended.signal,
      note: (type, detail) => this.#facts.note(type, detail),
    });
  }

  state(): string {
    return this.#state;
  }

  #supervisedState(): 'closed' | 'talking' | 'bridged' {
    if (this.#state !== 'talking' || this.#requested) return 'closed';
    return this.#bridge.isConnected || this.#conversation.isStreamed ? 'bridged' : 'talking';
  }

  /** An operator transfers the customer, while the conversation continues. @returns why it cannot begin, or null */
  transfer(destination: string): string | null {
    if (this.#supervisedState() !== 'talking') return NOT_TALKING;
    if (!this.#tools.destinations().includes(destination)) return 'This assistant has no such destination.';
    this.#facts.note('transfer_requested', { destination });
    this.#background.start('transfer a call by hand', async () => {
      const failure = await this.#tools.transferByHand(destination, this.#ended.signal);
      if (this.#state === 'ending') return;
      if (failure !== null) return this.#facts.note('transfer_failed', { message: failure });
      if (this.#bridge.isConnected) return this.#leaveCaller();
      this.hangUp(BRIDGED);
    });
    return null;
  }

  /** Begins to listen to the leg; the greeting is prepared while the phone rings. */
  start(): void {
    const { leg } = this.#options;
    // A leg survives a listener that throws; the call behind it does not.
    const onThrow = (error: unknown): void => this.fail(error);
    leg.media.onTick(guarded((tick) => this.#onTick(tick), onThrow));
    leg.onEvent(guarded((event) => this.#onLegEvent(event), onThrow));
    // Of a call that goes on, the sound comes first, and speech needs processor time.
    if (!this.#options.resumed) this.#conversation.prepare();
    // While the phone rings, so that the sound is there with the first word.
    if (!this.#conversation.isStreamed) this.#ambience.begin(this.#options.call);
  }

  #onHandOver(speaker: AssistantForVoice): void {
    this.#facts.note('assistant_transfer', { assistant_id: speaker.assistant.id });
    this.#ambience.begin(speaker);
  }

  /** Ends the call from our side. The first request decides the reason on the record. */
  hangUp(request: HangUpRequest): void {
    this.#requested ??= request;
    if (this.#state === 'ending') return;
    const { leg, voice } = this.#options;
    this.#endLimit ??= voice.core.clock.after(LEG_END_LIMIT_MS, () => this.#onLegEnded(UNCONFIRMED_END));
    this.#background.start('hang up', () => leg.hangUp());
  }

  /** Another process goes on with the call: this one falls silent. The answer of a resumed call is stored already. */
  abandon(): void {
    const { leg, resumed } = this.#options;
    const isTalking = this.#state === 'talking' && this.#facts.isAnswerStored;
    if (!(resumed || isTalking) || !leg.abandon) return this.hangUp(LOST);
    this.#isAbandoned = true;
    this.#log.warn('Another process goes on with the call');
    leg.abandon();
  }

  /** Something of ours failed: the call ends with that reason on its record. */
  fail(error: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#log.error({ err: error }, 'A live call failed and ends now');
    this.hangUp(FAILURE);
  }

  /** Both directions of one frame: to the recording first, so that it is complete even if the conversation fails. */
  #onTick(own: MediaTick): void {
    if (this.#state === 'ending') return;
    const tick = { ...own, index: own.index + this.#earlierFrames };
    this.#recording?.onTick(tick);
    this.#showSupervisors(tick);
    if (this.#hasFailed) return;
    if (this.#bridge.isJoined) this.#bridge.tick(tick);
    else this.#conversation.tick(tick);
  }

  #onHeld(isHeld: boolean): void {
    this.#hold.held(isHeld);
    this.#facts.note(isHeld ? 'held' : 'resumed', {});
  }

  #onKey(digit: string): void {
    if (this.#bridge.isJoined) this.#bridge.dtmf(digit);
    else if (!this.#hold.isWaiting) this.#conversation.dtmf(digit);
  }

  #onLegEvent(event: LegEvent): void {
    if (this.#state === 'ending') return;
    switch (event.type) {
      case 'ringing':
        this.#state = 'ringing';
        return this.#facts.event('ringing', { dialog: event.dialog });
      case 'answered':
        return this.#onAnswered(event.dialog);
      case 'dialog-changed':
        return this.#facts.note('dialog_changed', {}, event.dialog);
      case 'failed-over':
        return this.#facts.note('failed_over', {});
      case 'replaced':
        return this.#onReplaced(event);
      case 'referral':
        return this.#referrals.take(event.referral);
      case 'held':
        return this.#onHeld(event.isHeld);
      case 'dtmf':
        return this.#onKey(event.digit);
      case 'ended':
        return this.#onLegEnded(event.end);
    }
  }

  #onReplaced({ by, dialog }: Extract<LegEvent, { type: 'replaced' }>): void {
    this.#facts.note(by === 'refer' ? 'far_end_referred' : 'far_end_replaced', {}, dialog);
    if (by === 'refer') this.#conversation.whisper(REFERRED_NOTE);
  }

  #onAnswered(dialog: StoredDialog | null): void {
    const { voice, call, leg, resumed } = this.#options;
    const nowMs = voice.core.clock.now();
    this.#state = 'talking';
    if (resumed) this.#onResumed(resumed, dialog, nowMs);
    else {
      this.#answeredAtMs = nowMs;
      this.#facts.event('answered', { dialog });
    }
    const elapsedMs = resumed && nowMs - resumed.answeredAtMs;
    const onFailure = (): void => this.#facts.note('recording_failed', {});
    this.#recording = recordCall({ voice, call, leg, log: this.#log, onFailure, elapsedMs });
    this.#conversation.start();
    this.#storeProgress();
  }

  #onResumed(resumed: ResumedCallState, dialog: StoredDialog | null, nowMs: number): void {
    this.#earlierFrames = Math.round((nowMs - resumed.answeredAtMs) / FRAME_MS);
    const silent_ms = nowMs - resumed.interruptedAtMs;
    this.#facts.note('process_replaced', { silent_ms }, dialog ?? undefined);
  }

  /** Not for a browser, which another process cannot reach. */
  #storeProgress(): void {
    const { call, leg, engines, resumed } = this.#options;
    if (call.type === 'web' || !leg.abandon || this.#state !== 'talking') return;
    this.#facts.progress(() =>
      callProgress({
        resumed,
        conversation: this.#conversation,
        usage: engines.usage,
        answeredAtMs: this.#answeredAtMs ?? this.#now().getTime(),
        verdict: this.#answeredBy,
        canGoOnElsewhere: this.#canGoOnElsewhere(),
      }),
    );
  }

  /** One leg, and an assistant that talks with a person. */
  #canGoOnElsewhere(): boolean {
    const isBusy = this.#bridge.isBusy || this.#tools.isTransferring || this.#hold.isWaiting;
    const isPerson = this.#answeredBy === null || this.#answeredBy === 'human';
    return this.#options.call.answering === null && !isBusy && isPerson && this.#requested === null;
  }

  #onConversationEvent(event: ConversationEvent): void {
    switch (event.type) {
      case 'phase':
        return;
      case 'hang-up':
        if (event.by === 'transfer' && this.#bridge.isConnected) return this.#leaveCaller();
        return this.hangUp({ by: event.by, reason: event.reason });
      case 'answered-by':
        this.#answeredBy = event.verdict;
        this.#storeProgress();
        return this.#note(noteOf(event));
      case 'disclosed':
      case 'note':
        return this.#note(noteOf(event));
      case 'opted-out':
        return this.#facts.optOut(event);
      case 'announced':
        return this.supervision.announced();
      case 'turn':
        this.#storeProgress();
        this.supervision.turn(event.turn);
        return this.#options.onTurn?.(event.turn);
    }
  }

  #note({ type, detail }: TimelineNote): void {
    this.#facts.note(type, detail);
  }

  /** The assistant leaves the call, which continues between the caller and the person it was transferred to. */
  #leaveCaller(): void {
    this.#facts.note('call_bridge_joined', {});
    this.#background.start('end the conversation after a transfer', () => this.#conversation.lineEnded());
    this.#bridge.join();
  }

  /** Comes once: with the end of the leg, or when the leg has exceeded its limit. */
  #onLegEnded(end: LegEnd): void {
    if (this.#state === 'ending') return;
    const wasResuming = this.#options.resumed !== undefined && this.#state !== 'talking';
    this.#state = 'ending';
    this.#endLimit?.cancel();
    this.#ended.abort();
    this.supervision.end();
    const at = this.#now();
    const decision = decideCallEnd({
      end,
      wasAnswered: this.#answeredAtMs !== null,
      requested: this.#requested ?? (this.#bridge.isConnected ? BRIDGED : null),
      isLost: wasResuming,
    });
    if (end.cause === 'answered-late') this.#facts.note(ANSWERED_LATE, {});
    const detail = { reason: decision.reason, line: end.detail, sip_status: end.sipStatus ?? null };
    this.#background.start('store the end of a call', async () => {
      await storeCallEnd(this.#endedCall(), { ...decision, at, detail });
      await this.#facts.settled();
      this.#resolveFinished();
      this.#reportTrace();
    });
  }

  #endedCall(): EndedCall {
    const { leg, servers, engines, resumed } = this.#options;
    this.#background.start('close MCP sessions', () => servers.close());
    return {
      leg,
      resumed,
      log: this.#log,
      bridge: this.#bridge,
      usage: engines.usage,
      facts: this.#facts,
      conversation: this.#conversation,
      recording: this.#recording,
      answeredAtMs: this.#answeredAtMs,
      verdict: this.#answeredBy,
    };
  }

  /** A browser call has no SIP messages. */
  #reportTrace(): void {
    const { voice, call, leg } = this.#options;
    if (call.type === 'web' || this.#isAbandoned) return;
    const media = this.#answeredAtMs === null ? null : leg.media.stats();
    reportSipTrace(voice, { call, leg, media });
  }

  #now(): Date {
    return new Date(this.#options.voice.core.clock.now());
  }
}
