/** Which items of a cancelled turn a speech-to-speech model must truncate. */
import { heardText, type SpokenChunk } from '../record/heard-text.rules.ts';

/** An item of which only the beginning was heard. */
export interface Truncation {
  item: string;
  heardMs: number;
  /** The words in that beginning. */
  heardText: string;
}

/** How samples are counted. */
export interface Pace {
  sampleRateHz: number;
  samplesPerCharacter: number;
}

/** The items of a turn that were not heard completely. Fillers and fixed texts are not items; they only count as sent. */
export function truncations(
  chunks: readonly SpokenChunk[],
  sentSamples: number,
  { sampleRateHz, samplesPerCharacter }: Pace,
): Truncation[] {
  const items = new Map<string, { heard: number; given: number; texts: string[] }>();
  let left = sentSamples;
  for (const chunk of chunks) {
    const { item, givenSamples } = chunk;
    const heard = Math.min(Math.max(0, left), givenSamples);
    const text = heardText([chunk], left, samplesPerCharacter);
    left -= givenSamples;
    if (item === undefined || item === '') continue;
    const before = items.get(item) ?? { heard: 0, given: 0, texts: [] };
    items.set(item, {
      heard: before.heard + heard,
      given: before.given + givenSamples,
      texts: text === '' ? before.texts : [...before.texts, text],
    });
  }
  return [...items].flatMap(([item, { heard, given, texts }]) =>
    heard < given ? [{ item, heardMs: (heard * 1000) / sampleRateHz, heardText: texts.join(' ') }] : [],
  );
}
