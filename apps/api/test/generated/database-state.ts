/** A fingerprint of everything in the database but the counts of requests, to show that a request changed nothing. */
import { statement, type Db } from '@parley/db';

/** Table name to the number of its rows and the transactions that wrote them. */
export type DatabaseState = Record<string, string>;

/** Every request that a token makes writes `last_used_at`, at most once a minute. */
const TOKENS = 'public.api_tokens';
/** The first request of a token adds an entry. */
const AUDIT = 'public.audit_entries';
/** That write changes `xmin`, so this table is compared by its contents. */
const tokensDigest = `coalesce(md5(string_agg((to_jsonb(t) - 'last_used_at')::text, '' order by id)), '')`;
/** `xmin` is the transaction that wrote a row: an insert or an update raises the sum, a delete lowers the count. */
const writesDigest = `count(*) || ':' || coalesce(sum(t.xmin::text::bigint), 0)`;

const listTables = statement<{ name: string }>(
  '',
  `select format('%I.%I', n.nspname, c.relname) as name
   from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind in ('r', 'p') and not c.relispartition
     and (n.nspname = 'public' and c.relname not in ('rate_limit_windows', 'api_requests') or n.nspname = 'graphile_worker' and c.relname = '_private_jobs')
   order by 1`,
);

const auditDigest = `count(*) filter (where t.operation <> 'tokens.use')::text`;

function digestOf(table: string): string {
  if (table === TOKENS) return tokensDigest;
  return table === AUDIT ? auditDigest : writesDigest;
}

/** Reads every table; equal results mean that nothing was inserted, updated or deleted in between. */
export async function databaseState(db: Db): Promise<DatabaseState> {
  const tables = await db.query(listTables);
  const digests = tables.map(
    ({ name }) => `select '${name}' as name, ${digestOf(name)} as digest from ${name} t`,
  );
  const readAll = statement<{ name: string; digest: string }>('', digests.join(' union all '));
  return Object.fromEntries((await db.query(readAll)).map(({ name, digest }) => [name, digest]));
}
