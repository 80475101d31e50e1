/** Adds the cost of a reply to its conversation. SQL, because sums are made by the database, which has no rounding errors. */
import type { TextReplyRecord } from '@parley/contracts';
import { statement, type Tx } from '@parley/db';

const addCost = statement(
  'add_cost_of_reply',
  `update written_conversations
   set total_cost = total_cost + $2::numeric, are_costs_complete = are_costs_complete and $3::boolean
   where id = $1`,
);

/** @param conversationId - of a row that this transaction has written or locked */
export async function addReplyCost(
  tx: Tx,
  conversationId: number,
  cost: Pick<TextReplyRecord, 'total_cost' | 'are_costs_complete'>,
): Promise<void> {
  await tx.query(addCost, [conversationId, String(cost.total_cost), cost.are_costs_complete]);
}
