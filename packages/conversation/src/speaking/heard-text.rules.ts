/**
 * How much of what the assistant said was heard: the text of each piece cut to the sound of it that was sent. Within
 * a piece, words are placed by their length, which is right to about a word. Truth comes from the line's own count of
 * samples, never from what was merely made.
 */

/** A piece of a turn, and the sound made for it. */
export interface SpokenChunk {
  /** Empty without an item for a filler: heard, but no part of what was said. */
  text: string;
  /** Where a model speaks by itself: what it calls this. Its words may come later than the sound. */
  item?: string | undefined;
  /** Samples handed to the line. */
  givenSamples: number;
  /** The synthesiser has made all of it. */
  isComplete: boolean;
}

/** What of a turn's pieces `sentSamples` cover, from the first on; the words in between joined by spaces. */
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
 * Divides a piece into the words `samples` of its sound cover and the rest. A word half said counts as heard.
 *
 * @param samplesPerCharacter - the voice's pace, by which the length of a piece is guessed that is still being made
 */
export function splitHeard(
  chunk: SpokenChunk,
  samples: number,
  samplesPerCharacter: number,
): { heard: string; rest: string } {
  if (chunk.isComplete && chunk.givenSamples > 0 && samples >= chunk.givenSamples)
    return { heard: chunk.text, rest: '' };
  const words = chunk.text.match(/\S+/gu) ?? [];
  const share = Math.min(samples, chunk.givenSamples) / soundLength(chunk, samplesPerCharacter);
  const total = words.reduce((sum, word) => sum + word.length + 1, 0);
  let before = 0;
  let count = 0;
  for (const word of words) {
    if ((before + (word.length + 1) / 2) / total > share) break;
    before += word.length + 1;
    count += 1;
  }
  return { heard: words.slice(0, count).join(' '), rest: words.slice(count).join(' ') };
}

/** Whether a piece is nothing but filler. */
export function isFillerChunk({ text, item }: SpokenChunk): boolean {
  return text === '' && item === undefined;
}

/** Whether the samples of a turn from `start` on, up to `end`, are nothing but filler. */
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

/** Samples of the whole piece; at least 1, so that it can divide. */
function soundLength(chunk: SpokenChunk, samplesPerCharacter: number): number {
  if (chunk.isComplete) return Math.max(1, chunk.givenSamples);
  return Math.max(1, chunk.givenSamples, chunk.text.length * samplesPerCharacter);
}

/** Until a voice has finished a piece: about 15 characters a second. */
const USUAL_MS_PER_CHARACTER = 65;

/** How many samples the voice needs for a character, by the pieces it has finished. */
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
