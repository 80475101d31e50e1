/** Reads a file of leads: its columns, and its rows in batches. Importing and checking a file read it in the same way. */
import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { CsvDelimiter } from '@parley/contracts';
import { invalidFile } from './invalid-file.ts';
import { planColumns, type ColumnPlan, type Mapping } from './plan-columns.rules.ts';
import { isEmptyRow, readLeadRow, type LeadRow, type RefusedRow } from './read-lead-row.ts';

/** How a file is to be read. */
export interface ImportOptions {
  mapping?: Mapping | undefined;
  delimiter?: CsvDelimiter | undefined;
  /** Default true. */
  hasHeader?: boolean | undefined;
  isDuplicateAllowed?: boolean | undefined;
}

/** Small enough for a short transaction and little memory. Must not change, because uploads continue in these steps. */
const BATCH_RECORDS = 1000;
/** The maximum length of the text of a batch, which is in memory: for each row as much as the variables of a lead may have. */
const MAX_BATCH_LENGTH = BATCH_RECORDS * 64 * 1024;
/** After this many rows the event loop runs other requests; reading a number takes a few microseconds. */
const ROWS_AT_A_STRETCH = 100;

/** A file whose columns are known. */
export interface OpenedFile {
  plan: ColumnPlan;
  /** Records before the first that is a lead. */
  skipped: number;
  /** A record that was read already and is a lead. */
  first: string[] | null;
}

/** Reads up to the first record that is not empty, and derives the columns from it. */
export async function openFile(
  records: AsyncIterator<string[]>,
  options: ImportOptions,
): Promise<OpenedFile> {
  for (let skipped = 0; ; skipped += 1) {
    const next = await records.next();
    if (next.done) throw invalidFile('The file is empty.');
    const cells = next.value;
    if (isEmptyRow({ rowNumber: 0, cells })) continue;
    const hasHeader = options.hasHeader ?? true;
    const planned = planColumns(
      hasHeader ? cells : cells.map((_, place) => String(place + 1)),
      options.mapping,
    );
    if ('fault' in planned) throw invalidFile(planned.fault, 'mapping');
    return { plan: planned.plan, skipped: skipped + (hasHeader ? 1 : 0), first: hasHeader ? null : cells };
  }
}

/** The records after the header, in batches of a fixed size. @throws DomainError `invalid` for a batch that is too long */
export async function* inBatches(
  first: string[] | null,
  records: AsyncIterable<string[]>,
): AsyncGenerator<string[][]> {
  let batch: string[][] = first === null ? [] : [first];
  let length = 0;
  for await (const record of records) {
    batch.push(record);
    for (const cell of record) length += cell.length;
    if (length > MAX_BATCH_LENGTH)
      throw invalidFile(
        `${BATCH_RECORDS} rows of the file have more than ${MAX_BATCH_LENGTH / 1024 ** 2} MiB.`,
      );
    if (batch.length < BATCH_RECORDS) continue;
    yield batch;
    batch = [];
    length = 0;
  }
  if (batch.length > 0) yield batch;
}

/** The rows of a batch, without empty ones. */
export async function readRows(
  records: readonly string[][],
  firstRow: number,
  { plan, defaultCountry }: { plan: ColumnPlan; defaultCountry: string | null },
): Promise<(LeadRow | RefusedRow)[]> {
  const rows = [];
  for (const [place, cells] of records.entries()) {
    const row = { rowNumber: firstRow + place, cells };
    if (!isEmptyRow(row)) rows.push(readLeadRow(row, plan, defaultCountry));
    if (place % ROWS_AT_A_STRETCH === 0) await letOthersRun();
  }
  return rows;
}
