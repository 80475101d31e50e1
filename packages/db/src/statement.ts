/**
 * Hot SQL: named statements that Postgres prepares once per connection. They are in the file of their use case.
 * Columns are returned in camelCase, so that a row has the same keys as the entity: `call_created_at` is read as `callCreatedAt`.
 */
import type { Pool, PoolClient, QueryArrayConfig } from 'pg';
import { storable, type SqlValue } from './sql-values.ts';

/** A statement and, in its type only, the rows that it returns. */
export interface Statement<Row = unknown> {
  /** The name of the prepared statement, unique in the process. Empty: not prepared. */
  readonly name: string;
  readonly text: string;
  readonly '~row'?: Row;
}

/** Postgres truncates longer names, so that two statements could share one. */
const MAX_NAME_LENGTH = 63;

const declared = new Map<string, string>();

/**
 * Declares a statement. `tooling/checks/test/statement-rows.test.ts` prepares every statement against the migrated schema
 * and compares the columns that it returns with `Row`.
 *
 * @throws RangeError for a name that Postgres would truncate
 */
export function statement<Row>(name: string, text: string): Statement<Row> {
  if (name.length > MAX_NAME_LENGTH) throw new RangeError(`The name of statement ${name} is too long`);
  if (name !== '') declared.set(name, text);
  return { name, text };
}

/** The text of every statement that the loaded modules have declared, by name. */
export function declaredStatements(): ReadonlyMap<string, string> {
  return declared;
}

/** The data that is created once per statement. */
interface Prepared {
  /** Shared by all its queries. */
  query: QueryArrayConfig;
  /** The names of its columns in camelCase. Empty before the first result. */
  names: string[];
}

const prepared = new WeakMap<Statement, Prepared>();

function preparedOf(sql: Statement): Prepared {
  const known = prepared.get(sql);
  if (known) return known;
  const { name, text } = sql;
  const made: Prepared = { query: { name, text, rowMode: 'array' }, names: [] };
  prepared.set(sql, made);
  return made;
}

/** Runs a statement on a pool or on one connection of it. */
export async function runStatement<Row>(
  on: Pool | PoolClient,
  sql: Statement<Row>,
  values: readonly SqlValue[],
): Promise<Row[]> {
  const known = preparedOf(sql);
  // The driver copies the own properties of every query, which is slow; inherited properties are not copied.
  const query = Object.create(known.query) as QueryArrayConfig;
  query.values = values.map(storable);
  const { fields, rows } = await on.query<unknown[]>(query);
  if (known.names.length === 0) known.names = fields.map(({ name }) => camelCase(name));
  return rows.map((row) => rowFrom(known.names, row) as Row);
}

function rowFrom(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index++) row[names[index] ?? ''] = values[index];
  return row;
}

function camelCase(columnName: string): string {
  return columnName.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
