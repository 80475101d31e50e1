/** Stores entries of the API log, many at once. SQL, because it is one statement for a batch. See docs/decisions/api-log.md. */
import { statement, type ApiRequestRow } from '@parley/db';
import type { CoreContext } from '../context.ts';

/** An entry before it has an id. */
export type NewApiRequest = Omit<ApiRequestRow, 'id'>;

/** A batch that is sent twice is stored once. Entries of a user who was removed meanwhile are left out. */
const insertRequests = statement(
  'insert_api_requests',
  `insert into api_requests (at, user_id, token_id, method, path, operation, object_id, status, code, duration_ms,
     is_complete, request_id, network_address, count)
   select r.at, r.user_id, r.token_id, r.method, r.path, r.operation, r.object_id, r.status, r.code, r.duration_ms,
     r.is_complete, r.request_id, r.network_address, r.count from unnest($1::timestamptz[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[],
     $7::bigint[], $8::int[], $9::text[], $10::int[], $11::boolean[], $12::uuid[], $13::text[], $14::int[])
     with ordinality as r (at, user_id, token_id, method, path, operation, object_id, status, code, duration_ms, is_complete,
       request_id, network_address, count, place)
   where exists (select from users u where u.id = r.user_id)
   order by r.place
   on conflict (request_id) do nothing`,
);

/** May be repeated with the same entries. */
export async function storeApiRequests(
  ctx: Pick<CoreContext, 'db'>,
  entries: readonly NewApiRequest[],
): Promise<void> {
  await ctx.db.query(insertRequests, [
    entries.map(({ at }) => at.toISOString()),
    entries.map(({ userId }) => userId),
    entries.map(({ tokenId }) => tokenId),
    entries.map(({ method }) => method),
    entries.map(({ path }) => path),
    entries.map(({ operation }) => operation),
    entries.map(({ objectId }) => objectId),
    entries.map(({ status }) => status),
    entries.map(({ code }) => code),
    entries.map(({ durationMs }) => durationMs),
    entries.map(({ isComplete }) => String(isComplete)),
    entries.map(({ requestId }) => requestId),
    entries.map(({ networkAddress }) => networkAddress),
    entries.map(({ count }) => count),
  ]);
}
