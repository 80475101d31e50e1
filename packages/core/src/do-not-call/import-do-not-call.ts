/**
 * Adds the numbers of a CSV file to the do-not-call list, in batches as the file arrives. An import that is interrupted keeps
 * what it has added; sending the file again adds the rest. SQL, because a batch has a thousand rows.
 */
import type { DoNotCallImport } from '@parley/contracts';
import { json, statement } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { readCsv } from '../imports/read-csv.ts';
import { inBatches, openFile, readRows } from '../imports/read-lead-file.ts';
import type { LeadRow, RefusedRow } from '../imports/read-lead-row.ts';
import { refusalTexts } from '../imports/refusal-texts.ts';
import { accountCountry } from '../users/account-number.ts';
import type { Identity } from '../users/identity.ts';

/** Refused rows that are listed. */
const MAX_LISTED = 20;
/** Characters of a stored reason; the rest of a longer one is left out, because the number matters more. */
const MAX_REASON = 255;
const REASON_COLUMN = 'reason';

/** An entry that exists keeps its reason where the file has none. */
const insertEntries = statement<{ isNew: boolean }>(
  'do_not_call_import',
  `insert into do_not_call (user_id, phone_number, reason, created_at)
   select $1, r."phoneNumber", r.reason, $3
   from jsonb_to_recordset($2) as r("phoneNumber" text, reason text)
   on conflict (user_id, phone_number) do update set reason =
     case when excluded.reason = '' then do_not_call.reason else excluded.reason end
   returning xmax = 0 as "isNew"`,
);

/**
 * @throws DomainError `invalid` for a file that cannot be read, or has no column with phone numbers; batches before the fault
 *   stay. Also any error of reading `bytes`.
 */
export async function importDoNotCall(
  ctx: CoreContext,
  { userId }: Identity,
  bytes: AsyncIterable<Uint8Array>,
): Promise<DoNotCallImport> {
  const defaultCountry = await accountCountry(ctx.db, userId);
  const records = readCsv(bytes);
  const { plan, skipped, first } = await openFile(records, {});
  const result: DoNotCallImport = { rows: 0, added: 0, already_listed: 0, refused: 0, examples: [] };
  const reasonName = plan.variables.find(({ name }) => name.toLowerCase() === REASON_COLUMN)?.name;
  let position = 0;
  for await (const batch of inBatches(first, records)) {
    const rows = await readRows(batch, skipped + position + 1, { plan, defaultCountry });
    position += batch.length;
    addRefusals(result, rows);
    const written = await ctx.db.query(insertEntries, [userId, json(entriesOf(rows, reasonName)), now(ctx)]);
    const added = written.filter(({ isNew }) => isNew).length;
    result.added += added;
    result.already_listed += written.length - added;
  }
  return result;
}

function addRefusals(result: DoNotCallImport, rows: readonly (LeadRow | RefusedRow)[]): void {
  result.rows += rows.length;
  for (const row of rows) {
    if (!('code' in row)) continue;
    result.refused += 1;
    const { rowNumber, value, code } = row;
    if (result.examples.length < MAX_LISTED)
      result.examples.push({ row: rowNumber, value, message: refusalTexts[code] });
  }
}

/** Each number once, in the order in which concurrent imports lock them. */
function entriesOf(
  rows: readonly (LeadRow | RefusedRow)[],
  reasonName: string | undefined,
): { phoneNumber: string; reason: string }[] {
  const reasons = new Map<string, string>();
  for (const row of rows) {
    if ('code' in row) continue;
    const variables = JSON.parse(row.variables) as Record<string, string>;
    const reason = reasonName === undefined ? '' : (variables[reasonName] ?? '');
    reasons.set(row.phoneNumber, reason.trim().slice(0, MAX_REASON).toWellFormed());
  }
  return [...reasons]
    .map(([phoneNumber, reason]) => ({ phoneNumber, reason }))
    .sort((one, other) => (one.phoneNumber < other.phoneNumber ? -1 : 1));
}
