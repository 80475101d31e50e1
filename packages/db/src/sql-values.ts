/** Values on their way to Postgres and back. */
import { types, type CustomTypesConfig } from 'pg';

/** What may be bound. Arrays become Postgres arrays; use {@link json} for jsonb. */
export type SqlValue = string | number | boolean | Date | Uint8Array | null | readonly (string | number)[];

/** What JSON may hold and Postgres does not: NUL and half a surrogate pair, as escapes that are none of a backslash. */
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/** Binds a value as jsonb. What jsonb cannot hold becomes U+FFFD: texts of models and servers may hold anything. */
export function json(value: unknown): string {
  const text = JSON.stringify(value);
  // Looking for the start of an escape costs a tenth of looking for one that cannot be stored.
  return text.includes('\\u') ? text.replaceAll(UNSTORABLE, '$1\\ufffd') : text;
}

type TypeId = Parameters<typeof types.getTypeParser>[0];

/** Ids and amounts as JavaScript numbers: ids stay far below 2^53, amounts have at most six decimals. */
const parsers = new Map<TypeId, (text: string) => unknown>([
  [types.builtins.INT8, Number],
  [types.builtins.NUMERIC, Number],
]);

/** How values are read; the driver's own parsers read all other types. */
export const typeParsers: CustomTypesConfig = {
  getTypeParser: (typeId: TypeId, format?: string) =>
    parsers.get(typeId) ?? types.getTypeParser(typeId, format as 'text'),
};
