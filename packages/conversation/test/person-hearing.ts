/**
 * A detector and recognisers for people in virtual time (`virtual-person.ts`), which are as late and as wrong as real ones.
 * The recognisers are told each word when its sound has ended.
 */
import type { Clock, Timer } from '@parley/runtime';
import type { Recogniser, RecogniserEvent, RecogniserStream, VoiceActivityDetector } from '@parley/speech';
import type { Chance } from './random.ts';

/** 32 ms at 16 000 Hz. */
const WINDOW_SAMPLES = 512;
const SAMPLES_PER_MS = 16;
const SPEECH_PEAK = 60;
/** The detector reports speech for this many windows after its end. */
const TAIL_WINDOWS = 2;

/** Detects the faintest voices, as Silero does, and reports the end of speech late. */
export function lateDetector(): VoiceActivityDetector {
  return {
    open(onWindow) {
      let [filled, peak, windows, tail] = [0, 0, 0, 0];
      let isClosed = false;
      const endWindow = (): void => {
        const endMs = (++windows * WINDOW_SAMPLES) / SAMPLES_PER_MS;
        tail = peak >= SPEECH_PEAK ? TAIL_WINDOWS : tail - 1;
        const probability = peak >= SPEECH_PEAK ? 0.99 : tail >= 0 ? 0.6 : 0.02;
        [filled, peak] = [0, 0];
        queueMicrotask(() => {
          if (!isClosed) onWindow(probability, endMs);
        });
      };
      return {
        push: (samples) => {
          for (const sample of samples) {
            if (sample > peak) peak = sample;
            if (++filled === WINDOW_SAMPLES) endWindow();
          }
        },
        close: () => void (isClosed = true),
      };
    },
    close: () => Promise.resolve(),
  };
}

/** `whole`: results only after the end of an utterance, as of the built-in recogniser. `streaming`: interim results too. */
export type HearingKind = 'whole' | 'streaming';

/** One word that was said. */
interface SaidWord {
  text: string;
  lengthMs: number;
  /** True for a voice in the background, which only streaming recognisers transcribe. */
  isBackground: boolean;
}

/** A recogniser and what tells it the words. */
export interface PersonHearing {
  recogniser: Recogniser;
  /** The sound of a word has ended. */
  hear(word: SaidWord): void;
}

/** Delays from a request or a word to the result, and how often results are wrong or missing. */
const WHOLE = { fromMs: 80, toMs: 400, empty: 0.03, emptyShort: 0.4, shortMs: 350, wrong: 0.1 } as const;
const STREAMING = {
  guessMs: { from: 100, to: 600 },
  finalMs: { from: 60, to: 350 },
  late: 0.05,
  lateMs: 1200,
  never: 0.03,
  wrong: 0.1,
  gapMs: 1000,
} as const;

/** @see HearingKind */
export function personHearing(kind: HearingKind, clock: Clock, dice: Chance): PersonHearing {
  let stream: HeardStream | null = null;
  return {
    recogniser: {
      capabilities: {
        hasInterim: kind === 'streaming',
        sampleRateHz: 16_000,
        finalWithinMs: kind === 'streaming' ? 500 : 2500,
        endOfTurn: 'none',
      },
      open(_options, onEvent) {
        stream = new HeardStream({ kind, clock, dice, onEvent });
        return stream;
      },
    },
    hear: (word) => stream?.hear(word),
  };
}

interface HeardStreamOptions {
  kind: HearingKind;
  clock: Clock;
  dice: Chance;
  onEvent: (event: RecogniserEvent) => void;
}

class HeardStream implements RecogniserStream {
  readonly #options: HeardStreamOptions;
  readonly #timers = new Set<Timer>();
  /** Since the last final. */
  #words: SaidWord[] = [];
  #finals = 0;
  /** Finals that were asked for and are under way. */
  #finalsOwed = 0;
  /** The newest interim result that was not sent, and the number of finals that were asked for before it. */
  #guess: { text: string; finals: number } | null = null;
  #samples = 0;
  #gap: Timer | null = null;

  constructor(options: HeardStreamOptions) {
    this.#options = options;
  }

  push(samples: Int16Array): void {
    this.#samples += samples.length;
  }

  hear(word: SaidWord): void {
    const { kind, dice } = this.#options;
    if (kind === 'whole' && word.isBackground) return;
    this.#words.push(word);
    if (kind === 'whole') return;
    const { guessMs, wrong, gapMs } = STREAMING;
    const finals = this.#finals;
    const words = this.#words.map(({ text }) => text);
    const text = (dice.isHit(wrong) ? [...words.slice(0, -1), 'label'] : words).join(' ');
    this.#later(within(guessMs, dice), () => {
      this.#guess = { text, finals };
      this.#sendGuess();
    });
    this.#gap?.cancel();
    this.#gap = this.#later(gapMs, () => this.#options.onEvent({ type: 'word-gap' }));
  }

  finalise(): void {
    const { kind, dice, onEvent } = this.#options;
    const endMs = this.#samples / SAMPLES_PER_MS;
    if (kind === 'streaming' && dice.isHit(STREAMING.never)) return;
    const words = this.#words;
    this.#words = [];
    this.#finals += 1;
    const text = kind === 'whole' ? understood(words, dice) : words.map((word) => word.text).join(' ');
    this.#finalsOwed += 1;
    this.#later(this.#finalAfter(), () => {
      this.#finalsOwed -= 1;
      onEvent({ type: 'final', text, endMs });
      this.#sendGuess();
    });
  }

  /** Results come in the order of the sound: no interim result precedes the final before it. */
  #sendGuess(): void {
    if (this.#finalsOwed > 0 || !this.#guess) return;
    const { text, finals } = this.#guess;
    this.#guess = null;
    if (finals === this.#finals) this.#options.onEvent({ type: 'interim', text });
  }

  close(): void {
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
  }

  #finalAfter(): number {
    const { kind, dice } = this.#options;
    if (kind === 'whole') return within({ from: WHOLE.fromMs, to: WHOLE.toMs }, dice);
    return dice.isHit(STREAMING.late) ? STREAMING.lateMs : within(STREAMING.finalMs, dice);
  }

  #later(afterMs: number, run: () => void): Timer {
    const timer = this.#options.clock.after(afterMs, () => {
      this.#timers.delete(timer);
      run();
    });
    this.#timers.add(timer);
    return timer;
  }
}

/** Short utterances are often missed, and now and then a word is wrong. */
function understood(words: readonly SaidWord[], dice: Chance): string {
  const lengthMs = words.reduce((sum, word) => sum + word.lengthMs, 0);
  const { empty, emptyShort, shortMs, wrong } = WHOLE;
  if (dice.isHit(lengthMs < shortMs ? emptyShort : empty)) return '';
  const texts = words.map(({ text }) => text);
  if (texts.length > 1 && dice.isHit(wrong)) texts[dice.whole(texts.length)] = 'label';
  return texts.join(' ');
}

function within({ from, to }: { from: number; to: number }, dice: Chance): number {
  return from + dice.whole(to - from);
}
