/** Formats free-form values (variables, evaluation, event details) for the page. */
import { describeReason } from './call-reason.rules.ts';
import { texts } from './texts.ts';

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

/** Strings unchanged, yes and no for booleans, lists and objects by their contents. */
export function describeValue(value: unknown): string {
  if (isEmpty(value)) return '–';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (typeof value === 'number') return String(Math.round(value * 100) / 100);
  if (Array.isArray(value)) return value.map(describeValue).join(', ');
  return Object.entries(value as object)
    .map(([name, part]) => `${describeReason(name)} ${describeValue(part)}`)
    .join(', ');
}

/** The entries that are not empty. */
export function filledEntries(values: Record<string, unknown>): [name: string, value: unknown][] {
  return Object.entries(values).filter(([, value]) => !isEmpty(value));
}
