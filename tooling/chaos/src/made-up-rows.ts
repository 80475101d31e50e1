/**
 * Fills a table with rows whose columns have any value of their type, so that the check of migrations does not depend on the
 * schema of one release.
 */
import type { Client } from 'pg';

/** An SQL expression by type, in which `n` is the number of the row. */
const BY_TYPE: Record<string, string> = {
  bigint: 'n',
  integer: '1',
  smallint: '1',
  numeric: '1',
  'double precision': '1',
  boolean: 'false',
  text: `'text'`,
  uuid: 'gen_random_uuid()',
  jsonb: `'{}'`,
  bytea: `decode(md5(n::text), 'hex')`,
  'timestamp with time zone': 'now()',
  ARRAY: `'{}'`,
};

const REQUIRED = `
  select column_name as name, data_type as type from information_schema.columns
  where table_schema = 'public' and table_name = $1 and is_nullable = 'NO' and column_default is null
    and is_generated = 'NEVER'`;

/**
 * Inserts rows that are numbered from 1.
 *
 * @param values - SQL expressions for columns to which any value of the type is not enough
 * @throws Error for a required column of an unknown type
 */
export async function insertMadeUpRows(
  client: Client,
  table: string,
  count: number,
  values: Record<string, string> = {},
): Promise<void> {
  const { rows } = await client.query<{ name: string; type: string }>(REQUIRED, [table]);
  const required = rows.map(({ name, type }): [string, string] => {
    const value = values[name] ?? BY_TYPE[type];
    if (value === undefined) throw new Error(`${table}.${name} has the unknown type ${type}`);
    return [name, value];
  });
  const columns = new Map([...required, ...Object.entries(values)]);
  await client.query(
    `insert into ${table} (${[...columns.keys()].join(', ')})
     select ${[...columns.values()].join(', ')} from generate_series(1, ${count}) n`,
  );
}
