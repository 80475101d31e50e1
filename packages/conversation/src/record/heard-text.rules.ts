/**
 * How much of the assistant's text was heard: the text of each chunk, cut to the audio that was sent. Voices that report
 * word times give the position of words; otherwise it is estimated from their length, which is accurate to about a word. The
 * count comes from the samples that the line has sent, never from what was generated.
 */
import { wordSpans, type SpokenWord } from './word-spans.rules.ts';

/** A chunk of a turn and its audio. */
export interface SpokenChunk {
  /** Empty, without an item, for a filler: audible, but not part of the turn's text. */
  text: string;
  /** For a speech-to-speech model: the model's id of this item. Its words may arrive later than its audio. */
  item?: string | undefined;
  /** The words whose times the voice has reported so far, in order. */
  readonly words: SpokenWord[];
  /** Samples passed to the line. */
  givenSamples: number;
  /** The synthesiser has delivered all of it. */
  isComplete: boolean;
}

/** The text of the chunks that `sentSamples` cover, joined by spaces. */
export function heardText(
  chunks: readonly SpokenChunk[],
  sentSamples: number,
  samplesPerCharacter: number,
): string {
  const heard: string[] = [];
  let leftSamples = sentSamples;
  for (const chunk of chunks) {
    if (leftSamples <= 0) break;
    heard.push(splitHeard(chunk, leftSamples, samplesPerCharacter).heard);
    leftSamples -= chunk.givenSamples;
  }
  return heard.filter((text) => text !== '').join(' ');
}

/**
 * Splits a chunk into the words that `samples` of its audio cover, and the rest. A half spoken word counts as heard.
 *
 * @param samplesPerCharacter - the pace of the voice, to estimate the length of a chunk that is not complete
 */
export function splitHeard(
  chunk: SpokenChunk,
  samples: number,
  samplesPerCharacter: number,
): { heard: string; rest: string } {
  if (chunk.isComplete && chunk.givenSamples > 0 && samples >= chunk.givenSamples)
    return { heard: chunk.text, rest: '' };
  const words = chunk.text.match(/\S+/gu) ?? [];
  const spans = wordSpans(words, chunk.words);
  const timed = spans.filter(({ start, end }) => samples >= (start + end) / 2).length;
  const count = timed < spans.length ? timed : timed + estimate(chunk, words.slice(timed));
  return { heard: words.slice(0, count).join(' '), rest: words.slice(count).join(' ') };

  /** How many of the last words of a chunk were heard, by their length. */
  function estimate({ givenSamples }: SpokenChunk, untimed: readonly string[]): number {
    const begin = Math.max(0, spans.at(-1)?.end ?? 0);
    const length = Math.max(1, soundLength(chunk, samplesPerCharacter) - begin);
    const share = (Math.min(samples, givenSamples) - begin) / length;
    const total = untimed.reduce((sum, word) => sum + word.length + 1, 0);
    let before = 0;
    const next = untimed.findIndex((word) => {
      const middle = (before + (word.length + 1) / 2) / total;
      before += word.length + 1;
      return middle > share;
    });
    return next === -1 ? untimed.length : next;
  }
}

/** The words of a chunk that are not heard after `samples` of its audio, as words of a chunk that begins there. */
export function wordsFrom({ words }: SpokenChunk, samples: number): SpokenWord[] {
  return words.flatMap(({ text, start, end }) =>
    samples >= (start + end) / 2 ? [] : { text, start: start - samples, end: end - samples },
  );
}

/** Samples until the end of the word that sounds after `sentSamples`; 0 between words and where no times are known. */
export function samplesToWordEnd(chunks: readonly SpokenChunk[], sentSamples: number): number {
  let at = sentSamples;
  for (const chunk of chunks) {
    if (at < chunk.givenSamples) {
      const spans = wordSpans(chunk.text.match(/\S+/gu) ?? [], chunk.words);
      const word = spans.find(({ start, end }) => start < at && at < end);
      return word ? word.end - at : 0;
    }
    at -= chunk.givenSamples;
  }
  return 0;
}

/** Whether a chunk is a filler. */
export function isFillerChunk({ text, item }: SpokenChunk): boolean {
  return text === '' && item === undefined;
}

/** Whether the samples of a turn from `start` to `end` belong only to fillers. */
export function isFiller(chunks: readonly SpokenChunk[], start: number, end: number): boolean {
  let from = 0;
  for (const chunk of chunks) {
    const { givenSamples } = chunk;
    const isWithin = from < end && from + givenSamples > start;
    if (isWithin && !isFillerChunk(chunk)) return false;
    from += givenSamples;
  }
  return true;
}

/** Samples of the whole chunk; at least 1, because it is a divisor. */
function soundLength(chunk: SpokenChunk, samplesPerCharacter: number): number {
  if (chunk.isComplete) return Math.max(1, chunk.givenSamples);
  return Math.max(1, chunk.givenSamples, chunk.text.length * samplesPerCharacter);
}

/** The pace until a voice has finished a chunk: about 15 characters a second. */
const USUAL_MS_PER_CHARACTER = 65;

/** Samples per character, measured on the complete chunks. */
export function paceOf(chunks: Iterable<SpokenChunk>, sampleRateHz: number): number {
  let characters = 0;
  let samples = 0;
  for (const chunk of chunks) {
    if (!chunk.isComplete || chunk.givenSamples === 0 || chunk.text === '') continue;
    characters += chunk.text.length;
    samples += chunk.givenSamples;
  }
  return characters === 0 ? (USUAL_MS_PER_CHARACTER * sampleRateHz) / 1000 : samples / characters;
}
