/** One person of `bench:people`: carries out their plan, and keeps what they said and heard. */
import { applyGain, decodeG711, encodeG711, gainOfDb, mixInto } from '@parley/audio';
import { needsAnswer, type Act, type PlannedAct } from '@parley/testkit';
import { actNow, answerTurn, ASSISTANT_PAUSE_MS, type PersonView } from '@parley/testkit';
import type { Words } from './people-words.ts';
import type { CallerOnWire } from './talk-callers.ts';
import { saidAfter, type Phrase } from './talk-phrase.ts';
import type { CallTracks, Spoken } from './talk-tracks.rules.ts';
import { FRAME_MS, FRAME_SAMPLES, type HeardPacket, type KeyFrame } from './talk-wire.ts';

/** One act as it was carried out. */
export interface Said extends Spoken {
  act: Act;
}

/** Who calls, and whose voice is in the background. */
interface PersonOptions {
  plan: readonly PlannedAct[];
  words: Words;
  background: Words;
  /** How long the assistant's turns take. */
  expectedMs: number;
  onDone: () => void;
}

interface Saying {
  act: Act;
  phrase: Phrase;
  /** The next one. */
  frame: number;
}

interface PressedKey {
  digit: number;
  /** Packets that were sent. */
  count: number;
  fromMs: number;
}

const BACKGROUND_GAIN = gainOfDb(-30);
/** Without an answer to the last act, the person hangs up after this time. */
const LEAVES_AFTER_MS = 15_000;
const KEY_PACKETS = 8;
const FINAL_KEY_PACKETS = 3;

/** See the head of the file. */
export class Person implements CallerOnWire {
  readonly #options: PersonOptions;
  readonly #plan: PlannedAct[];
  readonly #said: Said[] = [];
  readonly #heard: HeardPacket[] = [];
  #view: PersonView;
  /** What is being said. */
  #saying: Saying | null = null;
  #key: PressedKey | null = null;
  /** Since when the person says nothing on purpose; null: they do not. */
  #silentSinceMs: number | null = null;
  #background: Uint8Array[] = [];
  #doneMs: number | null = null;
  #wasCutOff = false;

  constructor(options: PersonOptions) {
    this.#options = options;
    this.#plan = [...options.plan];
    const { expectedMs } = options;
    this.#view = { answeredMs: Infinity, assistant: null, expectedMs, doneMs: Infinity, wasAside: true };
  }

  answered(nowMs: number): void {
    this.#view.answeredMs = nowMs;
    this.#view.doneMs = nowMs;
  }

  finish(): void {
    this.#plan.length = 0;
  }

  ended(nowMs: number): void {
    if (this.#doneMs !== null) return;
    this.#wasCutOff = true;
    this.#leave(nowMs);
  }

  /** Everything that the person did, when they had finished, and whether the call ended before that. */
  story(): { said: readonly Said[]; doneMs: number; wasCutOff: boolean } {
    return { said: this.#said, doneMs: this.#doneMs ?? 0, wasCutOff: this.#wasCutOff };
  }

  tracks(): CallTracks {
    const { answeredMs } = this.#view;
    return { answeredMs, spoken: this.#said, heard: this.#heard };
  }

  speak(nowMs: number): Uint8Array | 'silence' | KeyFrame {
    this.#breakSilence();
    if (!this.#saying && !this.#key && this.#silentSinceMs === null) this.#next(nowMs);
    if (this.#key) return this.#nextKeyFrame(nowMs, this.#key);
    const frame = this.#saying ? this.#nextFrame(nowMs, this.#saying) : 'silence';
    const behind = this.#background.shift();
    return behind ? mixed(frame, behind) : frame;
  }

  hear(packet: HeardPacket): void {
    this.#heard.push(packet);
    if (!packet.loud) return;
    const { fromMs, toMs } = packet.loud;
    const { assistant } = this.#view;
    if (assistant && fromMs - assistant.toMs < ASSISTANT_PAUSE_MS) assistant.toMs = toMs;
    else this.#view.assistant = { fromMs, toMs };
  }

  #next(nowMs: number): void {
    const [planned] = this.#plan;
    if (!planned) return this.#leaveWhenAnswered(nowMs);
    const act = actNow(planned, this.#view, nowMs);
    if (act === null) return;
    this.#plan.shift();
    if (act === 'silence') this.#silentSinceMs = nowMs;
    else if (act === 'key') this.#key = { digit: planned.atMs, count: 0, fromMs: nowMs };
    else this.#begin(act, planned);
  }

  #begin(act: Exclude<Act, 'silence' | 'key'>, { chance, atMs }: PlannedAct): void {
    const { words, background } = this.#options;
    const first = one(words.byAct[act], chance);
    const phrase = act === 'pause' ? saidAfter(first, one(words.afterPause, chance), atMs) : first;
    this.#saying = { act, phrase, frame: 0 };
    if (act === 'background') this.#background = background.byAct.long.flatMap(({ frames }) => frames);
  }

  #nextFrame(nowMs: number, saying: Saying): Uint8Array | 'silence' {
    const { frames, onsetMs, endMs } = saying.phrase;
    const frame = frames[saying.frame++] ?? 'silence';
    if (saying.frame < frames.length) return frame;
    const phraseMs = nowMs - frames.length * FRAME_MS;
    this.#did(saying.act, phraseMs + onsetMs, phraseMs + endMs);
    this.#saying = null;
    return frame;
  }

  #nextKeyFrame(nowMs: number, key: PressedKey): KeyFrame {
    key.count += 1;
    const count = Math.min(key.count, KEY_PACKETS);
    const isEnd = key.count >= KEY_PACKETS;
    if (key.count === KEY_PACKETS + FINAL_KEY_PACKETS - 1) {
      this.#did('key', key.fromMs, nowMs);
      this.#key = null;
    }
    return { digit: key.digit, count, isEnd };
  }

  #breakSilence(): void {
    const sinceMs = this.#silentSinceMs;
    const { assistant } = this.#view;
    if (sinceMs === null || !assistant || assistant.fromMs <= sinceMs) return;
    this.#silentSinceMs = null;
    this.#did('silence', sinceMs, assistant.fromMs);
  }

  #did(act: Act, onsetMs: number, endMs: number): void {
    this.#said.push({ act, onsetMs, endMs });
    this.#view.doneMs = endMs;
    this.#view.wasAside = !needsAnswer(act);
  }

  #leaveWhenAnswered(nowMs: number): void {
    if (this.#doneMs !== null) return;
    const turn = answerTurn(this.#view);
    const isAnswered = turn !== null && nowMs - turn.toMs >= ASSISTANT_PAUSE_MS;
    if (!isAnswered && nowMs - this.#view.doneMs < LEAVES_AFTER_MS) return;
    this.#leave(nowMs);
  }

  #leave(nowMs: number): void {
    this.#doneMs = nowMs;
    this.#options.onDone();
  }
}

function one<Item>(items: readonly Item[], chance: number): Item {
  const item = items[Math.floor(chance * items.length)];
  if (item === undefined) throw new Error('There are no words for this act');
  return item;
}

function mixed(frame: Uint8Array | 'silence', behind: Uint8Array): Uint8Array {
  const samples = new Int16Array(FRAME_SAMPLES);
  const quiet = new Int16Array(FRAME_SAMPLES);
  if (frame !== 'silence') decodeG711('PCMU', frame, samples);
  decodeG711('PCMU', behind, quiet);
  applyGain(quiet, BACKGROUND_GAIN);
  mixInto(samples, quiet);
  const octets = new Uint8Array(FRAME_SAMPLES);
  encodeG711('PCMU', samples, octets);
  return octets;
}
