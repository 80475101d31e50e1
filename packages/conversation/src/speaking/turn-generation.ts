/**
 * Generates one turn of the assistant: passes its text to the voice chunk by chunk, and counts the audio. A voice that fails
 * in the middle of a sentence is replaced for the words that are missing. The audio and the events of a draft are held back
 * until it is opened.
 */
import { SpeechError, type TimedWord } from '@parley/speech';
import type { Log } from '@parley/runtime';
import type { SpokenTurn } from '../record/call-record.ts';
import type { ToolUse } from '../tools/tool-executor.ts';
import type { Awaits, TurnEvent } from '../turn/turn-state.ts';
import { isFillerChunk, splitHeard, wordsFrom, type SpokenChunk } from '../record/heard-text.rules.ts';
import type { SpokenPiece } from './spoken-reply.ts';
import type { OnWord } from './voice-chain.ts';
import { UnderrunBuffer } from './underrun-buffer.ts';
import { orAborted, untilAborted } from './until-aborted.ts';

/** A voice that delivers more audio than this for a text has failed: about six times the usual length, plus 5 s. */
const LONGEST_MS_PER_CHARACTER = 400;
const LONGEST_BEYOND_MS = 5000;

/** What the generation of a turn needs. */
export interface TurnGenerationOptions {
  spoken: SpokenTurn;
  isDraft: boolean;
  voiceCount: number;
  /** The voice in use failed. */
  replaceVoice: () => void;
  sampleRateHz: number;
  /** Prepared audio, or audio from the voice. */
  soundOf: (text: string, signal: AbortSignal, onWord: OnWord) => AsyncIterable<Int16Array>;
  /** A recording may be of any length. */
  isRecorded: (text: string) => boolean;
  /** Samples of speech per character. */
  pace: () => number;
  play: (turn: number, samples: Int16Array) => void;
  /** The line ran out of audio in the middle of a sentence. */
  onUnderrun: () => void;
  nowMs: () => number;
  onEvent: (event: TurnEvent) => void;
  /** The call's own end. */
  callSignal: AbortSignal;
  log: Log;
}

/** Tools that are running. */
export interface BegunTools {
  uses: readonly ToolUse[];
  finished: Promise<unknown>;
  awaits: 'tool' | 'caller';
}

/** Used for one turn. */
export class TurnGeneration {
  readonly spoken: SpokenTurn;
  /** What it is waiting for. */
  awaits: Awaits = 'model';
  readonly #options: TurnGenerationOptions;
  readonly #controller = new AbortController();
  /** Ends with the turn or the call. */
  readonly signal: AbortSignal;
  /** The chunk that is being spoken, and what cancels the voice that speaks it. */
  #chunk: SpokenChunk | null = null;
  #voice: AbortController | null = null;
  /** Samples of the same sound that belong to earlier chunks. */
  #earlierSamples = 0;
  /** Audio and events that are held back; null once the turn is open. */
  #held: (() => void)[] | null;
  readonly #playout: UnderrunBuffer;
  readonly #opened = Promise.withResolvers<void>();
  #hasFailed = false;

  constructor(options: TurnGenerationOptions) {
    this.#options = options;
    this.spoken = options.spoken;
    this.#held = options.isDraft ? [] : null;
    if (!options.isDraft) this.#opened.resolve();
    this.signal = AbortSignal.any([options.callSignal, this.#controller.signal]);
    const { sampleRateHz, play, spoken } = options;
    this.#playout = new UnderrunBuffer({
      sampleRateHz,
      play: (samples) => play(spoken.turn.number, samples),
    });
  }

  /** Cancels the turn. */
  abort(): void {
    this.#controller.abort();
  }

  /** Not all of it could be generated. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** The draft is used: releases what was held back. */
  open(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const give of held) give();
    this.#opened.resolve();
  }

  /**
   * Runs tools and waits for them. Their effects cannot be undone, so a draft runs none before it is used. Does nothing, and
   * stops waiting, once the turn is cancelled.
   */
  async useTools(begin: () => BegunTools): Promise<readonly ToolUse[]> {
    this.awaits = 'tool';
    await orAborted(this.#opened.promise, this.signal);
    if (this.signal.aborted) return [];
    const { uses, finished, awaits } = begin();
    this.awaits = awaits;
    this.spoken.steps.push({ chunkCount: this.spoken.chunks.length, uses });
    await orAborted(finished, this.signal);
    this.awaits = 'model';
    return uses;
  }

  /** Reports an event, once the turn is open. */
  emit(event: TurnEvent): void {
    this.#pass(() => this.#options.onEvent(event));
  }

  /** Generates all chunks, or reports a failure. Never rejects. */
  async make(texts: Iterable<string> | AsyncIterable<string>): Promise<void> {
    try {
      for await (const text of texts) {
        this.awaits = 'voice';
        await this.#speak(text);
        if (this.signal.aborted) return;
        this.awaits = 'model';
      }
    } catch (error) {
      if (this.signal.aborted) return;
      this.#fail(error);
    }
    this.awaits = null;
  }

  /** The same for a speech-to-speech model, which delivers words and audio. */
  async makeSpoken(pieces: AsyncIterable<SpokenPiece>): Promise<void> {
    try {
      for await (const piece of untilAborted(pieces, this.signal)) this.#take(piece);
      if (this.signal.aborted) return;
      for (const chunk of this.spoken.chunks) {
        chunk.text = chunk.text.trim();
        chunk.isComplete = true;
      }
    } catch (error) {
      if (this.signal.aborted) return;
      this.#fail(error);
    }
    this.#flush();
    this.awaits = null;
  }

  /** Plays a clip before the next word. It is not part of the turn's text. */
  fill(samples: Int16Array): void {
    this.#flush();
    const open = this.#chunk ?? this.#openItem();
    const rest = open && this.#close(open);
    this.#give(addChunk(this.spoken, ''), samples);
    if (!open || !rest) return;
    const chunk = addChunk(this.spoken, rest, open.item);
    chunk.words.push(...wordsFrom(open, open.givenSamples));
    if (!this.#chunk) return;
    this.#chunk = chunk;
    this.#earlierSamples += open.givenSamples;
  }

  /** The voice delivers nothing: another one speaks the rest. */
  replaceVoice(): void {
    this.#voice?.abort();
  }

  /** Words and audio of the same item belong to the same chunk, whichever arrives first. */
  #take(piece: SpokenPiece): void {
    const last = this.spoken.chunks.at(-1);
    if (last?.item !== piece.item) this.#flush();
    const chunk = last?.item === piece.item ? last : addChunk(this.spoken, '', piece.item);
    if (piece.type === 'words') {
      chunk.text += piece.text;
      return;
    }
    this.spoken.firstAudioMs ??= this.#options.nowMs();
    this.#give(chunk, piece.samples);
  }

  /** The item that the model is speaking. */
  #openItem(): SpokenChunk | null {
    const last = this.spoken.chunks.at(-1);
    return last?.item === undefined ? null : last;
  }

  #fail(error: unknown): void {
    const { spoken, log } = this.#options;
    const stage = this.awaits === 'model' ? 'model' : 'voice';
    const turn = spoken.turn.number;
    log.warn({ err: error, turn, stage }, 'A turn could not be generated');
    this.#hasFailed = true;
    this.awaits = null;
    this.emit({ type: 'reply.failed', turn, stage });
  }

  /** Speaks one chunk. Each voice is tried for the words that are missing; a single voice is tried twice. */
  async #speak(text: string): Promise<void> {
    const { voiceCount, replaceVoice, log } = this.#options;
    let rest = text;
    for (let triesLeft = Math.max(2, voiceCount); rest !== '';) {
      this.#chunk = addChunk(this.spoken, rest);
      try {
        await this.#sound(rest);
        return;
      } catch (error) {
        if (this.signal.aborted) return;
        triesLeft -= 1;
        if (triesLeft === 0) throw error;
        log.warn({ err: error }, 'A voice failed in the middle of a turn');
        replaceVoice();
        rest = this.#close(this.#chunk);
      } finally {
        this.#flush();
        this.#chunk = null;
      }
    }
  }

  async #sound(text: string): Promise<void> {
    const { soundOf, nowMs } = this.#options;
    const voice = new AbortController();
    this.#voice = voice;
    this.#earlierSamples = 0;
    let leftSamples = this.#longest(text);
    const signal = AbortSignal.any([this.signal, voice.signal]);
    const onWord: OnWord = (word) => {
      if (this.#voice === voice) this.#noteWord(word);
    };
    for await (const samples of untilAborted(soundOf(text, signal, onWord), signal)) {
      if (samples.length === 0 || !this.#chunk) continue;
      leftSamples -= samples.length;
      if (leftSamples < 0) throw new SpeechError('unavailable', 'The voice does not end');
      this.spoken.firstAudioMs ??= nowMs();
      this.#give(this.#chunk, samples);
    }
    if (this.signal.aborted) return;
    if (voice.signal.aborted) throw new SpeechError('timed-out', 'The voice gave no sound in time');
    if (this.#chunk) this.#chunk.isComplete = true;
  }

  #noteWord({ text, startMs, endMs }: TimedWord): void {
    const sampleAt = (ms: number): number =>
      Math.round((ms * this.#options.sampleRateHz) / 1000) - this.#earlierSamples;
    this.#chunk?.words.push({ text, start: sampleAt(startMs), end: sampleAt(endMs) });
  }

  #longest(text: string): number {
    if (this.#options.isRecorded(text)) return Infinity;
    const longestMs = text.length * LONGEST_MS_PER_CHARACTER + LONGEST_BEYOND_MS;
    return (longestMs * this.#options.sampleRateHz) / 1000;
  }

  #give(chunk: SpokenChunk, samples: Int16Array): void {
    if (isFillerChunk(chunk)) chunk.isComplete = true;
    const { givenSamples, sentSamples } = this.spoken;
    // Between sentences the line may be empty because the model has not continued.
    const isUnderrun = chunk.givenSamples > 0 && sentSamples === givenSamples;
    if (isUnderrun && this.#playout.begin()) this.#options.onUnderrun();
    chunk.givenSamples += samples.length;
    this.spoken.givenSamples += samples.length;
    this.#pass(() => this.#playout.push(samples));
  }

  /** Plays what was collected after an underrun, unless the turn is cancelled. */
  #flush(): void {
    if (!this.signal.aborted) this.#pass(() => this.#playout.flush());
  }

  /** Cuts a chunk to the words that have audio. @returns the other words */
  #close(chunk: SpokenChunk): string {
    const { heard, rest } = splitHeard(chunk, chunk.givenSamples, this.#options.pace());
    chunk.text = heard;
    chunk.isComplete = heard !== '';
    return rest;
  }

  #pass(give: () => void): void {
    if (this.#held) this.#held.push(give);
    else give();
  }
}

function addChunk(spoken: SpokenTurn, text: string, item?: string): SpokenChunk {
  const chunk: SpokenChunk = { text, words: [], givenSamples: 0, isComplete: false, item };
  spoken.chunks.push(chunk);
  return chunk;
}
