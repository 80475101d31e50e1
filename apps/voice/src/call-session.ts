/**
 * One live call, from a leg that was just opened to the last fact stored. The leg brings events and sound, the
 * conversation decides what is said, the recorder keeps both sides, the reporter carries facts to core. This file only
 * connects them, in the order in which a call happens.
 */
import type { AnsweredBy, ConversationEvent, ToolRunner } from '@parley/conversation';
import {
  authorizeTransfer,
  DomainError,
  finishCall,
  recordCallEvent,
  recordCallNote,
  type AssistantForVoice,
  type CallEventInput,
  type CallEventType,
  type CallForVoice,
  type VoiceFence,
} from '@parley/core';
import { BackgroundWork } from '@parley/runtime';
import type { CallLeg, LegEnd, LegEvent, MediaTick, StoredDialog } from '@parley/telephony';
import { AssistantsInTurn } from './assistants-in-turn.ts';
import { BridgeRecord } from './bridge/bridge-record.ts';
import { BRIDGED, CallBridge } from './bridge/call-bridge.ts';
import { decideCallEnd, type HangUpRequest } from './call-end.rules.ts';
import { CallReporter } from './call-reporter.ts';
import { describeConversation, storedToolCall } from './conversation-record.ts';
import type { CallEngines } from './engines.ts';
import { CallRecorder } from './recorder.ts';
import { createToolRunner } from './tools/call-tools.ts';
import type { McpToolbox } from './tools/mcp/mcp-toolbox.ts';
import { CallTransfer } from './tools/transfer-call.ts';
import type { VoiceContext } from './voice-context.ts';

/** What a session is made of. */
export interface CallSessionOptions {
  voice: VoiceContext;
  call: CallForVoice;
  /** Made before the leg, so that an assistant that cannot speak rings no phone. */
  engines: CallEngines;
  leg: CallLeg;
  /** Asked already what they have. */
  servers: McpToolbox;
  /** Each turn as it is completed, for the browser of a web call. */
  onTurn?: (turn: { sender: 'bot' | 'human'; text: string }) => void;
}

/** Holds one call. `finished` resolves when its end is stored. */
export class CallSession {
  readonly finished: Promise<void>;
  readonly #options: CallSessionOptions;
  readonly #background: BackgroundWork;
  readonly #reporter: CallReporter;
  /** Who we were when the call came to us: a process that was fenced writes no more, also under a new lease. */
  readonly #fence: VoiceFence;
  readonly #conversation: AssistantsInTurn;
  readonly #transfer: CallTransfer;
  readonly #bridge: CallBridge;
  readonly #resolveFinished: () => void;
  #recorder: CallRecorder | null = null;
  /** Who has answered, as far as the conversation can tell. */
  #answeredBy: AnsweredBy | null = null;
  #requested: HangUpRequest | null = null;
  #state: 'opening' | 'ringing' | 'talking' | 'ending' = 'opening';
  /** Wall time of the answer, milliseconds since 1970; null before it. */
  #answeredAtMs: number | null = null;

  constructor(options: CallSessionOptions) {
    const { voice, call } = options;
    this.#options = options;
    this.#fence = voice.lease.fence();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.finished = promise;
    this.#resolveFinished = resolve;
    const log = voice.core.log.child({ callId: call.callId });
    this.#background = new BackgroundWork(log);
    this.#reporter = new CallReporter({
      clock: voice.core.clock,
      log,
      isFinal: (error) => error instanceof DomainError && error.kind !== 'unavailable',
    });
    const report = (name: string, store: () => Promise<unknown>): void => this.#report(name, store);
    this.#bridge = new CallBridge({
      background: this.#background,
      clock: voice.core.clock,
      line: voice.line,
      calls: voice.calls,
      call,
      leg: options.leg,
      record: new BridgeRecord({ core: voice.core, callId: call.callId, fence: this.#fence, report }),
      hangUp: (request) => this.hangUp(request),
    });
    this.#transfer = new CallTransfer({
      authorize: (phoneNumber) =>
        authorizeTransfer(voice.core, { callId: call.callId, phoneNumber, fence: this.#fence }),
      leg: options.leg,
      bridge: this.#bridge,
    });
    this.#conversation = new AssistantsInTurn({
      voice,
      call,
      engines: options.engines,
      media: options.leg.media,
      servers: options.servers,
      log,
      background: this.#background,
      toolsOf: (party) => this.#toolRunner(party),
      onEvent: (event) => this.#onConversationEvent(event),
      onHandOver: (party) => this.#onHandOver(party),
      onFailure: (error) => this.#onHandOverFailed(error),
    });
  }

  /** For the private contract. */
  state(): string {
    return this.#state;
  }

  /** Begins to listen to the leg; the greeting is prepared while the phone rings. */
  start(): void {
    const { leg } = this.#options;
    leg.media.onTick((tick) => this.#onTick(tick));
    leg.onEvent((event) => this.#onLegEvent(event));
    this.#conversation.prepare();
    this.#startAmbience(this.#options.call);
  }

  /** Runs while the phone rings, so that the ambient sound is there with the first word. */
  #startAmbience({ assistant }: AssistantForVoice): void {
    const { voice, leg } = this.#options;
    const { ambientSound, ambientSoundVolume } = assistant;
    this.#background.start('prepare the ambient sound', async () => {
      const samples = await voice.engines.rooms.loop(ambientSound, leg.media.sampleRateHz);
      if (!this.#bridge.isJoined) leg.media.setAmbience(samples && { samples, gain: ambientSoundVolume });
    });
  }

  #onHandOver(party: AssistantForVoice): void {
    this.#reportNote('assistant_transfer', { assistant_id: party.assistant.id });
    this.#startAmbience(party);
  }

  #onHandOverFailed(error: unknown): void {
    this.#options.voice.core.log.error(
      { err: error, callId: this.#options.call.callId },
      'A call could not be handed over',
    );
    this.hangUp({ by: 'system', reason: 'internal_error' });
  }

  /** Ends the call from our side. The first request decides what the record says. */
  hangUp(request: HangUpRequest): void {
    this.#requested ??= request;
    this.#background.start('hang up', () => this.#options.leg.hangUp());
  }

  /** Both directions of one frame: to the recording first, so that it is complete whatever the conversation does. */
  #onTick(tick: MediaTick): void {
    this.#recorder?.onTick(tick);
    if (this.#bridge.isJoined) this.#bridge.tick(tick);
    else this.#conversation.tick(tick);
  }

  /** A browser has no keypad to press, and nobody behind it who could put the caller through. */
  #toolRunner(party: AssistantForVoice): ToolRunner {
    const { voice, call, leg, servers } = this.#options;
    const isTelephone = call.type !== 'web';
    return createToolRunner({
      tools: party.tools,
      servers: async (request, signal) => servers.run(party, request, signal),
      variables: () => ({ ...party.variables, ...this.#conversation.notes() }),
      sendKeys: isTelephone ? (keys) => leg.sendDtmf(keys) : null,
      transfer: isTelephone ? async (...wish) => this.#transfer.run(...wish) : null,
      http: voice.http,
      clock: voice.core.clock,
    });
  }

  #onLegEvent(event: LegEvent): void {
    switch (event.type) {
      case 'ringing':
        this.#state = 'ringing';
        return this.#reportEvent('ringing');
      case 'answered':
        return this.#onAnswered(event.dialog);
      case 'dialog-changed':
        return this.#reportNote('dialog_changed', {}, event.dialog);
      case 'held':
        return this.#reportNote(event.isHeld ? 'held' : 'resumed', {});
      case 'dtmf':
        return (this.#bridge.isJoined ? this.#bridge : this.#conversation).dtmf(event.digit);
      case 'ended':
        this.#state = 'ending';
        this.#background.start('store the end of a call', () => this.#onEnded(event.end));
    }
  }

  #onAnswered(dialog: StoredDialog | null): void {
    const { voice, call, leg } = this.#options;
    this.#state = 'talking';
    this.#answeredAtMs = voice.core.clock.now();
    this.#reportEvent('answered', { dialog });
    if (call.recordingKey !== null) {
      const key = call.recordingKey;
      this.#recorder = new CallRecorder({
        openWriter: () => voice.core.recordings.createWriter(key),
        sampleRateHz: leg.media.sampleRateHz,
        noiseFilter: call.assistant.isNoiseCancelled
          ? voice.engines.noise.open(leg.media.sampleRateHz)
          : null,
        log: voice.core.log,
        onFailure: () => this.#reportNote('recording_failed', {}),
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
        return this.#reportNote('answered_by', { verdict: event.verdict, at_ms: event.atMs });
      case 'turn':
        return this.#options.onTurn?.(event.turn);
      case 'note':
        return this.#reportNote(event.name, event.detail);
    }
  }

  /** The assistant is out of the call, which goes on between the caller and somebody else. */
  #leaveCaller(): void {
    this.#background.start('end the conversation after a transfer', () => this.#conversation.lineEnded());
    this.#bridge.join();
  }

  async #onEnded(end: LegEnd): Promise<void> {
    this.#bridge.end();
    const { voice, call, leg } = this.#options;
    const at = this.#now();
    const { turns, drafts, toolUses, notes } = await this.#conversation.lineEnded();
    this.#background.start('close MCP sessions', () => this.#options.servers.close());
    const used = this.#options.engines.usage.used();
    const decision = decideCallEnd({
      end,
      wasAnswered: this.#answeredAtMs !== null,
      requested: this.#requested ?? (this.#bridge.wasAnswered ? BRIDGED : null),
    });
    const detail = { reason: decision.reason, line: end.detail, sip_status: end.sipStatus ?? null };
    const { event } = decision;
    if (event === 'customer-hung-up' || event === 'assistant-hung-up' || event === 'ended') {
      const recorded = await this.#recorder?.finish();
      const recording =
        recorded && call.recordingKey !== null
          ? { key: call.recordingKey, durationMs: recorded.durationMs, sampleRate: leg.media.sampleRateHz }
          : null;
      this.#reportNote('line_ended', { ...detail, media: leg.media.stats(), drafts });
      this.#report('finish', () =>
        finishCall(voice.core, {
          callId: call.callId,
          event,
          at,
          ...describeConversation(turns, {
            answeredAtMs: this.#answeredAtMs ?? at.getTime(),
            verdict: this.#answeredBy,
          }),
          toolCalls: toolUses.map(storedToolCall),
          variables: notes,
          recording,
          endedReason: decision.reason,
          used,
          fence: this.#fence,
        }),
      );
    } else {
      this.#reportEvent(event, { detail, at, used });
    }
    await this.#reporter.settled();
    this.#resolveFinished();
  }

  #reportEvent(event: CallEventType, about: Partial<Omit<CallEventInput, 'event'>> = {}): void {
    const { voice, call } = this.#options;
    const fact = { at: this.#now(), detail: {}, ...about };
    this.#report(event, () =>
      recordCallEvent(voice.core, { ...fact, callId: call.callId, event, fence: this.#fence }),
    );
  }

  #reportNote(type: string, detail: Record<string, unknown>, dialog?: StoredDialog): void {
    const { voice, call } = this.#options;
    const at = this.#now();
    this.#report(type, () =>
      recordCallNote(voice.core, {
        callId: call.callId,
        type,
        at,
        detail,
        ...(dialog ? { dialog } : {}),
        fence: this.#fence,
      }),
    );
  }

  #report(name: string, store: () => Promise<unknown>): void {
    this.#reporter.report(name, async () => {
      await store();
    });
  }

  #now(): Date {
    return new Date(this.#options.voice.core.clock.now());
  }
}
