/**
 * The simulated streaming recogniser of `bench:people`: it recognises a word in every 300 ms of speech, however quiet, and
 * its interim results are as late, and now and then as wrong, as those of hosted services. A voice in the background is
 * transcribed like any other.
 */

/** An interim result. */
export interface Guess {
  text: string;
  /** After the sound of its last word. */
  lateMs: number;
  /** Counts the final results before it: a guess that is sent after the next final result is outdated. */
  finals: number;
}

/** Peak from which sound counts as speech: 58 dB below full scale, so that a voice in the background does too. */
const SPEECH_PEAK = 40;
const WORD_MS = 300;
/** The rest of a segment of speech is a word from this length on. */
const SHORTEST_WORD_MS = 120;
/** After this much silence, speech is a new segment. */
const SEGMENT_GAP_MS = 200;
const LATE_MS = { from: 100, to: 600 };
/** Share of the interim results whose last word is wrong. */
const WRONG = 0.1;
const WORDS = ['the', 'table', 'is', 'for', 'my', 'sister', 'and', 'her', 'children', 'tomorrow', 'evening'];
/** The first of a segment. A segment of this word alone is an answer after a question, and a backchannel elsewhere. */
const FIRST_WORD = 'okay';
const BYTES_PER_MS = 16;

/** One call. */
export class WordRecogniser {
  readonly #random: () => number;
  /** Since the last final result. */
  readonly #words: string[] = [];
  #finals = 0;
  #nowMs = 0;
  #lastLoudMs = -Infinity;
  /** The beginning and the words of the present segment. */
  #segment = { beganMs: 0, words: 0 };
  #spoken = 0;

  /** @param random - 0 to 1; seeded */
  constructor(random: () => number) {
    this.#random = random;
  }

  /**
   * @param sound - mono Int16 little endian, 8000 Hz
   * @returns the interim result if a word was added, otherwise null
   */
  push(sound: Buffer): Guess | null {
    this.#nowMs += sound.length / BYTES_PER_MS;
    const before = this.#words.length;
    if (peakOf(sound) >= SPEECH_PEAK) this.#follow();
    else if (this.#nowMs - this.#lastLoudMs >= SEGMENT_GAP_MS) this.#addLastWord();
    if (this.#words.length === before) return null;
    const lateMs = LATE_MS.from + this.#random() * (LATE_MS.to - LATE_MS.from);
    const text = this.#random() < WRONG ? [...this.#words.slice(0, -1), 'label'] : this.#words;
    return { text: text.join(' '), lateMs, finals: this.#finals };
  }

  /** A final result was asked for: everything since the last one. */
  take(): string {
    this.#addLastWord();
    this.#finals += 1;
    return this.#words.splice(0).join(' ');
  }

  isOutdated({ finals }: Guess): boolean {
    return finals < this.#finals;
  }

  #follow(): void {
    if (this.#nowMs - this.#lastLoudMs >= SEGMENT_GAP_MS) this.#segment = { beganMs: this.#nowMs, words: 0 };
    this.#lastLoudMs = this.#nowMs;
    const words = Math.floor((this.#nowMs - this.#segment.beganMs) / WORD_MS);
    while (this.#segment.words < words) this.#addWord();
  }

  /** The sound after the last whole word of a segment. */
  #addLastWord(): void {
    const { beganMs, words } = this.#segment;
    const restMs = this.#lastLoudMs - beganMs - words * WORD_MS;
    if (restMs >= SHORTEST_WORD_MS) this.#addWord();
  }

  #addWord(): void {
    this.#segment.words += 1;
    const isFirst = this.#segment.words === 1;
    this.#words.push(isFirst ? FIRST_WORD : (WORDS[this.#spoken++ % WORDS.length] ?? FIRST_WORD));
  }
}

function peakOf(sound: Buffer): number {
  let highest = 0;
  for (let at = 0; at + 1 < sound.length; at += 2)
    highest = Math.max(highest, Math.abs(sound.readInt16LE(at)));
  return highest;
}
