/**
 * One live call, from a leg that was just opened to the last stored fact. The leg delivers events and sound, the
 * conversation decides what the assistant says, the recorder stores both directions, and core receives the facts. This file connects
 * them, in the order in which a call happens.
 *
 * Every call ends: a failure hangs up, and each step of the end has a deadline, so that `finished` always resolves.
 */
import type { AnsweredBy, ConversationEvent, ToolRunner } from '@parley/conversation';
import {
  authorizeTransfer,
  searchKnowledge,
  type AssistantForVoice,
  type CallForVoice,
  type FinishCallInput,
  type VoiceFence,
} from '@parley/core';
import { BackgroundWork, type Log, type Timer } from '@parley/runtime';
import type { CallLeg, LegEnd, LegEvent, MediaTick, StoredDialog } from '@parley/telephony';
import { CallConversations } from './call-conversations.ts';
import { BridgeRecord } from './bridge/bridge-record.ts';
import { BRIDGED, CallBridge } from './bridge/call-bridge.ts';
import { decideCallEnd, type CallEndDecision, type HangUpRequest } from './call-end.rules.ts';
import { ANSWERED_LATE, CallFacts } from './call-facts.ts';
import { describeConversation, storedQuality, storedToolCall } from './conversation-record.ts';
import type { CallEngines } from './engines.ts';
import { CallRecorder } from './recorder.ts';
import { publicOnly } from '@parley/runtime/guarded-http';
import { reportSipTrace } from './sip-trace-report.ts';
import { CallSupervision } from './supervision/call-supervision.ts';
import { createToolRunner } from './tools/call-tools.ts';
import type { McpToolbox } from './tools/mcp/mcp-toolbox.ts';
import { CallTransfer } from './tools/transfer-call.ts';
import type { TransferTool } from './tools/transfer-description.rules.ts';
import type { VoiceContext } from './voice-context.ts';

/** What a session needs. */
export interface CallSessionOptions {
  voice: VoiceContext;
  call: CallForVoice;
  /** Opened before the leg, so that no phone rings for an assistant that cannot speak. */
  engines: CallEngines;
  leg: CallLeg;
  /** Their tools have been listed already. */
  servers: McpToolbox;
  /** Receives each turn when it is complete, for the browser of a web call. */
  onTurn?: (turn: { sender: 'bot' | 'human'; text: string }) => void;
}

/**
 * How long a leg may take to end after a hang-up, milliseconds. SIP gives up waiting for the response to a BYE after
 * 32 s (RFC 3261 section 17.1.2.2, timer F); a leg that has not ended by then is lost.
 */
export const LEG_END_LIMIT_MS = 40_000;
/** Why a call cannot be supervised. */
export const NOT_TALKING = 'The customer and the assistant are not talking.';
/** Where no line confirmed the end of a call. */
const UNCONFIRMED_END: LegEnd = {
  cause: 'line-lost',
  detail: 'The line did not confirm the end of the call',
};
const FAILURE: HangUpRequest = { by: 'system', reason: 'internal_error' };
const LOST: HangUpRequest = { by: 'system', reason: 'process_lost' };

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
  readonly #transfer: CallTransfer;
  readonly #bridge: CallBridge;
  /** For the internal contract. */
  readonly supervision: CallSupervision;
  readonly #resolveFinished: () => void;
  #recorder: CallRecorder | null = null;
  /** Who answered, as far as the conversation has found out. */
  #answeredBy: AnsweredBy | null = null;
  #requested: HangUpRequest | null = null;
  #state: 'opening' | 'ringing' | 'talking' | 'ending' = 'opening';
  /** Wall time of the answer, milliseconds since 1970; null before it. */
  #answeredAtMs: number | null = null;
  #hasFailed = false;
  readonly #ended = new AbortController();
  /** Set by the first hang-up, cancelled by the end of the leg. */
  #endLimit: Timer | null = null;

  constructor(options: CallSessionOptions) {
    const { voice, call } = options;
    this.#options = options;
    this.#fence = voice.lease.fence();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.finished = promise;
    this.#resolveFinished = resolve;
    const { core } = voice;
    const { callId } = call;
    this.#log = core.log.child({ callId });
    this.#background = new BackgroundWork(this.#log);
    this.#facts = new CallFacts({ core, callId, fence: this.#fence, onLost: () => this.hangUp(LOST) });
    this.#bridge = new CallBridge({
      background: this.#background,
      clock: core.clock,
      line: voice.line,
      calls: voice.calls,
      call,
      leg: options.leg,
      record: new BridgeRecord({
        core,
        callId,
        fence: this.#fence,
        report: (name, store) => this.#facts.add(name, store),
      }),
      hangUp: (request) => this.hangUp(request),
    });
    this.#transfer = new CallTransfer({
      authorize: (phoneNumber) => authorizeTransfer(core, { callId, phoneNumber, fence: this.#fence }),
      leg: options.leg,
      bridge: this.#bridge,
    });
    this.#conversation = new CallConversations({
      voice,
      call,
      engines: options.engines,
      media: options.leg.media,
      servers: options.servers,
      log: this.#log,
      background: this.#background,
      toolsOf: (speaker) => this.#toolRunner(speaker),
      onEvent: (event) => this.#onConversationEvent(event),
      onHandOver: (speaker) => this.#onHandOver(speaker),
      onFailure: (error) => this.fail(error),
    });
    this.supervision = new CallSupervision({
      clock: core.clock,
      media: options.leg.media,
      conversation: this.#conversation,
      state: () => this.#supervisedState(),
      destinations: this.#transferTools().flatMap(({ destinations }) => destinations.map(({ name }) => name)),
      note: (type, detail) => this.#facts.note(type, detail),
    });
  }

  /** For the internal contract. */
  state(): string {
    return this.#state;
  }

  #supervisedState(): 'closed' | 'talking' | 'bridged' {
    if (this.#state !== 'talking' || this.#requested || this.#hasFailed) return 'closed';
    return this.#bridge.wasAnswered ? 'bridged' : 'talking';
  }

  /** A browser call has no line over which it could be transferred. */
  #transferTools(): TransferTool[] {
    const { call } = this.#options;
    const tools = call.type === 'web' ? [] : [call, ...call.others].flatMap((speaker) => speaker.tools);
    return tools.filter((tool) => tool.type === 'call_transfer');
  }

  /**
   * An operator transfers the customer to a destination of the assistants, under the same checks as a transfer by the
   * assistant. Meanwhile the conversation continues. The timeline shows the outcome.
   *
   * @returns why it cannot begin, or null
   */
  transfer(destination: string): string | null {
    const tools = this.#transferTools();
    if (this.#supervisedState() !== 'talking') return NOT_TALKING;
    if (!tools.some(({ destinations }) => destinations.some(({ name }) => name === destination)))
      return 'This assistant has no such destination.';
    this.#facts.note('transfer_requested', { destination });
    this.#background.start('transfer a call by hand', async () => {
      const failure = await this.#transfer.byHand(tools, destination, this.#ended.signal);
      if (this.#state === 'ending') return;
      if (failure !== null) return this.#facts.note('transfer_failed', { message: failure });
      if (this.#bridge.wasAnswered) return this.#leaveCaller();
      this.hangUp(BRIDGED);
    });
    return null;
  }

  /** Begins to listen to the leg; the greeting is prepared while the phone rings. */
  start(): void {
    const { leg } = this.#options;
    leg.media.onTick((tick) => this.#failOnThrow(() => this.#onTick(tick)));
    leg.onEvent((event) => this.#failOnThrow(() => this.#onLegEvent(event)));
    this.#conversation.prepare();
    this.#startAmbience(this.#options.call);
  }

  /** Runs while the phone rings, so that the ambient sound is there with the first word. */
  #startAmbience({ assistant }: AssistantForVoice): void {
    const { voice, leg } = this.#options;
    const { ambientSound, ambientSoundVolume } = assistant;
    this.#background.start('prepare the ambient sound', async () => {
      const samples = await voice.engines.ambientSounds.loop(ambientSound, leg.media.sampleRateHz);
      if (!this.#bridge.isJoined) leg.media.setAmbience(samples && { samples, gain: ambientSoundVolume });
    });
  }

  #onHandOver(speaker: AssistantForVoice): void {
    this.#facts.note('assistant_transfer', { assistant_id: speaker.assistant.id });
    this.#startAmbience(speaker);
  }

  /** Ends the call from our side. The first request decides the reason on the record. */
  hangUp(request: HangUpRequest): void {
    this.#requested ??= request;
    if (this.#state === 'ending') return;
    const { leg, voice } = this.#options;
    this.#endLimit ??= voice.core.clock.after(LEG_END_LIMIT_MS, () => this.#onLegEnded(UNCONFIRMED_END));
    this.#background.start('hang up', () => leg.hangUp());
  }

  /** Something of ours failed: the call ends with that reason on its record. */
  fail(error: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#log.error({ err: error }, 'A live call failed and ends now');
    this.hangUp(FAILURE);
  }

  /** A leg survives a listener that throws; the call behind it does not. */
  #failOnThrow(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Both directions of one frame: to the recording first, so that it is complete even if the conversation fails. */
  #onTick(tick: MediaTick): void {
    if (this.#state === 'ending') return;
    this.#recorder?.onTick(tick);
    this.#showSupervisors(tick);
    if (this.#hasFailed) return;
    if (this.#bridge.isJoined) this.#bridge.tick(tick);
    else this.#conversation.tick(tick);
  }

  /** Whatever goes wrong there must not end the call. */
  #showSupervisors(tick: MediaTick): void {
    try {
      this.supervision.tick(tick);
    } catch (error) {
      this.#log.error({ err: error }, 'Supervisors were disconnected from a call');
      this.supervision.end();
    }
  }

  /** A browser call has no keypad and no line over which it could be transferred. */
  #toolRunner(speaker: AssistantForVoice): ToolRunner {
    const { voice, call, leg, servers } = this.#options;
    const isTelephone = call.type !== 'web';
    return createToolRunner({
      tools: speaker.tools,
      servers: async (request, signal) => servers.run(speaker, request, signal),
      variables: () => ({ ...speaker.variables, ...this.#conversation.notes() }),
      sendKeys: isTelephone ? async (keys) => leg.sendDtmf(keys) : null,
      transfer: isTelephone ? async (...wish) => this.#transfer.run(...wish) : null,
      http: call.isOperators ? voice.http : publicOnly(voice.http),
      searchKnowledge: async (question) => searchKnowledge(voice.core, { ...question, userId: call.userId }),
      clock: voice.core.clock,
    });
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
      case 'held':
        this.#conversation.hold(event.isHeld);
        return this.#facts.note(event.isHeld ? 'held' : 'resumed', {});
      case 'dtmf':
        return (this.#bridge.isJoined ? this.#bridge : this.#conversation).dtmf(event.digit);
      case 'ended':
        return this.#onLegEnded(event.end);
    }
  }

  #onAnswered(dialog: StoredDialog | null): void {
    const { voice, call, leg } = this.#options;
    this.#state = 'talking';
    this.#answeredAtMs = voice.core.clock.now();
    this.#facts.event('answered', { dialog });
    if (call.recordingKey !== null) {
      const key = call.recordingKey;
      this.#recorder = new CallRecorder({
        openWriter: () => voice.core.recordings.createWriter(key),
        sampleRateHz: leg.media.sampleRateHz,
        clock: voice.core.clock,
        log: this.#log,
        onFailure: () => this.#facts.note('recording_failed', {}),
      });
    }
    this.#conversation.start();
  }

  #onConversationEvent(event: ConversationEvent): void {
    switch (event.type) {
      case 'phase':
        return;
      case 'hang-up':
        if (event.by === 'transfer' && this.#bridge.wasAnswered) return this.#leaveCaller();
        return this.hangUp({ by: event.by, reason: event.reason });
      case 'answered-by':
        this.#answeredBy = event.verdict;
        return this.#facts.note('answered_by', { verdict: event.verdict, at_ms: event.atMs });
      case 'disclosed':
        return this.#facts.note('disclosed', {
          text: event.text,
          start_ms: event.startedAtMs,
          end_ms: event.endedAtMs,
          is_complete: event.isComplete,
        });
      case 'opted-out':
        return this.#facts.optOut(event);
      case 'announced':
        return this.supervision.announced();
      case 'turn':
        this.supervision.turn(event.turn);
        return this.#options.onTurn?.(event.turn);
      case 'note':
        return this.#facts.note(event.name, event.detail);
    }
  }

  /** The assistant leaves the call, which continues between the caller and the person it was transferred to. */
  #leaveCaller(): void {
    this.#background.start('end the conversation after a transfer', () => this.#conversation.lineEnded());
    this.#bridge.join();
  }

  /** Comes once: with the end of the leg, or when the leg has exceeded its limit. */
  #onLegEnded(end: LegEnd): void {
    if (this.#state === 'ending') return;
    this.#state = 'ending';
    this.#endLimit?.cancel();
    this.#ended.abort();
    this.supervision.end();
    const at = this.#now();
    const decision = decideCallEnd({
      end,
      wasAnswered: this.#answeredAtMs !== null,
      requested: this.#requested ?? (this.#bridge.wasAnswered ? BRIDGED : null),
    });
    if (end.cause === 'answered-late') this.#facts.note(ANSWERED_LATE, {});
    const detail = { reason: decision.reason, line: end.detail, sip_status: end.sipStatus ?? null };
    this.#background.start('store the end of a call', async () => {
      try {
        await this.#storeEnd(decision, detail, at);
      } catch (error) {
        this.#log.error({ err: error }, 'The end of a call is stored without its conversation');
        this.#facts.event(decision.event, { at, detail });
      }
      await this.#facts.settled();
      this.#resolveFinished();
      this.#reportTrace();
    });
  }

  async #storeEnd(
    { event, reason }: CallEndDecision,
    detail: Record<string, unknown>,
    at: Date,
  ): Promise<void> {
    const { leg, servers, engines } = this.#options;
    this.#bridge.end();
    this.#background.start('close MCP sessions', () => servers.close());
    const { turns, drafts, quality, toolUses, notes } = await this.#conversation.lineEnded();
    const used = engines.usage.used();
    if (event !== 'customer-hung-up' && event !== 'assistant-hung-up' && event !== 'ended')
      return this.#facts.event(event, { detail, at, used });
    const recording = await this.#finishRecording();
    this.#facts.note('line_ended', {
      ...detail,
      media: leg.media.stats(),
      drafts,
      quality: storedQuality(quality),
    });
    this.#facts.finish({
      event,
      at,
      ...describeConversation(turns, {
        answeredAtMs: this.#answeredAtMs ?? at.getTime(),
        verdict: this.#answeredBy,
      }),
      toolCalls: toolUses.map(storedToolCall),
      variables: notes,
      recording,
      endedReason: reason,
      used,
    });
  }

  /** A browser call has no SIP messages. */
  #reportTrace(): void {
    const { voice, call, leg } = this.#options;
    if (call.type === 'web') return;
    const media = this.#answeredAtMs === null ? null : leg.media.stats();
    reportSipTrace(voice, { call, leg, media });
  }

  async #finishRecording(): Promise<FinishCallInput['recording']> {
    const { call, leg } = this.#options;
    if (!this.#recorder || call.recordingKey === null) return null;
    const { durationMs } = await this.#recorder.finish();
    return { key: call.recordingKey, durationMs, sampleRate: leg.media.sampleRateHz };
  }

  #now(): Date {
    return new Date(this.#options.voice.core.clock.now());
  }
}
