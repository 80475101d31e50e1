/** The evaluation of a call: an object keyed by the names of the assistant's schema. */
import type { PostCallField } from '@parley/db';

/** What stands on the record when nothing could evaluate: every name, and no value. The reason is in the timeline. */
export function emptyEvaluation(schema: readonly PostCallField[]): Record<string, null> {
  return Object.fromEntries(schema.map((field) => [field.name, null]));
}
