/** The job that ends a call at its carrier. At most one waits for each call. */
import { statement, type Tx } from '@parley/db';
import { enqueue } from './catalogue.ts';

/** A call at a carrier. */
export interface CarrierCallRef {
  carrierAccountId: number;
  carrierCallId: string;
}

const findAccountOfTrunk = statement<{ id: number }>(
  'carrier_account_of_trunk',
  `select id from carrier_accounts where trunk_id = $1 order by id limit 1`,
);

/** A worker ends the call, and tries again if the carrier does not answer. */
export async function endCarrierCallSoon(tx: Tx, call: CarrierCallRef): Promise<void> {
  await enqueue(tx, 'end_carrier_call', { ...call }, { jobKey: `end_carrier_call:${call.carrierCallId}` });
}

/** The same for a live call whose voice process is gone. Does nothing for a call that no carrier streams. */
export async function endCarrierCallOfTrunk(
  tx: Tx,
  { trunkId, carrierCallId }: { trunkId: number | null; carrierCallId: string | null },
): Promise<void> {
  if (trunkId === null || carrierCallId === null) return;
  const [account] = await tx.query(findAccountOfTrunk, [trunkId]);
  if (account) await endCarrierCallSoon(tx, { carrierAccountId: account.id, carrierCallId });
}
