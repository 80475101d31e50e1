/**
 * Prepares every SQL statement of the sources against the migrated schema, and compares the columns that it returns with
 * the row type that its author declared: names, types, nullability.
 */
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { declaredStatements } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { Client } from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { describeStatement, type DescribedColumn } from '../src/describe-statement.ts';
import { rowFaults, type ReturnedColumn } from '../src/row-faults.ts';
import { readStatementTypes, type TypedStatement } from '../src/statement-types.ts';

const database = useTestDatabase();
const root = resolve(import.meta.dirname, '../../..');

/** Statements that are composed at their first use, one for each combination of filters; their own tests run them all. */
const COMPOSED = /(calls-after-sql|calls-page-sql|list-leads|list-deliveries)\.ts:/;

/** Columns that may be null in their table and never are in this statement, with the reason. */
const NEVER_NULL: Record<string, string> = {
  'idempotency_find.status': 'every key is written with its answer',
  'idempotency_find.body': 'every key is written with its answer',
  'next_held_campaign.held_by': 'compared with `= any`',
  'lead_attempts.lead_id': 'compared with `= any`',
};

/** Source files that declare statements. */
function statementFiles(): string[] {
  const output = execFileSync('git', ['grep', '-lE', '\\bstatement(<|\\()', '--', 'packages', 'apps'], {
    cwd: root,
    encoding: 'utf8',
  });
  return output
    .split('\n')
    .filter(
      (file) => /\/src\/.*\.ts$/.test(file) && !/\.test\.ts$|\/db\/src\/(statement|migrations)/.test(file),
    )
    .map((file) => join(root, file));
}

let statements: TypedStatement[] = [];

beforeAll(async () => {
  const files = statementFiles();
  for (const file of files) await import(pathToFileURL(file).href);
  statements = readStatementTypes(files, root);
}, 120_000);

/** The declared names that a call gives. A name that is written out belongs to that call alone. */
function namesOf({ name }: TypedStatement): string[] {
  if (typeof name === 'string') return declaredStatements().has(name) ? [name] : [];
  const written = new Set(statements.map((each) => each.name));
  return [...declaredStatements().keys()].filter((declared) => name.test(declared) && !written.has(declared));
}

test('every statement is declared when its module is loaded, under a unique name', () => {
  const undeclared = statements.filter((each) => !COMPOSED.test(each.place) && namesOf(each).length === 0);
  expect(undeclared.map(({ place }) => place)).toEqual([]);
  const names = statements.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(names.length).toBeGreaterThan(100);
});

test('every statement returns the rows that its type declares', async () => {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    const catalogue = await readCatalogue(client);
    const faults: string[] = [];
    const declared = statements.filter(({ place }) => !COMPOSED.test(place));
    const named = declared.flatMap((typed) => namesOf(typed).map((name) => ({ ...typed, name })));
    for (const each of named)
      faults.push(...(await faultsOf(client, catalogue, each)).map((fault) => `${each.place}: ${fault}`));
    expect(faults).toEqual([]);
  } finally {
    await client.end();
  }
});

async function faultsOf(
  client: Client,
  catalogue: Catalogue,
  { name, row }: TypedStatement & { name: string },
): Promise<string[]> {
  const text = declaredStatements().get(name) ?? '';
  const described = await describeStatement(client, text).catch((error: Error) => error);
  if (described instanceof Error) return [described.message];
  if (!row) return [];
  const columns = described.map((column) => returnedColumn(catalogue, text, column));
  return rowFaults(
    row,
    columns,
    (column) => `${name}.${column}` in NEVER_NULL || new RegExp(`\\b${column} is not null`).test(text),
  );
}

interface Catalogue {
  typeNames: ReadonlyMap<number, string>;
  /** Whether a column is `not null`, by table and column number (`table.column`). */
  notNull: ReadonlyMap<string, boolean>;
}

async function readCatalogue(client: Client): Promise<Catalogue> {
  const types = await client.query<{ oid: number; typname: string }>('select oid, typname from pg_type');
  const columns = await client.query<{ attrelid: number; attnum: number; attnotnull: boolean }>(
    'select attrelid, attnum, attnotnull from pg_attribute where attnum > 0',
  );
  return {
    typeNames: new Map(types.rows.map(({ oid, typname }) => [oid, typname])),
    notNull: new Map(
      columns.rows.map(({ attrelid, attnum, attnotnull }) => [`${attrelid}.${attnum}`, attnotnull]),
    ),
  };
}

function returnedColumn(
  { typeNames, notNull }: Catalogue,
  text: string,
  { name, typeId, origin }: DescribedColumn,
): ReturnedColumn {
  const hasOuterJoin = /\b(left|right|full)\s+(outer\s+)?join\b/i.test(text);
  const isNotNull = origin ? notNull.get(`${origin.tableId}.${origin.columnNumber}`) : undefined;
  const isNullable = isNotNull === undefined || hasOuterJoin ? null : !isNotNull;
  return { name, type: typeNames.get(typeId) ?? `type ${typeId}`, isNullable };
}
