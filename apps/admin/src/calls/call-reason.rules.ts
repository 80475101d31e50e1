/**
 * Sentences for events and reasons. One without a sentence is shown as plain text, so that a new reason is readable
 * before this app has a sentence for it.
 */
import { texts } from './texts.ts';

const SENTENCES: Record<string, string> = texts.reasons;

/** `max_duration`, `max-duration` or `maxDuration` becomes a sentence; an unknown reason is split into words. */
export function describeReason(reason: string): string {
  const words = reason
    .trim()
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .replaceAll(/[_\s-]+/g, ' ')
    .toLowerCase();
  return SENTENCES[words.replaceAll(' ', '_')] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
