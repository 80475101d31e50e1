/**
 * A whole conversation in virtual time: a line moved frame by frame, scripted speech providers, and a log of what
 * happened when. The same scenario gives the same log on every machine.
 */
import { BackgroundWork, ManualClock, silentLog } from '@parley/runtime';
import type {
  LanguageModel,
  RealtimeModel,
  Recogniser,
  Synthesiser,
  VoiceActivityDetector,
} from '@parley/speech';
import {
  createFakeDetector,
  createFakeModel,
  createFakeSynthesiser,
  type FakeAnswer,
} from '@parley/speech/fakes';
import type { PhraseRecordings } from '../src/speaking/recorded-phrases.ts';
import type { ConversationSettings } from '../src/conversation-settings.ts';
import { createConversation } from '../src/conversation.ts';
import type {
  Continuation,
  Conversation,
  ConversationEnd,
  ConversationEvent,
  Fallbacks,
} from '../src/conversation-port.ts';
import type { ToolRunner } from '../src/tools/tool-runner.ts';
import { FakeLine } from './fake-line.ts';

/** How long a conversation waits for the words of a caller who has hung up, milliseconds. */
const LAST_WORDS_MS = 3000;

export const SETTINGS: ConversationSettings = {
  disclosureMessage: '',
  initialMessage: 'Hello.',
  systemPrompt: 'You are a test.',
  answering: null,
  whoSpeaksFirst: 'assistant',
  greetingDelaySeconds: null,
  isGreetingInterruptible: true,
  allowInterruptions: true,
  interruptSensitivitySeconds: 0.5,
  minInterruptWords: 0,
  endpointSensitivitySeconds: 0.5,
  endpointType: 'vad',
  fillers: null,
  reEngagementIntervalSeconds: 30,
  maxSilenceSeconds: 40,
  maxCallSeconds: 600,
  temperature: 0.1,
  voice: 'hum',
  speed: 1,
  stability: 0.7,
  similarity: 0.5,
  language: 'en',
  keepsNoiseOut: false,
  onMachine: 'ignore',
  hearsOptOut: true,
  optOutKey: null,
  tools: [{ type: 'end_call', description: null }],
  variables: {},
};

/** Without a part of its own a scenario gets a model without answers and a voice that hums 50 ms a character. */
export interface ScenarioOptions {
  settings?: Partial<ConversationSettings>;
  clock?: ManualClock;
  line?: FakeLine;
  answers?: readonly FakeAnswer[];
  model?: LanguageModel;
  synthesiser?: Synthesiser;
  vad?: VoiceActivityDetector;
  recogniser?: Recogniser;
  realtime?: RealtimeModel;
  fallbacks?: Partial<Fallbacks>;
  tools?: ToolRunner;
  continues?: Continuation;
  recordings?: PhraseRecordings;
}

export class Scenario {
  readonly clock: ManualClock;
  readonly line: FakeLine;
  readonly events: ConversationEvent[] = [];
  /** One line for each thing that happened: milliseconds, then what. */
  readonly log: string[] = [];
  readonly conversation: Conversation;
  /** Called with every event, after it was noted. */
  onEvent: (event: ConversationEvent) => void = () => undefined;
  #soundingTurn = 0;

  constructor(options: ScenarioOptions = {}) {
    this.clock = options.clock ?? new ManualClock();
    this.line = options.line ?? new FakeLine();
    const { clock, line } = this;
    line.onOrder = (order) => this.#write(order);
    this.conversation = createConversation({
      line,
      clock,
      vad: options.vad ?? createFakeDetector(),
      recogniser: options.recogniser,
      realtime: options.realtime,
      fallbacks: options.fallbacks,
      model: options.model ?? createFakeModel({ clock, answers: options.answers ?? [] }),
      synthesiser: options.synthesiser ?? createFakeSynthesiser({ clock }),
      tools: options.tools,
      continues: options.continues,
      recordings: options.recordings,
      settings: { ...SETTINGS, ...options.settings },
      log: silentLog,
      onEvent: (event) => this.#note(event),
    });
  }

  /** Rings for a while, then the caller answers. */
  async answer(ringMs = 2000): Promise<void> {
    new BackgroundWork(silentLog).start('prepare', () => this.conversation.prepare());
    await this.clock.advanceAsync(ringMs, 20);
    this.conversation.start();
    await settle();
  }

  /** Answers, lets the greeting be heard, and forgets about it: one second of the call has passed. */
  async answerAndGreet(): Promise<void> {
    await this.answer();
    await this.silence(1000);
    this.log.length = 0;
  }

  /** The caller is silent. */
  async silence(forMs: number): Promise<void> {
    await this.#pass(forMs, false);
  }

  /** The caller speaks. */
  async speech(forMs: number): Promise<void> {
    await this.#pass(forMs, true);
  }

  /** A sound from the far end, at the line's rate. */
  async sound(samples: Int16Array): Promise<void> {
    for (let at = 0; at < samples.length; at += this.line.frameSamples)
      await this.#passFrame(() => this.line.tickWith(samples.slice(at, at + this.line.frameSamples)));
  }

  /** The caller presses a key. */
  press(digit: string): void {
    this.#write(`key ${digit}`);
    this.conversation.dtmf(digit);
  }

  /** The far end puts the call on hold or resumes it; a line on hold sends nothing and keeps its queue. */
  hold(isHeld: boolean): void {
    this.#write(isHeld ? 'held' : 'resumed');
    this.line.isPaused = isHeld;
    this.conversation.hold(isHeld);
  }

  /** The line goes away; resolves with how the conversation ended. */
  async end(): Promise<ConversationEnd> {
    this.conversation.lineEnded();
    return this.conversation.finished;
  }

  /** The same, and the words that are awaited then do not come. */
  async endWithoutWords(): Promise<ConversationEnd> {
    const ended = this.end();
    await this.clock.advanceAsync(LAST_WORDS_MS);
    return ended;
  }

  /** What happened since the last time this was asked. */
  story(): string {
    return this.log.splice(0).join('\n');
  }

  /** The transcript as text, an interruption marked by a dash. */
  transcript(): string[] {
    return this.conversation
      .transcript()
      .map(({ sender, text, wasInterrupted }) => `${sender}: ${text}${wasInterrupted ? ' –' : ''}`);
  }

  async #pass(forMs: number, isCallerSpeaking: boolean): Promise<void> {
    for (let passedMs = 0; passedMs < forMs; passedMs += 20)
      await this.#passFrame(() => this.line.tick(isCallerSpeaking));
  }

  async #passFrame(tick: () => void): Promise<void> {
    this.clock.advance(20);
    await settle();
    tick();
    this.#noteSound();
    await settle();
  }

  #noteSound(): void {
    const last = this.line.sent.at(-1);
    const turn = last && (last.index + 1) * 20 === this.line.nowMs() ? last.turn : 0;
    if (turn === this.#soundingTurn) return;
    if (this.#soundingTurn !== 0) this.#write(`turn ${this.#soundingTurn} falls silent`);
    if (turn !== 0) this.#write(`turn ${turn} sounds`);
    this.#soundingTurn = turn;
  }

  #note(event: ConversationEvent): void {
    this.events.push(event);
    if (event.type === 'phase') this.#write(event.phase);
    if (event.type === 'turn') this.#write(`${event.turn.sender} "${event.turn.text}"`);
    if (event.type === 'note') this.#write(`${event.detail.stage} failed`);
    if (event.type === 'disclosed')
      this.#write(
        `${event.isComplete ? 'disclosed' : 'cut'} "${event.text}" ${event.startedAtMs}-${event.endedAtMs}`,
      );
    if (event.type === 'opted-out') this.#write(`opted out: ${event.means}`);
    if (event.type === 'hang-up') this.#write(`hang up by ${event.by}: ${event.reason}`);
    this.onEvent(event);
  }

  #write(what: string): void {
    this.log.push(`${this.line.nowMs()} ${what}`);
  }
}

/** The caller has heard the greeting and has spoken for 0.8 s from 1000 on; an answer begins at 2340. */
export async function askedCall(answers: FakeAnswer[], options: ScenarioOptions = {}): Promise<Scenario> {
  const call = new Scenario({ answers, ...options });
  await call.answerAndGreet();
  await call.speech(800);
  return call;
}

/** Lets every promise that can go on do so. */
async function settle(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}
