/** What a model that speaks by itself must forget of a turn that was broken off. */
import type { SpokenChunk } from '../speaking/heard-text.rules.ts';

/** Of one item only the beginning was heard. */
export interface Truncation {
  item: string;
  heardMs: number;
}

/** The items of a turn that were not heard to their end. Fillers are nobody's item, and count as sent. */
export function truncations(
  chunks: readonly SpokenChunk[],
  sentSamples: number,
  sampleRateHz: number,
): Truncation[] {
  const items = new Map<string, { heard: number; given: number }>();
  let left = sentSamples;
  for (const { item, givenSamples } of chunks) {
    const heard = Math.min(Math.max(0, left), givenSamples);
    left -= givenSamples;
    if (item === undefined) continue;
    const before = items.get(item) ?? { heard: 0, given: 0 };
    items.set(item, { heard: before.heard + heard, given: before.given + givenSamples });
  }
  return [...items].flatMap(([item, { heard, given }]) =>
    heard < given ? [{ item, heardMs: (heard * 1000) / sampleRateHz }] : [],
  );
}
