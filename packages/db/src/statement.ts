/**
 * Hot SQL: named statements that Postgres prepares once per connection. They stand beside the use case that runs them.
 * Columns come back in camelCase, so that a row looks like the entity's: `call_created_at` is read as `callCreatedAt`.
 */
import { types, type Pool, type PoolClient, type QueryConfig } from 'pg';

/** A statement and, in its type only, the rows it answers with. */
export interface Statement<Row = unknown> {
  /** Unique in the process; it is the prepared statement's name. */
  readonly name: string;
  readonly text: string;
  readonly '~row'?: Row;
}

/** What may be bound. Arrays become Postgres arrays; use {@link json} for jsonb. */
export type SqlValue = string | number | boolean | Date | Uint8Array | null | readonly (string | number)[];

/** Postgres cuts longer names off, and then takes two statements for one. */
const MAX_NAME_LENGTH = 63;

/** What JSON may hold and Postgres does not: NUL and half a surrogate pair, as escapes that are none of a backslash. */
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/**
 * Declares a statement. `Row` is a promise of the author: nothing checks it but the tests.
 *
 * @throws RangeError for a name that Postgres would cut off
 */
export function statement<Row>(name: string, text: string): Statement<Row> {
  if (name.length > MAX_NAME_LENGTH) throw new RangeError(`The name of statement ${name} is too long`);
  return { name, text };
}

/** Binds a value as jsonb. What jsonb cannot hold becomes U+FFFD: texts of models and servers may hold anything. */
export function json(value: unknown): string {
  return JSON.stringify(value).replaceAll(UNSTORABLE, '$1\\ufffd');
}

type TypeId = Parameters<typeof types.getTypeParser>[0];

/** Ids and amounts as JavaScript numbers: ids stay far below 2^53, amounts have at most six decimals. */
const NUMBERS: readonly TypeId[] = [types.builtins.INT8, types.builtins.NUMERIC];

const typeParsers: NonNullable<QueryConfig['types']> = {
  getTypeParser: (oid: TypeId, format?: string) =>
    NUMBERS.includes(oid) ? Number : types.getTypeParser(oid, format as 'text'),
};

const columnNames = new WeakMap<object, string[]>();

/** Runs a statement on a pool or on one connection of it. */
export async function runStatement<Row>(
  on: Pool | PoolClient,
  sql: Statement<Row>,
  values: readonly SqlValue[],
): Promise<Row[]> {
  const result = await on.query<unknown[]>({
    name: sql.name,
    text: sql.text,
    values: [...values],
    rowMode: 'array',
    types: typeParsers,
  });
  const names = namesOf(sql, result.fields);
  return result.rows.map((row) => rowFrom(names, row) as Row);
}

function namesOf(sql: object, fields: readonly { name: string }[]): string[] {
  const known = columnNames.get(sql);
  if (known) return known;
  const names = fields.map((field) => camelCase(field.name));
  columnNames.set(sql, names);
  return names;
}

function rowFrom(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index++) row[names[index] ?? ''] = values[index];
  return row;
}

function camelCase(columnName: string): string {
  return columnName.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
