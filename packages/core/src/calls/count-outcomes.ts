/** How the calls of one campaign ended, from the counts of settled calls (docs/decisions/call-counts.md). */
import type { CallOutcome } from '@parley/contracts';
import { statement, type Tx } from '@parley/db';

const selectOutcomes = statement<{ outcome: CallOutcome; count: number }>(
  'count_campaign_outcomes',
  `select outcome, sum(count)::int as count from (
     select outcome, count from call_counts where user_id = $1 and campaign_id = $2
     union all
     select outcome, change from call_count_changes where user_id = $1 and campaign_id = $2
     union all
     select parley_call_outcome(status, ended_reason, answered_by), 1 from calls
     where user_id = $1 and campaign_id = $2 and status in ('ended', 'ended_by_customer', 'ended_by_assistant')
   ) counted group by outcome`,
);

/** The number of calls by outcome; an outcome without calls is absent. */
export async function countOutcomes(
  tx: Tx,
  { userId, campaignId }: { userId: number; campaignId: number },
): Promise<Partial<Record<CallOutcome, number>>> {
  const rows = await tx.query(selectOutcomes, [userId, campaignId]);
  return Object.fromEntries(
    rows.filter(({ count }) => count > 0).map(({ outcome, count }) => [outcome, count]),
  );
}
