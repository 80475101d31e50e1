/** Reads from the catalogue of Postgres what a backup contains: tables in the order of their references, and so on. */
import type { Client } from 'pg';
import type { Manifest } from './manifest.ts';

/**
 * Tables that a backup leaves out: the record of the migrations, which the restore creates; processes, their
 * registrations and sign-ins, which end with the installation; the counts of rate limits, of one minute; counts, which the restore makes from the calls; and the mark of a restored copy.
 */
const LEFT_OUT = [
  'mikro_orm_migrations',
  'voice_processes',
  'trunk_registrations',
  'sessions',
  'sign_in_links',
  'sign_in_attempts',
  'rate_limit_windows',
  'call_counts',
  'call_count_changes',
  'call_day_counts',
  'lead_counts',
  'lead_count_changes',
  'restored_copy',
];

const TABLES = `
  select c.oid::int as id, c.relname as name,
    array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped
      and attgenerated = '' order by attnum) as columns,
    array(select confrelid::int from pg_constraint where conrelid = c.oid and contype = 'f' and confrelid <> c.oid)
      as referenced
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname <> all($1)
  order by c.relname`;
const PARTITIONS = `
  select p.relname as parent, right(c.relname, 7) as month
  from pg_inherits i join pg_class p on p.oid = i.inhparent join pg_class c on c.oid = i.inhrelid
  where p.relnamespace = 'public'::regnamespace and p.relkind = 'p' and c.relname ~ '_y[0-9]{4}m[0-9]{2}$'
  order by c.relname`;
const SEQUENCES = `
  select sequencename as name from pg_sequences where schemaname = 'public' and sequencename !~ '^mikro_orm_' order by 1`;
const MIGRATIONS = 'select name from mikro_orm_migrations order by id';

interface TableRow {
  id: number;
  name: string;
  columns: string[];
  referenced: number[];
}

/** A table and its columns. */
export type BackupTable = Pick<TableRow, 'name' | 'columns'>;

/** A table follows all that it references. */
export async function readTables(client: Client): Promise<BackupTable[]> {
  const { rows } = await client.query<TableRow>(TABLES, [LEFT_OUT]);
  const ordered = new Set<TableRow>();
  const add = (table: TableRow, path: readonly TableRow[]): void => {
    if (ordered.has(table)) return;
    if (path.includes(table)) throw new Error(`The references of table ${table.name} form a cycle`);
    for (const id of table.referenced)
      for (const other of rows.filter((row) => row.id === id)) add(other, [...path, table]);
    ordered.add(table);
  };
  for (const table of rows) add(table, []);
  return [...ordered].map(({ name, columns }) => ({ name, columns }));
}

/** The months that have a partition. */
export async function readPartitions(client: Client): Promise<Manifest['partitions']> {
  const { rows } = await client.query<{ parent: string; month: string }>(PARTITIONS);
  return rows.map(({ parent, month }) => ({ parent, month: month.replace('m', '-') }));
}

/** Sequences are outside of transactions, so their values are at least those of the snapshot. */
export async function readSequences(client: Client): Promise<Manifest['sequences']> {
  const { rows: names } = await client.query<{ name: string }>(SEQUENCES);
  const sequences: Manifest['sequences'] = [];
  for (const { name } of names) {
    const { rows } = await client.query<{ lastValue: string; isCalled: boolean }>(
      `select last_value::text as "lastValue", is_called as "isCalled" from ${client.escapeIdentifier(name)}`,
    );
    sequences.push(...rows.map((row) => ({ name, ...row })));
  }
  return sequences;
}

/** The names of the migrations that the database has run. */
export async function readMigrations(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(MIGRATIONS);
  return rows.map(({ name }) => name);
}
