/** Answers to writing, for resources of our own: a sentence, and the record as it is from now on. */
import { z } from 'zod';

/** A sentence that says what was done. */
export const messageAnswer = z.strictObject({ message: z.string() }).meta({ id: 'Message' });

/** A sentence and the record that was made or changed. */
export function written<Record extends z.ZodType>(record: Record) {
  return z.strictObject({ message: z.string(), data: record });
}
