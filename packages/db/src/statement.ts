/**
 * Hot SQL: named statements that Postgres prepares once per connection. They stand beside the use case that runs them.
 * Columns come back in camelCase, so that a row looks like the entity's: `call_created_at` is read as `callCreatedAt`.
 */
import type { Pool, PoolClient, QueryArrayConfig } from 'pg';
import { typeParsers, type SqlValue } from './sql-values.ts';

/** A statement and, in its type only, the rows it answers with. */
export interface Statement<Row = unknown> {
  /** Unique in the process; it is the prepared statement's name. Empty: it is not kept. */
  readonly name: string;
  readonly text: string;
  readonly '~row'?: Row;
}

/** Postgres cuts longer names off, and then takes two statements for one. */
const MAX_NAME_LENGTH = 63;

const declared = new Map<string, string>();

/**
 * Declares a statement. `tooling/checks/test/statement-rows.test.ts` prepares every statement against the migrated schema
 * and compares the columns that it returns with `Row`.
 *
 * @throws RangeError for a name that Postgres would cut off
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

/** What is made once of each statement. */
interface Prepared {
  /** What all its queries share. */
  query: QueryArrayConfig;
  /** Of its columns, in camelCase. Empty until it was answered for the first time. */
  names: string[];
}

const prepared = new WeakMap<Statement, Prepared>();

function preparedOf(sql: Statement): Prepared {
  const known = prepared.get(sql);
  if (known) return known;
  const { name, text } = sql;
  const made: Prepared = { query: { name, text, rowMode: 'array', types: typeParsers }, names: [] };
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
  // The driver copies every query, property by property, and dearly; what is inherited it takes over as it is.
  const query = Object.create(known.query) as QueryArrayConfig;
  query.values = [...values];
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
