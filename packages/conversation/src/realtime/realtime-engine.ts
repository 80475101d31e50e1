/**
 * Makes a speech-to-speech model usable in place of a recogniser, a language model and a voice. One session with the provider
 * serves all three; if it fails, a new one continues with the dialogue so far. The rules of the conversation stay the same
 * (docs/decisions/speech-to-speech.md).
 */
import type { Log } from '@parley/runtime';
import {
  SpeechError,
  type DialogueEntry,
  type RealtimeEvent,
  type RealtimeModel,
  type RealtimeOptions,
  type RealtimePiece,
  type RealtimeSession,
  type Recogniser,
  type RecogniserEvent,
  type RecogniserStream,
  type Synthesiser,
} from '@parley/speech';
import { FRAME_MS } from '../audio-line.ts';
import type { SpokenTurn } from '../record/call-record.ts';
import type { ToolCall } from '../speaking/reply-text.ts';
import type { SpeakingModel } from '../speaking/spoken-reply.ts';
import type { ToolUse } from '../tools/tool-executor.ts';
import { CallerSound } from './caller-sound.ts';
import { truncations } from './truncations.rules.ts';

/** How such a model reports the caller's words. They are only for the record, so no turn waits for them. */
export const REALTIME_HEARING = { hasInterim: false, finalWithinMs: 2000, endOfTurn: 'none' } as const;
/** The result of a tool call that was not run because the caller interrupted. */
const NOT_USED = 'No result: the call went on before the tool was used.';

/** What the engine needs. */
export interface RealtimeEngineOptions {
  model: RealtimeModel;
  session: Omit<RealtimeOptions, 'history'>;
  /** All that was said so far. */
  history: () => DialogueEntry[];
  log: Log;
}

/** One per conversation. */
export class RealtimeEngine implements SpeakingModel {
  readonly recogniser: Recogniser;
  readonly synthesiser: Synthesiser;
  readonly #options: RealtimeEngineOptions;
  #session: RealtimeSession | null = null;
  /** The session that generated the newest reply. */
  #speaker: RealtimeSession | null = null;
  #listener: EngineStream | null = null;
  /** Tool results that the session has not received yet. */
  #pendingResults: { call: ToolCall; use: ToolUse | undefined }[] = [];
  #isClosed = false;

  constructor(options: RealtimeEngineOptions) {
    const { sampleRateHz } = options.session;
    this.#options = options;
    let hasListened = false;
    this.recogniser = {
      capabilities: { ...REALTIME_HEARING, sampleRateHz },
      open: (_options, onEvent) => {
        this.#listener = new EngineStream({ session: () => this.#live(), onEvent, isResumed: hasListened });
        hasListened = true;
        return this.#listener;
      },
    };
    this.synthesiser = {
      capabilities: { sampleRatesHz: [sampleRateHz], settings: ['speed'] },
      speak: (text, _options, signal) => this.#live().speak(text, signal),
    };
  }

  /** The latest result of the detector. */
  judge(probability: number): void {
    this.#listener?.judge(probability);
  }

  /** Tells the model about something that it cannot have heard. */
  note(entry: DialogueEntry): void {
    this.#session?.note(entry);
  }

  /** @param systemPrompt - for this reply alone; null for the usual one */
  reply(systemPrompt: string | null, signal: AbortSignal): AsyncIterable<RealtimePiece> {
    const session = this.#live();
    this.#speaker = session;
    this.#sendResults(session);
    return session.reply(systemPrompt, signal);
  }

  /** Tool results are sent with the next reply, including those of a cancelled turn. */
  addPendingResults(calls: readonly ToolCall[], uses: readonly ToolUse[]): void {
    this.#pendingResults.push(...calls.map((call, index) => ({ call, use: uses[index] })));
  }

  /**
   * A turn was cancelled: removes the words that the caller did not hear from the model's memory.
   *
   * @param samplesPerCharacter - the voice's pace
   */
  truncateUnheard({ chunks, sentSamples }: SpokenTurn, samplesPerCharacter: number): void {
    if (this.#speaker === null || this.#speaker !== this.#session) return;
    const pace = { sampleRateHz: this.#options.session.sampleRateHz, samplesPerCharacter };
    for (const { item, heardMs, heardText } of truncations(chunks, sentSamples, pace))
      this.#speaker.truncate(item, heardMs, heardText);
  }

  /** The current reply did not arrive: replaces its session. The new one receives the unanswered audio again. */
  replace(): void {
    if (this.#session !== null && this.#session === this.#speaker)
      this.#dropSession(this.#session, new SpeechError('timed-out', 'The model did not answer'));
  }

  /** Closes the session. */
  close(): void {
    this.#isClosed = true;
    this.#listener = null;
    this.#session?.close();
    this.#session = null;
  }

  #live(): RealtimeSession {
    if (this.#session !== null) return this.#session;
    if (this.#isClosed) throw new Error('The conversation is over');
    const { model, session, history } = this.#options;
    this.#pendingResults = [];
    const opened: RealtimeSession = model.open({ ...session, history: history() }, (event) =>
      this.#received(opened, event),
    );
    this.#session = opened;
    return opened;
  }

  #received(session: RealtimeSession, event: RealtimeEvent): void {
    if (session !== this.#session) return;
    if (event.type === 'failed') return this.#dropSession(session, event.error);
    if (event.type === 'words') this.#listener?.emit({ type: 'final', text: event.text, endMs: event.endMs });
  }

  #dropSession(session: RealtimeSession, error: SpeechError): void {
    this.#options.log.warn({ err: error }, 'A speech-to-speech session was lost');
    this.#session = null;
    session.close();
    this.#listener?.fail(error);
  }

  #sendResults(session: RealtimeSession): void {
    this.#pendingResults = this.#pendingResults.filter(({ call, use }) => {
      const result = use === undefined ? NOT_USED : use.result;
      if (result === null) return true;
      session.note({ role: 'tool', toolCallId: call.id, name: call.name, result });
      return false;
    });
  }
}

/** Passes the caller's audio to the current session. */
class EngineStream implements RecogniserStream {
  readonly #session: () => RealtimeSession;
  readonly #onEvent: (event: RecogniserEvent) => void;
  readonly #sound: CallerSound;
  #frames = 0;
  #isOver = false;

  constructor(options: {
    session: () => RealtimeSession;
    onEvent: (event: RecogniserEvent) => void;
    isResumed: boolean;
  }) {
    this.#session = options.session;
    this.#onEvent = options.onEvent;
    this.#sound = new CallerSound((samples) => this.#session().push(samples), options.isResumed);
  }

  judge(probability: number): void {
    if (!this.#isOver) this.#sound.judge(probability);
  }

  /** One frame at the rate of the line. */
  push(samples: Int16Array): void {
    if (this.#isOver) return;
    this.#frames += 1;
    this.#sound.push(samples);
  }

  finalise(): void {
    if (this.#isOver) return;
    this.#session().commit(this.#frames * FRAME_MS);
    this.#sound.pause();
  }

  close(): void {
    this.#isOver = true;
  }

  emit(event: RecogniserEvent): void {
    if (!this.#isOver) this.#onEvent(event);
  }

  fail(error: SpeechError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEvent({ type: 'failed', error });
  }
}
