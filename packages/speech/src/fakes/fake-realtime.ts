/** Speech to speech that hears and says what the test has written, and keeps account of all it was told. */
import { tone } from '@parley/audio';
import { pause, type Clock } from '@parley/runtime';
import type {
  DialogueEntry,
  RealtimeEvent,
  RealtimeModel,
  RealtimeOptions,
  RealtimePiece,
  RealtimeSession,
} from '../ports.ts';
import { SpeechError } from '../ports.ts';

const MS_PER_CHARACTER = 50;
/** What a `…` in an answer takes. */
const STALL_MS = 3500;
const TONE_HZ = 440;

/** One answer: what is said (`…`: nothing comes for 3.5 s), what is called, or how it fails. Null: it does not come. */
export type FakeSpokenAnswer =
  | string
  | { call: string; arguments: Record<string, unknown> }
  | SpeechError
  | null;

/** @see createFakeRealtime */
export interface FakeRealtimeOptions {
  clock: Clock;
  /** What the commits turn out to be, in order, over all sessions. */
  utterances?: readonly string[];
  /** From a commit to its words, milliseconds. */
  wordsAfterMs?: number;
  /** One for each reply, in order, over all sessions; then an empty one. */
  answers: readonly FakeSpokenAnswer[];
  /** Why no text is read out. */
  cannotSpeak?: SpeechError;
  /** From the order of a reply to its first piece, milliseconds. */
  firstPieceAfterMs?: number;
}

/** The model, and what it was told, by all sessions in order. */
export interface FakeRealtime extends RealtimeModel {
  readonly told: readonly string[];
  readonly opened: readonly RealtimeOptions[];
  /** Sound heard so far, milliseconds. */
  heardMs(): number;
  /** The session at work breaks. */
  breakDown(): void;
}

/** Sound is a tone of 50 ms for each character. */
export function createFakeRealtime(options: FakeRealtimeOptions): FakeRealtime {
  const script: Script = { ...options, told: [], commits: 0, replies: 0, items: 0, samples: 0 };
  const opened: RealtimeOptions[] = [];
  let current: FakeSession | null = null;
  return {
    told: script.told,
    opened,
    heardMs: () => (script.samples * 1000) / (opened[0]?.sampleRateHz ?? 1),
    breakDown: () => current?.breakDown(),
    open(wanted, onEvent) {
      opened.push(wanted);
      current = new FakeSession(script, wanted, onEvent);
      return current;
    },
  };
}

interface Script extends FakeRealtimeOptions {
  told: string[];
  commits: number;
  replies: number;
  items: number;
  samples: number;
}

class FakeSession implements RealtimeSession {
  readonly #script: Script;
  readonly #rateHz: number;
  readonly #onEvent: (event: RealtimeEvent) => void;
  readonly #end = new AbortController();

  constructor(script: Script, wanted: RealtimeOptions, onEvent: (event: RealtimeEvent) => void) {
    this.#script = script;
    this.#rateHz = wanted.sampleRateHz;
    this.#onEvent = onEvent;
  }

  push(samples: Int16Array): void {
    this.#script.samples += samples.length;
  }

  commit(endMs: number): void {
    const { clock, utterances = [], wordsAfterMs = 0 } = this.#script;
    const text = utterances[this.#script.commits++] ?? '';
    this.#script.told.push('commit');
    clock.after(wordsAfterMs, () => this.#tell({ type: 'words', text, endMs }));
  }

  note(entry: DialogueEntry): void {
    const what = entry.role === 'tool' ? entry.result : entry.text;
    this.#script.told.push(`${entry.role}: ${what}`);
  }

  async *reply(systemPrompt: string | null, signal: AbortSignal): AsyncGenerator<RealtimePiece> {
    const { clock, answers, firstPieceAfterMs = 0 } = this.#script;
    await Promise.resolve();
    const answer = this.#script.replies < answers.length ? answers[this.#script.replies] : '';
    this.#script.replies += 1;
    this.#script.told.push(systemPrompt === null ? 'reply' : 'reply otherwise');
    await pause(clock, answer === null ? Infinity : firstPieceAfterMs, signal);
    if (answer instanceof SpeechError) throw answer;
    if (answer === null || answer === undefined) return;
    if (typeof answer !== 'string') {
      yield { type: 'tool-call', id: 'call-1', name: answer.call, arguments: answer.arguments };
      return;
    }
    const item = `item-${++this.#script.items}`;
    for (const word of answer.split(/(?<= )/u)) {
      if (word.trim() === '…') await pause(clock, STALL_MS, signal);
      if (signal.aborted) return;
      if (word.trim() === '…') continue;
      if (this.#end.signal.aborted) throw new SpeechError('unavailable', 'The session is over');
      yield { type: 'words', item, text: word };
      yield { type: 'sound', item, samples: this.#hum(word) };
    }
  }

  async *speak(text: string, signal: AbortSignal): AsyncGenerator<Int16Array> {
    if (this.#script.cannotSpeak) throw this.#script.cannotSpeak;
    if (!signal.aborted) yield this.#hum(text);
  }

  truncate(item: string, heardMs: number, heardText: string): void {
    this.#script.told.push(`${item} was heard for ${Math.round(heardMs)} ms: ${heardText}`);
  }

  close(): void {
    this.#end.abort();
  }

  breakDown(): void {
    this.#tell({ type: 'failed', error: new SpeechError('unavailable', 'The session broke') });
    this.#end.abort();
  }

  #tell(event: RealtimeEvent): void {
    if (!this.#end.signal.aborted) this.#onEvent(event);
  }

  #hum(text: string): Int16Array {
    const samples = (text.length * MS_PER_CHARACTER * this.#rateHz) / 1000;
    return tone({ hz: TONE_HZ, sampleRateHz: this.#rateHz, samples });
  }
}
