/**
 * The disposition that an evaluation gives a call: one of the list of its campaign. It is a field of the form beside those
 * of the assistant, under a name that none of them has.
 */
import type { PostCallField } from '@parley/db';

/** The name of the field, and of the variable that a script may store instead. */
const FIELD = 'disposition';

/** The name of the field in the form of an assistant with this schema. */
export function dispositionField(schema: readonly Pick<PostCallField, 'name'>[]): string {
  let name = FIELD;
  while (schema.some((field) => field.name === name)) name = `call_${name}`;
  return name;
}

/**
 * @param value - anything that a model or a script made
 * @returns as the list has it; null for none; undefined for a value that the list does not have
 */
export function readDisposition(dispositions: readonly string[], value: unknown): string | null | undefined {
  if (value === null) return null;
  if (typeof value !== 'string') return undefined;
  const wanted = value.trim().toLowerCase();
  return dispositions.find((name) => name.toLowerCase() === wanted);
}

/** The disposition of a call that no model has evaluated: the variable of that name, if it is one of the list. */
export function collectedDisposition(
  dispositions: readonly string[],
  collected: Readonly<Record<string, unknown>>,
): string | null {
  const value = Object.getOwnPropertyDescriptor(collected, FIELD)?.value as unknown;
  return readDisposition(dispositions, value) ?? null;
}
