/** Who spoke when in some calls of a user, without what was said: the small picture of a conversation in lists. */
import type { CallLanes } from '@parley/contracts';
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';

/** More than a small picture can show. */
const MOST_TURNS = 300;

const selectLanes = statement<{ id: number; turns: CallLanes['turns'] }>(
  'call_lanes',
  `select c.id, (
     select coalesce(jsonb_agg(jsonb_build_array(t.turn->'sender', t.turn->'startMs', t.turn->'endMs') order by t.place), '[]')
     from jsonb_array_elements(c.turns) with ordinality as t(turn, place) where t.place <= ${MOST_TURNS}) as turns
   from calls c where c.user_id = $1 and c.id = any($2)`,
);

/** Calls of other users and calls without a conversation are left out. */
export async function readLanes(
  ctx: CoreContext,
  { userId }: Identity,
  callIds: readonly number[],
): Promise<CallLanes[]> {
  const rows = await ctx.db.query(selectLanes, [userId, callIds]);
  return rows.filter(({ turns }) => turns.length > 0).map(({ id, turns }) => ({ call_id: id, turns }));
}
