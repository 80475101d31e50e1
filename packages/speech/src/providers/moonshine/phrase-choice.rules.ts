/** Decides from the model's probabilities whether an utterance was one of the expected phrases. */
import type { MoonshineResult } from './moonshine-message.ts';

/** A phrase that is less probable than the free text by more than this (natural logarithm) was not said. */
const MOST_BELOW_FREE = 4;
/** The most probable phrase leads the second one by at least this, natural logarithm. */
const LEAST_MARGIN = 1;

/** A phrase that is less probable than this changes nothing in {@link chooseText}. */
export function leastLogProbability(free: number): number {
  return free - MOST_BELOW_FREE - LEAST_MARGIN;
}

/** @returns the phrase that was said; otherwise the free text, in which a dialogue may still find its answer */
export function chooseText({ free, phrases }: MoonshineResult): string {
  const [best, second] = phrases.toSorted((a, b) => b.logProbability - a.logProbability);
  if (!best || best.logProbability < free.logProbability - MOST_BELOW_FREE) return free.text;
  const margin = best.logProbability - (second?.logProbability ?? -Infinity);
  return margin >= LEAST_MARGIN ? best.text : free.text;
}
