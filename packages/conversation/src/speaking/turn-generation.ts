/**
 * One turn of the assistant on its way from text to the line: piece by piece through the voice, with an account of
 * what was made. Replaces a voice that fails in the middle of a sentence, for the words that are still missing. A turn
 * that is made ahead waits behind a gate; nothing of it is given away before the gate opens.
 */
import { SpeechError } from '@parley/speech';
import type { Log } from '@parley/runtime';
import type { SpokenTurn } from '../call-record.ts';
import type { ToolUse } from '../tools/tool-executor.ts';
import type { Awaits, TurnEvent } from '../turn/turn-state.ts';
import { isFillerChunk, splitHeard, type SpokenChunk } from './heard-text.rules.ts';
import type { SpokenPiece } from './spoken-reply.ts';
import { orAborted, untilAborted } from './until-aborted.ts';

/** A voice that makes more sound than this for a text will never end: about six times the usual length, and 5 s. */
const LONGEST_MS_PER_CHARACTER = 400;
const LONGEST_BEYOND_MS = 5000;

/** All it needs. */
export interface TurnGenerationOptions {
  spoken: SpokenTurn;
  isDraft: boolean;
  voiceCount: number;
  /** The voice at work failed. */
  replaceVoice: () => void;
  sampleRateHz: number;
  /** Sound made ahead, or the voice's. */
  soundOf: (text: string, signal: AbortSignal) => AsyncIterable<Int16Array>;
  /** Samples the voice needs for a character. */
  pace: () => number;
  play: (turn: number, samples: Int16Array) => void;
  nowMs: () => number;
  onEvent: (event: TurnEvent) => void;
  /** The call's own end. */
  callSignal: AbortSignal;
  log: Log;
}

/** Tools at work. */
export interface BegunTools {
  uses: readonly ToolUse[];
  finished: Promise<unknown>;
  awaits: 'tool' | 'caller';
}

/** Made for one turn, used once. */
export class TurnGeneration {
  readonly spoken: SpokenTurn;
  /** On whom it waits. */
  awaits: Awaits = 'model';
  readonly #options: TurnGenerationOptions;
  readonly #controller = new AbortController();
  /** Ends with the turn or the call. */
  readonly signal: AbortSignal;
  /** The piece that gets its sound now, and the end of the voice that makes it. */
  #chunk: SpokenChunk | null = null;
  #voice: AbortController | null = null;
  /** Sound and events behind the gate; null once it is open. */
  #held: (() => void)[] | null;
  readonly #opened = Promise.withResolvers<void>();
  #hasFailed = false;

  constructor(options: TurnGenerationOptions) {
    this.#options = options;
    this.spoken = options.spoken;
    this.#held = options.isDraft ? [] : null;
    if (!options.isDraft) this.#opened.resolve();
    this.signal = AbortSignal.any([options.callSignal, this.#controller.signal]);
  }

  /** Nothing more is made or given. */
  abort(): void {
    this.#controller.abort();
  }

  /** Not all of it could be made. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** A draft is wanted after all: gives away what was made. */
  open(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const give of held) give();
    this.#opened.resolve();
  }

  /**
   * Waits for tools. What they do cannot be taken back, so a turn that is made ahead begins none before it is wanted.
   * Nothing is used, and nobody waited for, once the turn is broken off.
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

  /** Something happened while it was made; told when the gate is open. */
  emit(event: TurnEvent): void {
    this.#pass(() => this.#options.onEvent(event));
  }

  /** Makes all pieces, or fails and tells so. Never rejects. */
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

  /** The same for a model that gives words and sound at once. */
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
    this.awaits = null;
  }

  /** Says a clip before the next word. It is no part of what the turn says. */
  fill(samples: Int16Array): void {
    const open = this.#chunk ?? this.#openItem();
    const rest = open && this.#close(open);
    this.#give(addChunk(this.spoken, ''), samples);
    if (!open || !rest) return;
    const chunk = addChunk(this.spoken, rest, open.item);
    if (this.#chunk) this.#chunk = chunk;
  }

  /** The voice gives nothing: another one says the rest. */
  replaceVoice(): void {
    this.#voice?.abort();
  }

  /** Words go with the sound of the same item, whichever comes first. */
  #take(piece: SpokenPiece): void {
    const last = this.spoken.chunks.at(-1);
    const chunk = last?.item === piece.item ? last : addChunk(this.spoken, '', piece.item);
    if (piece.type === 'words') {
      chunk.text += piece.text;
      return;
    }
    this.spoken.firstAudioMs ??= this.#options.nowMs();
    this.#give(chunk, piece.samples);
  }

  /** What the model was saying when it stopped. */
  #openItem(): SpokenChunk | null {
    const last = this.spoken.chunks.at(-1);
    return last?.item === undefined ? null : last;
  }

  #fail(error: unknown): void {
    const { spoken, log } = this.#options;
    const stage = this.awaits === 'model' ? 'model' : 'voice';
    const turn = spoken.turn.number;
    log.warn({ err: error, turn, stage }, 'a turn could not be made');
    this.#hasFailed = true;
    this.awaits = null;
    this.emit({ type: 'reply.failed', turn, stage });
  }

  /** Speaks one piece; each voice is asked for the words that are still missing, a single one twice. */
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
        log.warn({ err: error }, 'a voice failed in the middle of a turn');
        replaceVoice();
        rest = this.#close(this.#chunk);
      } finally {
        this.#chunk = null;
      }
    }
  }

  async #sound(text: string): Promise<void> {
    const { soundOf, nowMs } = this.#options;
    const voice = new AbortController();
    this.#voice = voice;
    let leftSamples = this.#longest(text);
    const signal = AbortSignal.any([this.signal, voice.signal]);
    for await (const samples of untilAborted(soundOf(text, signal), signal)) {
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

  #longest(text: string): number {
    const longestMs = text.length * LONGEST_MS_PER_CHARACTER + LONGEST_BEYOND_MS;
    return (longestMs * this.#options.sampleRateHz) / 1000;
  }

  #give(chunk: SpokenChunk, samples: Int16Array): void {
    if (isFillerChunk(chunk)) chunk.isComplete = true;
    chunk.givenSamples += samples.length;
    this.spoken.givenSamples += samples.length;
    this.#pass(() => this.#options.play(this.spoken.turn.number, samples));
  }

  /** Cuts a piece to the words it has sound for. @returns the words it has none for */
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
  const chunk: SpokenChunk = { text, givenSamples: 0, isComplete: false, item };
  spoken.chunks.push(chunk);
  return chunk;
}
