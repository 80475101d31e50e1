/** The do-not-call list as CSV that is safe in a spreadsheet, in the order of the numbers, streamed: it may have millions. */
import { DoNotCall } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { containing } from '../shared/containing.ts';
import { csvLine } from '../shared/spreadsheet-cell.rules.ts';
import type { Identity } from '../users/identity.ts';

const COLUMNS = ['phone_number', 'reason', 'created_at', 'call_id'];
/** Entries of one query. */
const BATCH_SIZE = 1000;

/**
 * Parts of the file, the header first; ends when the consumer stops reading. The import of the list reads the file.
 *
 * @param query.phoneNumber - a part of the number; absent: the whole list
 */
export async function* exportDoNotCall(
  ctx: CoreContext,
  { userId }: Identity,
  { phoneNumber: part }: { phoneNumber?: string | undefined },
): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for (let after = ''; ;) {
    const number = { $gt: after, ...(part !== undefined && containing(part)) };
    const entries = await ctx.db.em.find(
      DoNotCall,
      { userId, phoneNumber: number },
      { orderBy: { phoneNumber: 'asc' }, limit: BATCH_SIZE },
    );
    yield entries
      .map((entry) =>
        csvLine([entry.phoneNumber, entry.reason, entry.createdAt.toISOString(), entry.callId ?? '']),
      )
      .join('');
    const last = entries.at(-1);
    if (!last || entries.length < BATCH_SIZE) return;
    after = last.phoneNumber;
  }
}
