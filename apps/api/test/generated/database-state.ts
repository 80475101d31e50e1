/** A fingerprint of everything in the database, to show that a request changed nothing. */
import { statement, type Db } from '@parley/db';

/** Table name to a digest of its rows. */
export type DatabaseState = Record<string, string>;

/** Written by every request that a token makes, at most once a minute. */
const IGNORED_COLUMNS = `'{last_used_at}'::text[]`;

const listTables = statement<{ name: string }>(
  'test_list_tables',
  `select format('%I.%I', n.nspname, c.relname) as name
   from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind in ('r', 'p') and not c.relispartition
     and (n.nspname = 'public' or n.nspname = 'graphile_worker' and c.relname = '_private_jobs')
   order by 1`,
);

/** Reads every table; equal results mean equal contents. */
export async function databaseState(db: Db): Promise<DatabaseState> {
  const tables = await db.query(listTables);
  const digests = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) || ':' || coalesce(md5(string_agg(digest, '' order by digest)), '') as digest
       from (select md5((to_jsonb(t) - ${IGNORED_COLUMNS})::text) as digest from ${name} t) rows`,
  );
  const readAll = statement<{ name: string; digest: string }>(
    'test_database_state',
    digests.join(' union all '),
  );
  return Object.fromEntries((await db.query(readAll)).map(({ name, digest }) => [name, digest]));
}
