/** Counts refused inbound calls by reason, so that an operator sees why callers do not get through. */
import { statement, type InboundRefusalRow } from '@parley/db';
import { now, type CoreContext } from '../context.ts';

/**
 * `unknown_number`: no called number is registered; `other_trunk`: the number belongs to a trunk with another address;
 * `no_assistant`: no active assistant answers it; `route`: a rule of the number refuses it; `account_disabled`: its user is disabled; `repeated`: the same INVITE came
 * twice; `queue_full`: the queue of the number is full; `full`: the voice process has no free slot; `not_ready`: it is not registered with the database; `error`: an error in
 * Parley.
 */
export type InboundRefusalReason =
  | 'unknown_number'
  | 'other_trunk'
  | 'no_assistant'
  | 'route'
  | 'account_disabled'
  | 'repeated'
  | 'queue_full'
  | 'full'
  | 'not_ready'
  | 'error';

const addRefusal = statement(
  'count_inbound_refusal',
  `insert into inbound_refusals (reason, count, latest_at) values ($1, 1, $2)
   on conflict (reason) do update set count = inbound_refusals.count + 1, latest_at = excluded.latest_at`,
);

const findRefusals = statement<Pick<InboundRefusalRow, 'reason' | 'count'>>(
  'find_inbound_refusals',
  'select reason, count from inbound_refusals order by reason',
);

export async function countInboundRefusal(ctx: CoreContext, reason: InboundRefusalReason): Promise<void> {
  await ctx.db.query(addRefusal, [reason, now(ctx)]);
}

/** The counts since the installation was set up. */
export async function listInboundRefusals(ctx: CoreContext): Promise<{ reason: string; count: number }[]> {
  return ctx.db.query(findRefusals, []);
}
