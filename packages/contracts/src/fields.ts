/**
 * The field types of requests. Each accepts the forms that clients send (coercion.ts) and has the error texts that they
 * expect (field-wording.ts). All request schemas are built from these, so that no error has zod's own text.
 */
import { z } from 'zod';
import {
  emptyToNull,
  emptyToUndefined,
  isPlainObject,
  toBoolean,
  toInteger,
  toNumber,
  toObject,
} from './coercion.ts';
import { wording } from './field-wording.ts';

type Input = { input?: unknown };

/** A missing or null value is "required", a value of another type is what `template` says. */
const typeFault = (template: string) => (issue: Input) =>
  issue.input === undefined || issue.input === null ? wording.required : template;

/** Counts code points, not UTF-16 units. */
function hasAtMost(text: string, maximum: number): boolean {
  return text.length <= maximum || Array.from(text).length <= maximum;
}

interface TextLimits {
  /** Characters (code points). */
  maximum?: number;
}

/** Any string, also the empty one. */
export function text(limits: TextLimits = {}) {
  const schema = z.string({ error: typeFault(wording.string) });
  const { maximum } = limits;
  if (maximum === undefined) return schema;
  return schema
    .refine((value) => hasAtMost(value, maximum), { error: wording.atMostCharacters(maximum) })
    .meta({ maxLength: maximum });
}

/** A non-blank string: one that is empty or has spaces only counts as missing. */
export function requiredText(limits: TextLimits = {}) {
  return text(limits)
    .refine((value) => value.trim() !== '', { error: wording.required })
    .meta({ minLength: 1, ...(limits.maximum === undefined ? {} : { maxLength: limits.maximum }) });
}

/** @returns the length of what the text encodes; null when it is not base64 */
function decodedLength(value: string): number | null {
  if (value.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(value)) return null;
  const padding = value.endsWith('==') ? 2 : Number(value.endsWith('='));
  return (value.length / 4) * 3 - padding;
}

/** Values of a body with a file: besides the file they are few. */
export const MAX_FILE_VALUES = 1000;

/** A file in base64. */
export function base64File(maxBytes: number) {
  return requiredText()
    .refine((value) => decodedLength(value) !== null, { error: wording.format, abort: true })
    .refine((value) => (decodedLength(value) ?? 0) <= maxBytes, {
      error: wording.atMostKilobytes(maxBytes / 1024),
    })
    .meta({ format: 'byte' });
}

/** Spoken before anything else in a call; null for none. More text would be a burden on every call. */
export function disclosureMessage() {
  return nullable(requiredText({ maximum: 1000 }));
}

interface Bounds {
  minimum?: number;
  maximum?: number;
}

function boundsFault({ minimum, maximum }: Bounds): string {
  if (minimum !== undefined && maximum !== undefined) return wording.between(minimum, maximum);
  return minimum === undefined ? wording.atMost(maximum ?? 0) : wording.atLeast(minimum);
}

/**
 * Runs a check only if the value has no issue yet. Checks must not abort: zod would then skip the rules over several
 * fields, and a client would get the errors one by one.
 */
const hasNoIssueYet = ({ issues }: { issues: readonly unknown[] }): boolean => issues.length === 0;

function within(schema: z.ZodNumber, bounds: Bounds): z.ZodNumber {
  const { minimum = -Infinity, maximum = Infinity } = bounds;
  if (minimum === -Infinity && maximum === Infinity) return schema;
  return schema
    .refine((value) => value >= minimum && value <= maximum, {
      error: boundsFault(bounds),
      when: hasNoIssueYet,
    })
    .meta({ ...bounds });
}

/** A safe integer, also as a string of digits. */
export function integer(bounds: Bounds = {}) {
  const whole = z
    .number({ error: typeFault(wording.integer) })
    .refine(Number.isSafeInteger, { error: wording.integer })
    .meta({ type: 'integer' });
  return z.preprocess<unknown, z.ZodNumber, number | string>(toInteger, within(whole, bounds));
}

/** Any finite number, also as a string. */
export function number(bounds: Bounds = {}) {
  const schema = within(z.number({ error: typeFault(wording.number) }), bounds);
  return z.preprocess<unknown, z.ZodNumber, number | string>(toNumber, schema);
}

/** True or false, also as `"true"`, `"1"`, 1 and their opposites. */
export function boolean() {
  const schema = z.boolean({ error: typeFault(wording.boolean) });
  return z.preprocess<unknown, z.ZodBoolean, boolean | 'true' | 'false' | '1' | '0' | 1 | 0>(
    toBoolean,
    schema,
  );
}

/** One of a list of values. Null and an empty string count as missing. */
export function choice<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, {
    error: ({ input }: Input) =>
      input === undefined || input === null || input === '' ? wording.required : wording.selected,
  });
}

/** A value that may be null; an empty string is one too. */
export function nullable<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess<unknown, z.ZodNullable<Schema>, z.input<Schema> | null | ''>(
    emptyToNull,
    schema.nullable(),
  );
}

/**
 * A setting that is not implemented: null, false and empty values are accepted, all others are refused rather than ignored.
 */
export function notImplemented() {
  return z
    .preprocess<unknown, z.ZodNull, null | '' | false>(
      (value) => (isEmpty(value) ? null : value),
      z.null({ error: wording.selected }),
    )
    .optional();
}

function isEmpty(value: unknown): boolean {
  return value === false || emptyToNull(value) === null || (Array.isArray(value) && value.length === 0);
}

/** A query parameter: an empty value means "absent". */
export function optionalQuery<Schema extends z.ZodType>(schema: Schema) {
  return z
    .preprocess<unknown, z.ZodOptional<Schema>, z.input<Schema> | '' | undefined>(
      emptyToUndefined,
      schema.optional(),
    )
    .optional();
}

/** JSON inside a text, for query parameters that have parts. */
export function jsonText<Schema extends z.ZodType>(schema: Schema) {
  return text().transform((value, context): z.output<Schema> => {
    const { data, success } = schema.safeParse(parsedJson(value));
    if (success) return data;
    context.addIssue({ code: 'custom', message: wording.format });
    return z.NEVER;
  });
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface ListLimits {
  minimum?: number;
  maximum: number;
}

/** A list of one kind of item. Its length is checked before its items, so that a huge list costs no validation. */
export function list<Item extends z.ZodType>(item: Item, { minimum = 0, maximum }: ListLimits) {
  const items = z
    .array(item, { error: typeFault(wording.array) })
    .meta({ ...(minimum > 0 && { minItems: minimum }), maxItems: maximum });
  return z.preprocess<unknown, z.ZodArray<Item>, z.input<Item>[]>((value, context) => {
    const length = Array.isArray(value) ? value.length : minimum;
    if (length >= minimum && length <= maximum) return value;
    const message = length < minimum ? wording.required : wording.atMostItems(maximum);
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }, items);
}

/** A rule of a list: refuses each item whose name an earlier one has. */
export function requireDistinctNames(
  items: readonly { name: string }[],
  context: z.core.$RefinementCtx,
): void {
  const names = new Set<string>();
  for (const [index, { name }] of items.entries()) {
    if (names.has(name))
      context.addIssue({ code: 'custom', path: [index, 'name'], message: wording.distinct });
    names.add(name);
  }
}

/** An object with known keys; unknown ones are dropped. */
export function shape<Shape extends z.ZodRawShape>(fields: Shape) {
  return z.object(fields, { error: typeFault(wording.array) });
}

/** A JSON object with keys of the user's own, passed on untouched: zod's record would drop `__proto__`. */
export const jsonObject = z
  .custom<Record<string, unknown>>(isPlainObject, { error: wording.array, abort: false })
  .meta({ type: 'object', additionalProperties: true });

/** 64 KiB of JSON in UTF-8. */
const MAX_VARIABLES_BYTES = 65_536;
/** What a UTF-16 unit takes at most. */
const MAX_UNIT_BYTES = 3;

/** Bytes are counted only where it depends on them. */
function fitsVariables(value: Record<string, unknown>): boolean {
  const text = JSON.stringify(value);
  if (text.length * MAX_UNIT_BYTES <= MAX_VARIABLES_BYTES) return true;
  return new TextEncoder().encode(text).byteLength <= MAX_VARIABLES_BYTES;
}

/** Free key/value pairs, at most 64 KiB; lists of objects are merged from left to right. */
export function variables() {
  const limited = jsonObject.refine(fitsVariables, {
    error: wording.atMostKilobytes(MAX_VARIABLES_BYTES / 1024),
    when: hasNoIssueYet,
  });
  return z.preprocess<unknown, typeof limited, Record<string, unknown> | Record<string, unknown>[]>(
    toObject,
    limited,
  );
}

function isWebAddress(value: string): boolean {
  if (!/^https?:\/\/[^\s/?#]/i.test(value) || /[\s\p{Cc}]/u.test(value)) return false;
  const url = URL.parse(value);
  return url !== null && url.hostname !== '' && url.username === '' && url.password === '';
}

/** An absolute http or https address without credentials. An empty string counts as missing. */
export function webAddress() {
  return requiredText()
    .refine(isWebAddress, { error: wording.url, when: hasNoIssueYet })
    .meta({ format: 'uri' });
}

/** The name that Intl knows the zone by, which for an alias is another one; null without such a zone. */
function knownTimeZone(value: string): string | null {
  // Intl also accepts offsets such as `+01:00`, which are not zones and have no daylight saving time.
  if (!/^[A-Za-z]/.test(value)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** `europe/berlin` is `Europe/Berlin`; an alias such as `Europe/Kyiv` stays as it is. */
function spellTimeZone(value: string): string {
  const known = knownTimeZone(value);
  return known?.toLowerCase() === value.toLowerCase() ? known : value;
}

/** An IANA time zone name, whatever its case. */
export function timeZone() {
  return requiredText()
    .refine((value) => knownTimeZone(value) !== null, { error: wording.timezone, when: hasNoIssueYet })
    .overwrite(spellTimeZone);
}

function isCalendarDate(value: string): boolean {
  // Postgres has no year 0.
  if (value.startsWith('0000')) return false;
  const instant = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : NaN;
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(value);
}

/** A day, `YYYY-MM-DD`. */
export function calendarDate() {
  return requiredText()
    .refine(isCalendarDate, { error: wording.format, when: hasNoIssueYet })
    .meta({ format: 'date' });
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** From here on a year has five digits, which our date formats do not allow. */
const END_OF_TIME_MS = Date.parse('9999-12-31T23:59:59.999Z');

function isInstant(value: string): boolean {
  return INSTANT.test(value) && isCalendarDate(value.slice(0, 10)) && Date.parse(value) <= END_OF_TIME_MS;
}

/** An instant with its zone, ISO 8601: `2026-01-31T09:05:00Z`. */
export function instant() {
  return text().refine(isInstant, { error: wording.format }).meta({ format: 'date-time' });
}

/**
 * A part of a phone number, in a query. `+` in a query string means a space; a number that begins with one was meant to begin
 * with the other.
 */
export function partOfNumber() {
  return text({ maximum: 64 }).transform((value) => value.replace(/^ (?=\d)/, '+').trim());
}

/** Text for a header of HTTP or SIP: without control characters. */
export function headerText(limits: TextLimits) {
  return requiredText(limits).refine((value) => !/\p{Cc}/u.test(value), {
    error: wording.format,
    when: hasNoIssueYet,
  });
}

/** The path parameter of a single resource; anything but an integer is answered with 404. */
export const idParameter = z.object({
  id: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .meta({ type: 'integer' }),
});
