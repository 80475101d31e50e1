/** The calls of a user that begin, ring or are talked in, for the admin app, from the index of unfinished calls. */
import type { CallSummary } from '@parley/contracts';
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { CALL_LIST_COLUMNS, CALL_LIST_JOINS, callSummary, type CallListRow } from './call-record.ts';

const selectLive = statement<CallListRow & { total: number }>(
  'list_live_calls',
  `with live as (
     select id, created_at, count(*) over () as total from calls
     where user_id = $1 and status in ('initiated', 'ringing', 'in-progress')
       and ($2::bigint is null or assistant_id = $2) and ($3::bigint is null or campaign_id = $3)
     order by created_at desc, id desc limit $4
   )
   select ${CALL_LIST_COLUMNS}, live.total from live join calls c using (id, created_at) ${CALL_LIST_JOINS}
   order by c.created_at desc, c.id desc`,
);

/** Which calls the list has; absent values are no condition. */
export interface LiveCallFilters {
  assistantId?: number | undefined;
  campaignId?: number | undefined;
}

/** The newest of them, and how many there are. */
export async function listLiveCalls(
  ctx: CoreContext,
  identity: Identity,
  { assistantId, campaignId, most }: LiveCallFilters & { most: number },
): Promise<{ rows: CallSummary[]; total: number }> {
  const values = [identity.userId, assistantId ?? null, campaignId ?? null, most];
  const rows = await ctx.db.query(selectLive, values);
  const options = { ...ctx, timezone: identity.timezone };
  return { rows: rows.map((row) => callSummary(row, options)), total: rows[0]?.total ?? 0 };
}
