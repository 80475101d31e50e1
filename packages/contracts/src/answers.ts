/** Answers to writes, for resources of our own: a message and the new state of the record. */
import { z } from 'zod';

/** A message about the result. */
export const messageAnswer = z.strictObject({ message: z.string() }).meta({ id: 'Message' });

/** A message and the record that was created or changed. */
export function written<Record extends z.ZodType>(record: Record) {
  return z.strictObject({ message: z.string(), data: record });
}
