/**
 * Makes and plays the assistant's turns: text from the model or a fixed one, sound from the synthesiser, samples to
 * the line. Keeps account of what was given and what was sent. Decides nothing about whose turn it is: that comes as
 * orders, and what becomes of them goes back as events.
 */
import type { Log } from '@parley/runtime';
import type { LanguageModel, LanguageModelRequest, SpeakOptions, Synthesiser } from '@parley/speech';
import { FRAME_MS, type AudioLine, type AudioTick } from './audio-line.ts';
import type { CallRecord, SpokenTurn } from './call-record.ts';
import { splitHeard, type SpokenChunk } from './heard-text.rules.ts';
import { PreparedSpeech } from './prepared-speech.ts';
import { replyText } from './reply-text.ts';
import { sentencesOf } from './sentence-chunks.rules.ts';
import type { AssistantTurn, TurnEvent } from './turn-state.ts';
import { untilAborted } from './until-aborted.ts';

/** Texts that are known before the call. */
interface FixedTexts {
  greeting: string;
  goodbye: string;
  apology: string;
}

/** All a voice needs. */
export interface AssistantVoiceOptions {
  line: AudioLine;
  model: LanguageModel;
  synthesiser: Synthesiser;
  speakOptions: SpeakOptions;
  texts: FixedTexts;
  record: CallRecord;
  /** The request for a turn that begins now; the record stands as it is. */
  requestFor: (mustWrapUp: boolean) => LanguageModelRequest;
  /** Now on the call's time line, milliseconds. */
  nowMs: () => number;
  onEvent: (event: TurnEvent) => void;
  /** A turn has been heard to its end or was broken off. */
  onHeard: (spoken: SpokenTurn) => void;
  log: Log;
}

/** The turn being made or played. */
interface Making {
  spoken: SpokenTurn;
  controller: AbortController;
  /** On whom it waits; null when all of it was made. */
  awaits: 'model' | 'voice' | null;
}

/** One per conversation. Turns come one after the other; a new one may begin when the last was played or aborted. */
export class AssistantVoice {
  readonly #options: AssistantVoiceOptions;
  readonly #call = new AbortController();
  readonly #prepared = new Map<string, PreparedSpeech>();
  readonly #tasks = new Set<Promise<void>>();
  #current: Making | null = null;
  #isPaused = false;
  #hasBegun = false;

  constructor(options: AssistantVoiceOptions) {
    this.#options = options;
  }

  /** On whom the current turn waits. */
  get awaits(): 'model' | 'voice' | null {
    return this.#current?.awaits ?? null;
  }

  /**
   * Makes the greeting ahead, while there is time, and the apology, which must work when nothing else does. Resolves
   * when both are made or failed; what failed is made again when it is due.
   */
  async prepare(): Promise<void> {
    for (const sentence of sentencesOf(this.#options.texts.greeting)) {
      if (!this.#hasBegun) await this.#makeAhead(sentence);
    }
    for (const sentence of sentencesOf(this.#options.texts.apology)) await this.#makeAhead(sentence);
  }

  /** Begins a turn; its sound follows as it is made. */
  say(turn: AssistantTurn, mustWrapUp: boolean): void {
    this.#hasBegun = true;
    const texts = this.#textsOf(turn, mustWrapUp);
    const spoken = this.#options.record.addAssistant(turn);
    const making: Making = { spoken, controller: new AbortController(), awaits: 'model' };
    this.#current = making;
    const signal = AbortSignal.any([this.#call.signal, making.controller.signal]);
    const task = this.#make(making, texts(signal), signal).finally(() => this.#tasks.delete(task));
    this.#tasks.add(task);
  }

  /** Nothing of the turn is made or given to the line from now on. */
  abort(turn: number): void {
    const making = this.#current;
    if (making?.spoken.turn.number !== turn) return;
    this.#current = null;
    making.controller.abort();
    this.#options.line.clear();
    this.resume();
    making.spoken.wasCut = true;
    this.#options.onHeard(making.spoken);
  }

  pause(): void {
    this.#isPaused = true;
    this.#options.line.pausePlayout();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#options.line.resumePlayout();
  }

  /** Counts what the line has sent. Goes on after {@link stop}, for what was under way. */
  countSent(tick: AudioTick, nowMs: number): void {
    if (tick.sentSamples === 0) return;
    const spoken = this.#options.record.spokenTurn(tick.sentTurn);
    if (!spoken) return;
    if (spoken.firstPacketMs === null) {
      spoken.firstPacketMs = nowMs;
      spoken.startedAtMs = tick.index * FRAME_MS;
    }
    spoken.sentSamples += tick.sentSamples;
    spoken.endedAtMs = (tick.index + 1) * FRAME_MS;
  }

  /** Tells when all of the current turn was sent. */
  reportPlayed(): void {
    const making = this.#current;
    if (!making || making.awaits !== null) return;
    const { spoken } = making;
    if (spoken.sentSamples < spoken.givenSamples) return;
    this.#current = null;
    this.#options.onHeard(spoken);
    this.#options.onEvent({ type: 'reply.played', turn: spoken.turn.number });
  }

  /** Aborts everything that runs or was made ahead. */
  stop(): void {
    this.#call.abort();
    this.#prepared.clear();
  }

  /** {@link stop}, and resolves when nothing runs any more. */
  async close(): Promise<void> {
    this.stop();
    await Promise.all(this.#tasks);
  }

  #textsOf(
    turn: AssistantTurn,
    mustWrapUp: boolean,
  ): (signal: AbortSignal) => Iterable<string> | AsyncIterable<string> {
    const { kind } = turn;
    if (kind !== 'greeting' && kind !== 'goodbye' && kind !== 'apology') {
      const request = this.#options.requestFor(mustWrapUp);
      return (signal) => this.#reply(turn.number, request, signal);
    }
    const sentences = sentencesOf(this.#options.texts[kind]);
    // A second attempt goes on where the first one failed.
    const said = turn.attempt === 2 ? this.#options.record.spokenTurn(turn.number - 1)?.chunks : [];
    return () => sentences.slice(said?.filter((chunk) => chunk.isComplete).length);
  }

  #reply(turn: number, request: LanguageModelRequest, signal: AbortSignal): AsyncIterable<string> {
    const { model, record, nowMs, onEvent, log } = this.#options;
    return replyText({
      model,
      request,
      signal,
      onFirstToken: () => {
        const spoken = record.spokenTurn(turn);
        if (spoken) spoken.firstTokenMs ??= nowMs();
      },
      onEndCall: () => onEvent({ type: 'reply.ended-call', turn }),
      onUnknownTool: (tool) => log.warn({ turn, pii: { tool } }, 'the model called a tool it was not given'),
    });
  }

  async #make(
    making: Making,
    texts: Iterable<string> | AsyncIterable<string>,
    signal: AbortSignal,
  ): Promise<void> {
    const { onEvent, log } = this.#options;
    try {
      for await (const text of texts) {
        making.awaits = 'voice';
        await this.#speak(making.spoken, text, signal);
        if (signal.aborted) return;
        making.awaits = 'model';
      }
    } catch (error) {
      if (signal.aborted) return;
      const stage = making.awaits ?? 'voice';
      const turn = making.spoken.turn.number;
      log.warn({ err: error, turn, stage }, 'a turn could not be made');
      making.awaits = null;
      onEvent({ type: 'reply.failed', turn, stage });
    }
    making.awaits = null;
    if (making === this.#current) this.reportPlayed();
  }

  /** Speaks one piece. A synthesiser that fails is asked once more, for the words that are still missing. */
  async #speak(spoken: SpokenTurn, text: string, signal: AbortSignal): Promise<void> {
    const chunk = addChunk(spoken, text);
    try {
      await this.#give(spoken, chunk, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#options.log.warn({ err: error }, 'the synthesiser failed and is asked again');
      const { heard, rest } = splitHeard(chunk, chunk.givenSamples, this.#options.record.pace());
      chunk.text = heard;
      chunk.isComplete = heard !== '';
      if (rest !== '') await this.#give(spoken, addChunk(spoken, rest), signal);
    }
  }

  async #give(spoken: SpokenTurn, chunk: SpokenChunk, signal: AbortSignal): Promise<void> {
    const { line, nowMs } = this.#options;
    for await (const samples of untilAborted(this.#soundOf(chunk.text, signal), signal)) {
      if (samples.length === 0) continue;
      spoken.firstAudioMs ??= nowMs();
      chunk.givenSamples += samples.length;
      spoken.givenSamples += samples.length;
      line.play(spoken.turn.number, samples);
    }
    chunk.isComplete = !signal.aborted;
  }

  async #makeAhead(text: string): Promise<void> {
    const { signal } = this.#call;
    if (signal.aborted) return;
    const speech = new PreparedSpeech(untilAborted(this.#synthesise(text, signal), signal));
    this.#prepared.set(text, speech);
    if (!(await speech.isMade)) this.#prepared.delete(text);
  }

  #soundOf(text: string, signal: AbortSignal): AsyncIterable<Int16Array> {
    const prepared = this.#prepared.get(text);
    this.#prepared.delete(text); // its sound is given away with it
    return prepared ?? this.#synthesise(text, signal);
  }

  #synthesise(text: string, signal: AbortSignal): AsyncIterable<Int16Array> {
    return this.#options.synthesiser.speak(text, this.#options.speakOptions, signal);
  }
}

function addChunk(spoken: SpokenTurn, text: string): SpokenChunk {
  const chunk: SpokenChunk = { text, givenSamples: 0, isComplete: false };
  spoken.chunks.push(chunk);
  return chunk;
}
