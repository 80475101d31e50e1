/** Writes the disposition of a call, and counts those of a campaign. */
import { statement, type CallDispositionRow, type Tx } from '@parley/db';

/** A disposition and what gave it. */
export type GivenDisposition = Pick<CallDispositionRow, 'disposition' | 'source'>;

interface DisposedCall {
  id: number;
  createdAt: Date;
  userId: number;
  campaignId: number;
}

/** Replaces what the evaluation chose, and never what a person did. */
const writeDisposition = statement<{ disposition: string }>(
  'write_call_disposition',
  `insert into call_dispositions (call_id, call_created_at, user_id, campaign_id, disposition, source, set_at)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (call_id) do update
     set disposition = excluded.disposition, source = excluded.source, set_at = excluded.set_at
     where excluded.source = 'person' or call_dispositions.source <> 'person'
   returning disposition`,
);
const deleteDisposition = statement(
  'delete_call_disposition',
  `delete from call_dispositions where call_id = $1`,
);
const selectDisposition = statement<GivenDisposition>(
  'call_disposition',
  `select disposition, source from call_dispositions where call_id = $1`,
);
const countByCampaign = statement<{ disposition: string; calls: number }>(
  'count_call_dispositions',
  `select disposition, count(*)::int as calls from call_dispositions where campaign_id = $1
   group by disposition order by disposition`,
);

/** @returns false where a person has set another one, which stays */
export async function storeDisposition(
  tx: Tx,
  call: DisposedCall,
  { disposition, source, at }: GivenDisposition & { at: Date },
): Promise<boolean> {
  const values = [call.id, call.createdAt, call.userId, call.campaignId, disposition, source, at];
  const written = await tx.query(writeDisposition, values);
  return written.length > 0;
}

/** Also with a call that has none. */
export async function removeDisposition(tx: Tx, callId: number): Promise<void> {
  await tx.query(deleteDisposition, [callId]);
}

/** Null: the call has none. */
export async function readCallDisposition(tx: Tx, callId: number): Promise<GivenDisposition | null> {
  const [found] = await tx.query(selectDisposition, [callId]);
  return found ?? null;
}

/** @param listed - the list of the campaign, whose order the counts keep; names that it has no longer come last */
export async function countDispositions(
  tx: Tx,
  campaignId: number,
  listed: readonly string[],
): Promise<{ disposition: string; calls: number }[]> {
  const rows = await tx.query(countByCampaign, [campaignId]);
  const placeOf = ({ disposition }: { disposition: string }): number => {
    const place = listed.indexOf(disposition);
    return place === -1 ? listed.length : place;
  };
  return rows.toSorted((a, b) => placeOf(a) - placeOf(b));
}
