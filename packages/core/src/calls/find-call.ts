/** Everything about one call of its owner. */
import type { CallDetail } from '@parley/contracts';
import { statement, type CallEventRow, type DeliveryAttemptRow, type DeliveryRow } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { CALL_LIST_COLUMNS, CALL_LIST_JOINS, callDetail, type CallDetailRow } from './call-record.ts';

const selectCall = statement<CallDetailRow>(
  'find_call',
  `select ${CALL_LIST_COLUMNS}, c.assistant_id, c.campaign_id, c.diverted_from, c.caller_name, c.caller_identity, c.answered_at, c.ended_at, c.ended_by,
     c.input_variables, c.turns, c.tool_calls, c.costs,
     d.source as disposition_source,
     (select t.name from trunks t where t.id = coalesce(
       (select l.trunk_id from live_calls l where l.call_id = c.id),
       (select s.trunk_id from sip_traces s where s.call_id = c.id))) as trunk_name
   from calls c ${CALL_LIST_JOINS}
   where c.id = $1 and c.user_id = $2`,
);
const selectEvents = statement<Pick<CallEventRow, 'at' | 'type' | 'detail'>>(
  'find_call_events',
  `select at, type, detail from call_events where call_id = $1 and call_created_at = $2 order by at, id`,
);
const selectDeliveries = statement<DeliveryRow>(
  'find_deliveries',
  `select * from deliveries where call_id = $1 order by created_at, target`,
);
const selectAttempts = statement<DeliveryAttemptRow>(
  'find_delivery_attempts',
  `select a.* from delivery_attempts a join deliveries d on d.id = a.delivery_id where d.call_id = $1 order by a.number`,
);

/** @throws DomainError `not-found`, also for another user's call */
export async function findCall(ctx: CoreContext, identity: Identity, callId: number): Promise<CallDetail> {
  const [row] = await ctx.db.query(selectCall, [callId, identity.userId]);
  if (!row) throw new DomainError('not-found', 'Call not found');
  const [events, deliveries, attempts] = await Promise.all([
    ctx.db.query(selectEvents, [callId, row.createdAt]),
    ctx.db.query(selectDeliveries, [callId]),
    ctx.db.query(selectAttempts, [callId]),
  ]);
  return callDetail(row, { events, deliveries, attempts }, { ...ctx, timezone: identity.timezone });
}
