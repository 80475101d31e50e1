/**
 * One live conversation: passes events of the line and of the speech providers to the turn-taking rules, and executes the
 * effects that they return. It contains no rules and sets no timers. Time is the count of audio frames, so the same
 * frames and the same provider answers always produce the same conversation.
 */
import type { EndReason } from '@parley/contracts';
import type { LanguageModel, RealtimeModel } from '@parley/speech';
import { BackgroundWork, withDeadline } from '@parley/runtime';
import {
  AssistantVoice,
  isFixedText,
  type ReplyContext,
  type ReplyRequest,
} from './speaking/assistant-voice.ts';
import { ProviderChain } from './provider-chain.ts';
import type { AnsweringVerdict } from './answering/answering.rules.ts';
import type { MachineDetector } from './answering/machine-detector.ts';
import { machineDetector } from './conversation-machines.ts';
import { FRAME_MS, type AudioTick } from './audio-line.ts';
import { CallQualityMeter } from './record/call-quality.ts';
import { DisclosureProof } from './record/disclosure-proof.ts';
import { CallRecord, type SpokenTurn, type Turn } from './record/call-record.ts';
import { CallerListener } from './recognition/caller-listener.ts';
import type { CallerUtterance } from './recognition/caller-input.rules.ts';
import { ownerTexts, type OwnerTexts } from './owner-texts.ts';
import { RealtimeEngine } from './realtime/realtime-engine.ts';
import type { Conversation, ConversationEnd, ConversationOptions } from './conversation-port.ts';
import { recogniserChain, recogniserTraits } from './conversation-recognisers.ts';
import { ConversationSupervision } from './conversation-supervision.ts';
import { conversationVoices } from './conversation-voices.ts';
import { KeyCollector } from './tools/key-collector.ts';
import { NO_TOOLS } from './tools/tool-runner.ts';
import { isOwnSpeech } from './turn/own-speech.rules.ts';
import { turnPolicy } from './turn/turn-policy.rules.ts';
import { decideTurn } from './turn/turn.rules.ts';
import {
  ringingState,
  type AssistantTurn,
  type Effect,
  type HangUp,
  type Stage,
  type TurnEvent,
  type TurnState,
} from './turn/turn-state.ts';

/** How long the words of a caller who has hung up are awaited. */
const LAST_WORDS_MS = 3000;

/** Creates a conversation that waits for the call to be answered. */
export function createConversation(options: ConversationOptions): Conversation {
  return new LiveConversation(options);
}

class LiveConversation implements Conversation {
  readonly finished: Promise<ConversationEnd>;
  readonly #options: ConversationOptions;
  readonly #texts: OwnerTexts;
  readonly #record: CallRecord;
  readonly #models: ProviderChain<LanguageModel>;
  readonly #realtime: RealtimeEngine | null;
  readonly #voice: AssistantVoice;
  readonly #keys = new KeyCollector(() => this.#nowMs());
  readonly #disclosure: DisclosureProof;
  readonly #quality = new CallQualityMeter();
  readonly #finish: (end: ConversationEnd) => void;
  readonly #background: BackgroundWork;
  #hasFailed = false;
  #listener: CallerListener | null = null;
  readonly #machineDetector: MachineDetector | null;
  #answeredBy: AnsweringVerdict | null = null;
  readonly supervision = new ConversationSupervision({
    dispatch: (event) => this.#dispatch(event),
    phase: () => this.#state.phase.name,
    isScripted: () => !this.#realtime && this.#models.current.standing !== undefined,
  });
  #state: TurnState;
  readonly #events: TurnEvent[] = [];
  #isDeciding = false;
  /** The end of the newest frame in call time, and when it arrived by the clock. */
  #frameEndMs = 0;
  #frameCameAtMs = 0;
  #hangUp: HangUp | null = null;
  #hasStarted = false;
  /** Replaces what is received on hold: the music on hold of the far end is not the caller. */
  readonly #silence: Int16Array;
  #isLineOver = false;
  readonly #released = Promise.withResolvers<void>();

  constructor(options: ConversationOptions) {
    const { settings, line, log } = options;
    this.#options = options;
    this.#background = new BackgroundWork(log);
    this.#texts = ownerTexts(settings, options.model.standing !== undefined);
    if (this.#texts.unknownNames.length > 0)
      log.warn({ unknownNames: this.#texts.unknownNames }, 'Texts of the assistant name unknown variables');
    const interpolated = {
      ...settings,
      initialMessage: this.#texts.greeting,
      disclosureMessage: this.#texts.disclosure,
    };
    const policy = turnPolicy(interpolated, recogniserTraits(options));
    this.#state = ringingState(policy, options.continues?.lastTurn);
    this.#disclosure = new DisclosureProof(this.#texts.disclosure);
    this.#models = new ProviderChain(options.model, ...(options.fallbacks?.models ?? []));
    this.#machineDetector = machineDetector(options, {
      onVerdict: (verdict) => this.#noteVerdict(verdict),
      onBeep: () => this.#dispatch({ type: 'machine.beeped' }),
    });
    this.#record = new CallRecord(line.sampleRateHz, options.continues?.dialogue);
    this.#frameEndMs = options.continues?.atMs ?? 0;
    this.#realtime = options.realtime ? this.#createRealtime(options.realtime) : null;
    this.#voice = this.#createVoice();
    this.#silence = new Int16Array(line.frameSamples);
    const { promise, resolve } = Promise.withResolvers<ConversationEnd>();
    this.finished = promise;
    this.#finish = resolve;
  }

  async prepare(): Promise<void> {
    await this.#voice.prepare().catch((error: unknown) => this.#fail(error));
  }

  start(): void {
    if (this.#hasStarted || this.#isLineOver) return;
    this.#hasStarted = true;
    this.#guard(() => this.#listen());
    this.#dispatch({ type: 'line.answered' });
  }

  #listen(): void {
    const { line, vad, settings, log } = this.#options;
    this.#listener = new CallerListener({
      sampleRateHz: line.sampleRateHz,
      vad,
      recognisers: recogniserChain(this.#options, this.#realtime),
      language: settings.language,
      keepsNoiseOut: settings.keepsNoiseOut,
      onEvent: (event) => this.#dispatch(event),
      onError: (error) => log.warn({ err: error }, 'The recogniser failed'),
    });
    this.#frameCameAtMs = this.#options.clock.monotonic();
    line.onTick((tick) => this.#guard(() => this.#ticked(tick)));
  }

  dtmf(digit: string): void {
    this.#guard(() => this.#machineDetector?.hearKey());
    if (!this.#keys.take(digit)) this.#dispatch({ type: 'key.pressed', digit });
  }

  hold(isHeld: boolean): void {
    this.#dispatch({ type: 'line.held', isHeld });
  }

  hangUpRequested(reason: EndReason): void {
    this.#dispatch({ type: 'hang-up.requested', reason });
  }

  lineEnded(): void {
    if (this.#isLineOver) return;
    this.#dispatch({ type: 'line.ended' });
    this.#end();
  }

  /** Resolves `finished` as soon as no task runs any more. */
  #end(): void {
    if (this.#isLineOver) return;
    this.#isLineOver = true;
    this.#background.start('finish the conversation', async () => {
      await withDeadline(this.#options.clock, LAST_WORDS_MS, this.#released.promise).catch(() =>
        this.#dispatch({ type: 'line.ended' }),
      );
      const end = { hangUp: this.#hangUp, durationMs: this.#frameEndMs, turns: this.transcript() };
      const { drafts, quality } = this.#quality.figures();
      await this.#voice.close();
      const toolUses = this.#record.toolUses();
      this.#finish({ ...end, drafts, quality, toolUses, continuation: this.continuation() });
    });
  }

  /** Runs one step of the conversation. An error in it ends the conversation and does not reach the caller. */
  #guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * Ends the conversation because of a defect: releases everything, requests the hang-up, and resolves `finished`
   * without waiting for `lineEnded`. Errors on the way are logged and stop none of these steps.
   */
  #fail(error: unknown): void {
    this.#options.log.error({ err: error }, 'The conversation failed');
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#events.length = 0;
    const failure: TurnEvent = { type: 'hang-up.requested', by: 'system', reason: 'internal_error' };
    const { state, effects } = decideTurn(this.#state, failure, this.#nowMs());
    this.#state = state;
    for (const effect of effects) this.#guard(() => this.#perform(effect));
    this.#release();
    this.#end();
  }

  transcript(): Turn[] {
    return this.#record.turns();
  }

  notes(): Readonly<Record<string, string>> {
    let notes = {};
    this.#guard(() => (notes = { ...this.#standing()?.notes }));
    return { ...notes, ...this.#keys.variables };
  }

  continuation(): ReturnType<Conversation['continuation']> {
    const { lastTurn } = this.#state;
    return {
      atMs: this.#frameEndMs,
      lastTurn,
      dialogue: this.#record.spokenDialogue(),
      toolUses: this.#record.toolUses(),
    };
  }

  #createRealtime(model: RealtimeModel): RealtimeEngine {
    const { line, settings, log } = this.#options;
    const { systemPrompt, tools } = this.#texts;
    const { language, speed } = settings;
    return new RealtimeEngine({
      model,
      session: { sampleRateHz: line.sampleRateHz, systemPrompt, tools, language, speed },
      history: () => this.#record.dialogue([]),
      log,
    });
  }

  #createVoice(): AssistantVoice {
    const { line, clock, settings, tools = NO_TOOLS, log } = this.#options;
    return new AssistantVoice({
      line,
      models: this.#models,
      speakingModel: this.#realtime,
      ...conversationVoices(this.#options, this.#realtime),
      texts: this.#texts,
      record: this.#record,
      tools: { tools: settings.tools, definitions: this.#texts.tools, runner: tools, keys: this.#keys },
      clock,
      requestFor: (context) => this.#requestFor(context),
      nowMs: () => this.#nowMs(),
      onEvent: (event) => this.#dispatch(event),
      onFailure: (error) => this.#fail(error),
      onHeard: (spoken) => this.#heard(spoken),
      onVoiceReplaced: () => this.#noteFailure('voice'),
      onUnderrun: () => this.#quality.noteUnderrun(),
      onModelRetried: () => this.#reportFailure('model'),
      log,
    });
  }

  /** Processes one frame: first what was sent, then what follows from it, and the received audio last. */
  #ticked(tick: AudioTick): void {
    if (this.#isLineOver) return;
    this.#frameEndMs = (tick.index + 1) * FRAME_MS;
    this.#frameCameAtMs = this.#options.clock.monotonic();
    const { turn, isFiller } = this.#voice.countSent(tick);
    this.#dispatch({ type: 'line.ticked', sentTurn: turn, isFiller, awaits: this.#voice.awaits });
    this.#voice.reportPlayed();
    const isHeld = this.#state.heldSinceMs !== null;
    this.#keys.tick(tick.sentTurn !== 0 || isHeld);
    if (isHeld) return this.#listener?.hear({ ...tick, received: this.#silence });
    this.#quality.hearFrame({ turn, isFiller, isCallerSpeaking: this.#state.caller.isSpeaking });
    this.#machineDetector?.hearFrame(tick.received, turn !== 0);
    this.#listener?.hear(tick);
  }

  /** Call time in whole milliseconds: the end of the newest frame plus the time since then, at most one frame. */
  #nowMs(): number {
    if (!this.#hasStarted) return this.#frameEndMs;
    const sinceFrameMs = this.#options.clock.monotonic() - this.#frameCameAtMs;
    return Math.round(this.#frameEndMs + Math.min(Math.max(0, sinceFrameMs), FRAME_MS));
  }

  /** Processes one event at a time, in order of arrival: an effect may cause the next event. */
  #dispatch(event: TurnEvent): void {
    this.#events.push(event);
    if (this.#isDeciding) return;
    this.#isDeciding = true;
    this.#guard(() => {
      for (let next = this.#events.shift(); next; next = this.#events.shift()) this.#decide(next);
    });
    this.#isDeciding = false;
  }

  /** Detection of answering machines runs beside the conversation, so that the greeting never waits for it. */
  #noteVerdict(verdict: AnsweringVerdict): void {
    this.#options.onEvent({ type: 'answered-by', verdict, atMs: this.#nowMs() });
    this.#answeredBy = verdict;
    const mustHangUp = this.#options.settings.onMachine === 'hang-up';
    if (verdict === 'machine') this.#dispatch({ type: 'machine.answered', mustHangUp });
  }

  /** Corrects the memory of a speech-to-speech model: unheard words are removed, fixed texts that were read out are added. */
  #heard(spoken: SpokenTurn): void {
    const turn = this.#record.assistantTurn(spoken);
    this.#reportTurn(turn);
    if (turn && spoken.turn.kind === 'disclosure') this.#noteDisclosure(turn);
    const isReadOut = isFixedText(spoken.turn.kind);
    if (!isReadOut && spoken.wasCut) this.#realtime?.truncateUnheard(spoken, this.#record.pace());
    if (isReadOut && turn && spoken.turn.kind !== 'disclosure')
      this.#realtime?.note({ role: 'assistant', text: turn.text });
  }

  /** A message whose voice failed in the middle continues in another turn; it is reported when it is over. */
  #noteDisclosure(turn: Turn): void {
    const disclosed = this.#disclosure.add(turn);
    if (disclosed) this.#options.onEvent({ type: 'disclosed', ...disclosed });
  }

  #noteCaller(utterance: CallerUtterance, isAside: boolean): void {
    this.#reportTurn(this.#record.addCaller(utterance, isAside));
    if (utterance.kind === 'dtmf')
      this.#realtime?.note({ role: 'customer', kind: 'dtmf', text: utterance.text });
  }

  #decide(event: TurnEvent): void {
    const said = (sinceMs: number): string => this.#record.saidSince(sinceMs);
    if (isOwnSpeech(event, this.#state, { nowMs: this.#nowMs(), said })) return;
    this.#machineDetector?.hearEvent(event);
    if (event.type === 'voice.analysed') this.#realtime?.judge(event.probability);
    const before = this.#state.phase.name;
    const { state, effects } = decideTurn(this.#state, event, this.#nowMs());
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
    const { name } = state.phase;
    if (name !== before) this.#options.onEvent({ type: 'phase', phase: name, atMs: this.#nowMs() });
  }

  #perform(effect: Effect): void {
    this.#quality.seeEffect(effect);
    switch (effect.type) {
      case 'say':
        return this.#say(effect.turn, effect.mustWrapUp);
      case 'draft':
        return this.#voice.draft(effect.turn, effect.utterances);
      case 'discard-draft':
        return this.#voice.discardDraft();
      case 'fill':
        return this.#voice.fill(effect.turn, effect.kind);
      case 'replace-voice':
        return this.#voice.replaceVoice(effect.turn);
      case 'abort':
        return this.#voice.abort(effect.turn);
      case 'pause':
        return this.#voice.pause();
      case 'lower':
        return this.#voice.lower();
      case 'resume':
        return this.#voice.resume();
      case 'finalise':
        return this.#listener?.finalise(this.#standing()?.expects ?? null, effect.speechFromMs);
      case 'reopen-recogniser':
        return this.#listener?.reopenRecogniser(effect.isOther);
      case 'note-caller':
        return this.#noteCaller(effect.utterance, effect.isAside);
      case 'amend-caller':
        return this.#reportTurn(this.#record.amendCaller(effect.text));
      case 'report-failure':
        return this.#noteFailure(effect.stage);
      case 'report-opt-out':
        return this.#options.onEvent({ type: 'opted-out', means: effect.means, atMs: this.#nowMs() });
      case 'beep':
        return this.#voice.beep(effect.turn);
      case 'report-announced':
        this.supervision.announced();
        return this.#options.onEvent({ type: 'announced' });
      case 'hang-up':
        this.#hangUp = effect.hangUp;
        return this.#options.onEvent({ type: 'hang-up', ...effect.hangUp });
      case 'close':
        return this.#release();
    }
  }

  #say(turn: AssistantTurn, mustWrapUp: boolean): void {
    if (turn.kind === 'check-in' || turn.kind === 'wrap-up') {
      this.#record.addSilence();
      this.#realtime?.note({ role: 'customer', kind: 'silence', text: '' });
    }
    this.#voice.say(this.#withTrueEnd(turn), mustWrapUp);
  }

  /** Latency counts from the end of the caller's audio as received, not from the end that the detector reports. */
  #withTrueEnd(turn: AssistantTurn): AssistantTurn {
    const { cause } = turn;
    if (!cause || !this.#listener) return turn;
    const speechEndMs = this.#listener.endOfSound(cause.speechEndMs);
    return { ...turn, cause: { ...cause, speechEndMs } };
  }

  /** The position in a scripted dialogue; null if the model is not scripted, or a text of a route replaces the dialogue. */
  #standing(): ReturnType<NonNullable<LanguageModel['standing']>> | null {
    if (this.#realtime || this.#options.settings.answering !== null) return null;
    return this.#models.current.standing?.(this.#requestFor({ mustWrapUp: false, coming: [] })) ?? null;
  }

  #requestFor({ mustWrapUp, coming }: ReplyContext): ReplyRequest {
    const { temperature, language } = this.#options.settings;
    const { tools } = this.#texts;
    const prompt = this.supervision.promptWith(this.#texts, { mustWrapUp, answeredBy: this.#answeredBy });
    return { ...prompt, dialogue: this.#record.dialogue(coming), tools, temperature, language };
  }

  #noteFailure(stage: Stage): void {
    if (stage === 'model') (this.#realtime ?? this.#models).replace();
    this.#reportFailure(stage);
  }

  #reportFailure(stage: Stage): void {
    this.#options.onEvent({ type: 'note', name: 'provider_failed', detail: { stage, at_ms: this.#nowMs() } });
  }

  #reportTurn(turn: Turn | null): void {
    if (turn) this.#options.onEvent({ type: 'turn', turn });
  }

  /** Stops everything except the voice's count of sent audio, which continues until the line ends. */
  #release(): void {
    this.#guard(() => this.#listener?.close());
    this.#voice.stop();
    this.#guard(() => this.#realtime?.close());
    this.#released.resolve();
  }
}
