/**
 * The report of an import as CSV that is safe in a spreadsheet: each refused row with its reason. SQL, because there may be a
 * million rows.
 */
import type { ImportErrorCode } from '@parley/contracts';
import { statement, type LeadImportErrorRow } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { findImportRow } from './find-imports.ts';
import { refusalTexts } from './refusal-texts.ts';
import { csvLine } from '../shared/spreadsheet-cell.rules.ts';

const ROWS_AT_A_TIME = 1000;

const selectErrors = statement<LeadImportErrorRow>(
  'list_import_errors',
  `select * from lead_import_errors where import_id = $1 and row_number > $2
   order by row_number limit ${ROWS_AT_A_TIME}`,
);

/** Parts of the report, the header first; ends when the consumer stops reading. */
export async function* reportImport(
  ctx: CoreContext,
  identity: Identity,
  id: number,
): AsyncGenerator<string> {
  await findImportRow(ctx, identity, id);
  yield csvLine(['row', 'column', 'reason', 'message', 'value']);
  for (let after = 0; ;) {
    const rows = await ctx.db.query(selectErrors, [id, after]);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(lineOf).join('');
    after = last.rowNumber;
  }
}

function lineOf({ rowNumber, columnName, code, value }: LeadImportErrorRow): string {
  return csvLine([rowNumber, columnName ?? '', code, refusalTexts[code as ImportErrorCode], value]);
}
