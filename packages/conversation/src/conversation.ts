/**
 * One live conversation: brings what happens on the line and in the speech providers to the rules, and does what the
 * rules answer. Holds no rule of its own and sets no timer; time is the count of the line's frames, so that the same
 * frames and the same answers of the providers always give the same conversation.
 */
import type { Clock, Log } from '@parley/runtime';
import type {
  LanguageModel,
  LanguageModelRequest,
  Recogniser,
  Synthesiser,
  VoiceActivityDetector,
} from '@parley/speech';
import { AssistantVoice } from './assistant-voice.ts';
import { FRAME_MS, type AudioLine, type AudioTick } from './audio-line.ts';
import { CallRecord, type Turn } from './call-record.ts';
import { CallerEar } from './caller-ear.ts';
import { ownerTexts, type OwnerTexts } from './owner-texts.ts';
import type { ConversationSettings } from './conversation-settings.ts';
import { turnPolicy } from './turn-policy.rules.ts';
import { decideTurn } from './turn.rules.ts';
import {
  ringingState,
  type AssistantTurn,
  type Effect,
  type HangUp,
  type PhaseName,
  type Stage,
  type TurnEvent,
  type TurnState,
} from './turn-state.ts';

/** What voice hands over. */
export interface ConversationOptions {
  line: AudioLine;
  clock: Clock;
  vad: VoiceActivityDetector;
  /** Without one, speech is known to have happened but not what was said. */
  recogniser?: Recogniser | null | undefined;
  model: LanguageModel;
  synthesiser: Synthesiser;
  settings: ConversationSettings;
  log: Log;
  onEvent: (event: ConversationEvent) => void;
}

/** What a conversation tells as it goes. Times are milliseconds since the answer. */
export type ConversationEvent =
  | { type: 'phase'; phase: PhaseName; atMs: number }
  /** A turn is over. Comes again, with the same sender and start, when its text is known better. */
  | { type: 'turn'; turn: Turn }
  /** For the call's timeline: a provider failed, and the conversation tries again or ends itself. */
  | { type: 'note'; name: 'provider_failed'; detail: { stage: Stage; at_ms: number } }
  /** The call is to be ended now. `lineEnded` is expected in return. At most once. */
  | ({ type: 'hang-up' } & HangUp);

/** How it ended. */
export interface ConversationEnd {
  /** Who on our side ended it and why; null when the far end or the line did. */
  hangUp: HangUp | null;
  /** From the answer to the end. */
  durationMs: number;
  turns: Turn[];
}

/** One live conversation. */
export interface Conversation {
  /** While it rings: makes the first message. Need not be awaited. Resolves when made or failed, never rejects. */
  prepare(): Promise<void>;
  /** The call was answered; the line ticks from here on. */
  start(): void;
  /** The caller pressed a key: 0-9 * # A-D. */
  dtmf(digit: string): void;
  /** Somebody else wants the call to end; a `hang-up` event by `operator` follows at once. */
  hangUpRequested(reason: string): void;
  /** The line is gone, whoever ended it. Harmless when repeated. */
  lineEnded(): void;
  /** Resolves after `lineEnded`, when nothing runs any more. Never rejects. */
  readonly finished: Promise<ConversationEnd>;
  /** What was heard so far, in order. */
  transcript(): Turn[];
}

/** Added to the prompt when the call is about to reach its limit. */
const WRAP_UP_NOTE =
  'The call is out of time and ends in a few seconds: say goodbye now, in one short sentence.';

/** Makes a conversation that waits for the answer. */
export function createConversation(options: ConversationOptions): Conversation {
  return new LiveConversation(options);
}

class LiveConversation implements Conversation {
  readonly finished: Promise<ConversationEnd>;
  readonly #options: ConversationOptions;
  readonly #texts: OwnerTexts;
  readonly #record: CallRecord;
  readonly #voice: AssistantVoice;
  readonly #finish: (end: ConversationEnd) => void;
  #ear: CallerEar | null = null;
  #state: TurnState;
  readonly #events: TurnEvent[] = [];
  #isDeciding = false;
  /** End of the newest frame, and when it came by the clock. */
  #frameEndMs = 0;
  #frameCameAtMs = 0;
  #hangUp: HangUp | null = null;
  #hasStarted = false;
  #isLineOver = false;

  constructor(options: ConversationOptions) {
    const { settings, line, log } = options;
    this.#options = options;
    this.#texts = ownerTexts(settings);
    if (this.#texts.unknownNames.length > 0)
      log.warn({ unknownNames: this.#texts.unknownNames }, 'texts of the assistant name unknown variables');
    const interpolated = { ...settings, initialMessage: this.#texts.greeting };
    this.#state = ringingState(turnPolicy(interpolated, options.recogniser?.capabilities ?? null));
    this.#record = new CallRecord(line.sampleRateHz);
    this.#voice = this.#createVoice();
    const { promise, resolve } = Promise.withResolvers<ConversationEnd>();
    this.finished = promise;
    this.#finish = resolve;
  }

  async prepare(): Promise<void> {
    await this.#voice.prepare();
  }

  start(): void {
    if (this.#hasStarted || this.#isLineOver) return;
    this.#hasStarted = true;
    const { line, vad, recogniser, settings, log } = this.#options;
    this.#ear = new CallerEar({
      sampleRateHz: line.sampleRateHz,
      vad,
      recogniser: recogniser ?? null,
      language: settings.language,
      onEvent: (event) => this.#dispatch(event),
      onError: (error) => log.warn({ err: error }, 'the recogniser failed'),
    });
    this.#frameCameAtMs = this.#options.clock.monotonic();
    line.onTick((tick) => this.#ticked(tick));
    this.#dispatch({ type: 'line.answered' });
  }

  dtmf(digit: string): void {
    this.#dispatch({ type: 'key.pressed', digit });
  }

  hangUpRequested(reason: string): void {
    this.#dispatch({ type: 'hang-up.requested', reason });
  }

  lineEnded(): void {
    if (this.#isLineOver) return;
    this.#dispatch({ type: 'line.ended' });
    this.#isLineOver = true;
    const end = { hangUp: this.#hangUp, durationMs: this.#frameEndMs, turns: this.transcript() };
    this.#voice
      .close()
      .then(() => this.#finish(end))
      .catch((error: unknown) =>
        this.#options.log.error({ err: error }, 'a conversation did not end cleanly'),
      );
  }

  transcript(): Turn[] {
    return this.#record.turns();
  }

  #createVoice(): AssistantVoice {
    const { line, model, synthesiser, settings, log } = this.#options;
    const { voice, speed, stability, similarity, language } = settings;
    return new AssistantVoice({
      line,
      model,
      synthesiser,
      speakOptions: { voice, sampleRateHz: line.sampleRateHz, speed, stability, similarity, language },
      texts: this.#texts,
      record: this.#record,
      requestFor: (mustWrapUp) => this.#requestFor(mustWrapUp),
      nowMs: () => this.#nowMs(),
      onEvent: (event) => this.#dispatch(event),
      onHeard: (spoken) => this.#tell(this.#record.assistantTurn(spoken)),
      log,
    });
  }

  /** One frame time. What was sent counts before what follows from it; what was heard is passed on last. */
  #ticked(tick: AudioTick): void {
    if (this.#isLineOver) return;
    this.#frameEndMs = (tick.index + 1) * FRAME_MS;
    this.#frameCameAtMs = this.#options.clock.monotonic();
    this.#voice.countSent(tick, this.#frameEndMs);
    const sentTurn = tick.sentSamples > 0 ? tick.sentTurn : 0;
    this.#dispatch({ type: 'line.ticked', sentTurn, awaits: this.#voice.awaits });
    this.#voice.reportPlayed();
    this.#ear?.hear(tick);
  }

  /** Time of the call in whole milliseconds: the end of the newest frame and what has passed since, a frame at most. */
  #nowMs(): number {
    if (!this.#hasStarted) return 0;
    const sinceFrameMs = this.#options.clock.monotonic() - this.#frameCameAtMs;
    return Math.round(this.#frameEndMs + Math.min(Math.max(0, sinceFrameMs), FRAME_MS));
  }

  /** One event at a time, in the order they came: an effect may bring about the next event. */
  #dispatch(event: TurnEvent): void {
    this.#events.push(event);
    if (this.#isDeciding) return;
    this.#isDeciding = true;
    try {
      for (let next = this.#events.shift(); next; next = this.#events.shift()) this.#decide(next);
    } finally {
      this.#isDeciding = false;
    }
  }

  #decide(event: TurnEvent): void {
    const before = this.#state.phase.name;
    const { state, effects } = decideTurn(this.#state, event, this.#nowMs());
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
    const { name } = state.phase;
    if (name !== before) this.#options.onEvent({ type: 'phase', phase: name, atMs: this.#nowMs() });
  }

  #perform(effect: Effect): void {
    switch (effect.type) {
      case 'say':
        return this.#say(effect.turn, effect.mustWrapUp);
      case 'abort':
        return this.#voice.abort(effect.turn);
      case 'pause':
        return this.#voice.pause();
      case 'resume':
        return this.#voice.resume();
      case 'finalise':
        return this.#ear?.finalise();
      case 'reopen-recogniser':
        return this.#ear?.reopenRecogniser();
      case 'note-caller':
        return this.#tell(this.#record.addCaller(effect.utterance, effect.isAside));
      case 'amend-caller':
        return this.#tell(this.#record.amendCaller(effect.text));
      case 'report-failure':
        return this.#noteFailure(effect.stage);
      case 'hang-up':
        this.#hangUp = effect.hangUp;
        return this.#options.onEvent({ type: 'hang-up', ...effect.hangUp });
      case 'close':
        return this.#letGo();
    }
  }

  #say(turn: AssistantTurn, mustWrapUp: boolean): void {
    if (turn.kind === 'check-in' || turn.kind === 'wrap-up') this.#record.addSilence();
    this.#voice.say(turn, mustWrapUp);
  }

  #requestFor(mustWrapUp: boolean): LanguageModelRequest {
    const { settings } = this.#options;
    return {
      systemPrompt: mustWrapUp ? `${this.#texts.systemPrompt}\n\n${WRAP_UP_NOTE}` : this.#texts.systemPrompt,
      dialogue: this.#record.dialogue(),
      tools: this.#texts.tools,
      temperature: settings.temperature,
      language: settings.language,
    };
  }

  #noteFailure(stage: Stage): void {
    const detail = { stage, at_ms: this.#nowMs() };
    this.#options.onEvent({ type: 'note', name: 'provider_failed', detail });
  }

  #tell(turn: Turn | null): void {
    if (turn) this.#options.onEvent({ type: 'turn', turn });
  }

  /** The voice is closed with the line, so that it can count what is still being sent. */
  #letGo(): void {
    this.#ear?.close();
    this.#voice.stop();
  }
}
