/**
 * One caller: says the phrase when it is their turn, and keeps both tracks of the call: when they spoke and what they
 * heard.
 */
import { isTimeToSpeak, type CallerView } from './talk-caller.rules.ts';
import { saidTwice, type Phrase } from './talk-phrase.ts';
import { CHANGED_MIND_PAUSE_MS, CHANGED_MINDS, type Role } from './talk-script.rules.ts';
import type { CallTracks, Spoken } from './talk-tracks.rules.ts';
import type { CallerOnWire } from './talk-callers.ts';
import { FRAME_MS, type HeardPacket } from './talk-wire.ts';

/** Who calls. */
export interface CallerOptions {
  role: Role;
  phrase: Phrase;
  /** 0 to 1; seeded. */
  random: () => number;
}

/** Share of the packets that are lost on a bad line. */
const LOSS = 0.01;

/** See the head of the file. */
export class Caller implements CallerOnWire {
  readonly #options: CallerOptions;
  readonly #spoken: Spoken[] = [];
  readonly #heard: HeardPacket[] = [];
  /** Next frame of the phrase; null: silent. */
  #frame: number | null = null;
  #onsetMs = 0;
  /** What is said in this turn. */
  #phrase: Phrase;
  #view: CallerView;
  #isDone = false;

  constructor(options: CallerOptions) {
    this.#options = options;
    const { role, phrase, random } = options;
    this.#phrase = phrase;
    this.#view = { role, answeredMs: Infinity, heard: null, spokenMs: null, chance: random() };
  }

  answered(nowMs: number): void {
    this.#view.answeredMs = nowMs;
  }

  /** From now on the caller only listens. */
  finish(): void {
    this.#isDone = true;
  }

  ended(): void {
    this.finish();
  }

  tracks(): CallTracks {
    return { answeredMs: this.#view.answeredMs, spoken: this.#spoken, heard: this.#heard };
  }

  speak(nowMs: number): Uint8Array | 'silence' | 'lost' {
    if (this.#frame === null && !this.#isDone && isTimeToSpeak(this.#view, nowMs)) this.#begin();
    const frame = this.#frame === null ? 'silence' : this.#nextFrame(nowMs, this.#frame);
    return this.#isLost() ? 'lost' : frame;
  }

  hear(packet: HeardPacket): void {
    if (this.#isLost()) return;
    this.#heard.push(packet);
    if (!packet.loud || this.#frame !== null) return;
    const { fromMs, toMs } = packet.loud;
    this.#view.heard = { fromMs: this.#view.heard?.fromMs ?? fromMs, toMs };
  }

  #begin(): void {
    this.#frame = 0;
    const { role, phrase, random } = this.#options;
    const goesOn = role === 'talker' && random() < CHANGED_MINDS;
    this.#phrase = goesOn ? saidTwice(phrase, CHANGED_MIND_PAUSE_MS) : phrase;
  }

  #isLost(): boolean {
    const { role, random } = this.#options;
    return role === 'lossy' && random() < LOSS;
  }

  /** What a packet holds was said in the 20 ms before it is sent. */
  #nextFrame(nowMs: number, index: number): Uint8Array | 'silence' {
    const { frames, onsetMs, endMs } = this.#phrase;
    const phraseStartMs = nowMs - (index + 1) * FRAME_MS;
    if (index === 0) this.#onsetMs = phraseStartMs + onsetMs;
    const isLast = index + 1 === frames.length;
    if (isLast) this.#said(phraseStartMs + endMs);
    this.#frame = isLast ? null : index + 1;
    return frames[index] ?? 'silence';
  }

  #said(endMs: number): void {
    this.#spoken.push({ onsetMs: this.#onsetMs, endMs });
    this.#view = { ...this.#view, heard: null, spokenMs: endMs, chance: this.#options.random() };
  }
}
