/** Formats free-form values (variables, evaluation, event details) for the page. */
import { describeReason } from './call-reason.rules.ts';
import { formatMilliseconds } from '../ui/format.rules.ts';
import { texts } from './texts.ts';

const MS_IN_SECOND = 1000;
/** Details whose values are codes that have a text, or become one. */
const CODES: readonly string[] = ['source', 'line'];
/** What was said, and from when to when. */
const FIRST: readonly string[] = ['text', 'start_ms', 'end_ms'];
const VERDICTS: Record<string, string> = texts.timeline.verdicts;

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
    .map(([name, part]) => describeEntry(name, part).join(' '))
    .join(', ');
}

/** The name in words, and the value with its unit: `jitter_ms` is `Jitter`, `15.22 ms`; `is_complete` is `Complete`. */
export function describeEntry(name: string, value: unknown): [name: string, value: string] {
  const suffix = typeof value === 'number' ? /(_ms|Ms|_seconds|Seconds)$/.exec(name)?.[1] : undefined;
  if (suffix === undefined) return [describeReason(name.replace(/^is_/, '')), describeValue(value)];
  const words = describeReason(name.slice(0, -suffix.length));
  const isMilliseconds = suffix.toLowerCase().endsWith('ms');
  if (isMilliseconds && Number(value) >= MS_IN_SECOND) return [words, formatMilliseconds(Number(value))];
  return [words, `${describeValue(value)} ${isMilliseconds ? 'ms' : 's'}`];
}

/** A detail of an event of the timeline, as a line. */
export function describeDetail([name, value]: [name: string, value: unknown]): string {
  if (typeof value !== 'string') return describeEntry(name, value).join(': ');
  if (name === 'reason') return describeReason(value);
  if (name === 'verdict') return `${texts.timeline.verdict}: ${VERDICTS[value] ?? describeReason(value)}`;
  return describeEntry(name, CODES.includes(name) ? describeReason(value) : value).join(': ');
}

/** The entries that are not empty. The database orders names by their length; those of {@link FIRST} come first. */
export function filledEntries(values: Record<string, unknown>): [name: string, value: unknown][] {
  return Object.entries(values)
    .filter(([, value]) => !isEmpty(value))
    .toSorted(([one], [other]) => placeOf(one) - placeOf(other));
}

function placeOf(name: string): number {
  const place = FIRST.indexOf(name);
  return place < 0 ? FIRST.length : place;
}
