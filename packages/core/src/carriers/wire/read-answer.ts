/** Reads values out of a carrier's JSON, whose shape is not trusted. */

/** A JSON object, or an empty one. */
export function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** The objects of a list, or none. */
export function objectsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

/** A text that is not empty, also of a number; otherwise null. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A number of 0 or more, also as a text; otherwise null. */
export function amountOf(value: unknown): number | null {
  const text = textOf(value);
  const amount = text === null ? Number.NaN : Number(text);
  return Number.isFinite(amount) && amount >= 0 ? amount : null;
}
