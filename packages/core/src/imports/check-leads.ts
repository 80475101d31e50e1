/** Checks a file of leads before its import: what would become of each row. Nothing is written. */
import type { ImportCheck, ImportErrorCode } from '@parley/contracts';
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { findImportCampaign } from './find-imports.ts';
import { readCsv } from './read-csv.ts';
import { inBatches, openFile, readRows, type ImportOptions } from './read-lead-file.ts';
import { refusalTexts } from './refusal-texts.ts';
import type { LeadRow, RefusedRow } from './read-lead-row.ts';

/** The file and how it is to be read. */
export interface CheckedFile {
  campaignId: number;
  options: ImportOptions;
  bytes: AsyncIterable<Uint8Array>;
}

/** The numbers of the file are kept in memory to find duplicates, about 100 bytes each. */
const MAX_CHECKED_ROWS = 200_000;
/** Refused rows that are listed. */
const MAX_LISTED = 20;

const selectTaken = statement<{ phoneNumber: string }>(
  'checked_numbers_taken',
  `select distinct phone_number from leads where campaign_id = $1 and phone_number = any($2)`,
);
const countForbidden = statement<{ count: number }>(
  'checked_numbers_forbidden',
  `select count(*)::int as count from do_not_call where user_id = $1 and phone_number = any($2)`,
);

/**
 * @throws DomainError `not-found` for the campaign; `invalid` for a file that cannot be read. Also any error of reading
 *   `bytes`.
 */
export async function checkLeads(
  ctx: CoreContext,
  identity: Identity,
  { campaignId, options, bytes }: CheckedFile,
): Promise<ImportCheck> {
  const { defaultCountry } = await findImportCampaign(ctx, identity, campaignId);
  const records = readCsv(bytes, options.delimiter);
  const { plan, skipped, first } = await openFile(records, options);
  const found = new Findings();
  let position = 0;
  for await (const batch of inBatches(first, records)) {
    const rows = await readRows(batch, skipped + position + 1, { plan, defaultCountry });
    position += batch.length;
    const numbers = rows.flatMap((row) => ('phoneNumber' in row ? [row.phoneNumber] : []));
    if (options.isDuplicateAllowed !== true) {
      const taken = await ctx.db.query(selectTaken, [campaignId, numbers]);
      found.addTaken(taken.map(({ phoneNumber }) => phoneNumber));
    }
    const fresh = found.add(rows, options.isDuplicateAllowed ?? false);
    const [forbidden] = await ctx.db.query(countForbidden, [identity.userId, fresh]);
    found.check.on_do_not_call_list += forbidden?.count ?? 0;
    if (position < MAX_CHECKED_ROWS) continue;
    found.check.is_complete = false;
    break;
  }
  return found.check;
}

class Findings {
  readonly check: ImportCheck = {
    rows: 0,
    leads: 0,
    on_do_not_call_list: 0,
    refusals: [],
    examples: [],
    is_complete: true,
  };
  readonly #taken = new Set<string>();

  addTaken(numbers: readonly string[]): void {
    for (const number of numbers) this.#taken.add(number);
  }

  /** @returns the numbers of the rows that would become leads */
  add(rows: readonly (LeadRow | RefusedRow)[], isDuplicateAllowed: boolean): string[] {
    const fresh: string[] = [];
    for (const row of rows) {
      this.check.rows += 1;
      if ('code' in row) this.#refuse(row);
      else if (!isDuplicateAllowed && this.#taken.has(row.phoneNumber))
        this.#refuse({ ...row, code: 'duplicate', columnName: null, value: row.phoneNumber });
      else fresh.push(row.phoneNumber);
      if ('phoneNumber' in row && !isDuplicateAllowed) this.#taken.add(row.phoneNumber);
    }
    this.check.leads += fresh.length;
    return fresh;
  }

  #refuse({ rowNumber, columnName, code, value }: RefusedRow): void {
    this.#count(code);
    if (this.check.examples.length === MAX_LISTED) return;
    this.check.examples.push({ row: rowNumber, column: columnName, message: refusalTexts[code], value });
  }

  #count(code: ImportErrorCode): void {
    const known = this.check.refusals.find((refusal) => refusal.code === code);
    if (known) known.rows += 1;
    else this.check.refusals.push({ code, rows: 1 });
  }
}
