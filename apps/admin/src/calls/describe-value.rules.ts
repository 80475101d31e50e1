/** How a value of free-form data (variables, evaluation, event details) is written on screen. */

/** Texts as they are, yes and no for booleans, everything else as JSON. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return String(value);
  return value === null || value === undefined ? '–' : JSON.stringify(value, null, 1);
}
