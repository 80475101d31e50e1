/** Conversion of values from and to Postgres. */
import { types, type CustomTypesConfig } from 'pg';

/** The values that may be bound. Arrays become Postgres arrays; use {@link json} for jsonb. */
export type SqlValue =
  | string
  | number
  | boolean
  | Date
  | Uint8Array
  | null
  | readonly (string | number | null)[];

/** Valid JSON that Postgres rejects: the escapes of NUL and of half a surrogate pair, unless the backslash is escaped. */
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/** Binds a value as jsonb. Characters that jsonb rejects become U+FFFD: texts of models and servers may contain any. */
export function json(value: unknown): string {
  const text = JSON.stringify(value);
  // Searching for the beginning of an escape costs a tenth of searching for an invalid one.
  return text.includes('\\u') ? text.replaceAll(UNSTORABLE, '$1\\ufffd') : text;
}

/** Binds a value as it is, but for NUL in a text or in a list of texts, which Postgres cannot store: it becomes U+FFFD too. */
export function storable(value: SqlValue): SqlValue {
  if (isList(value)) return value.some(hasNul) ? value.map((item) => storable(item) as typeof item) : value;
  return hasNul(value) ? value.replaceAll('\0', '\u{FFFD}') : value;
}

function isList(value: SqlValue): value is Extract<SqlValue, readonly unknown[]> {
  return Array.isArray(value);
}

function hasNul(value: unknown): value is string {
  return typeof value === 'string' && value.includes('\0');
}

type TypeId = Parameters<typeof types.getTypeParser>[0];

/** Ids and amounts as JavaScript numbers: ids stay far below 2^53, amounts have at most six decimals. */
const parsers = new Map<TypeId, (text: string) => unknown>([
  [types.builtins.INT8, Number],
  [types.builtins.NUMERIC, Number],
]);

/** The parsers of values; the driver parses all other types. */
export const typeParsers: CustomTypesConfig = {
  getTypeParser: (typeId: TypeId, format?: string) =>
    parsers.get(typeId) ?? types.getTypeParser(typeId, format as 'text'),
};
