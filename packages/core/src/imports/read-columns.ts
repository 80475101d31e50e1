/** Reads the column names of a file of leads, so that the user can map them before the import. */
import { Readable } from 'node:stream';
import { invalidFile } from './invalid-file.ts';
import { planColumns } from './plan-columns.rules.ts';
import { readCsv } from './read-csv.ts';
import { isEmptyRow } from './read-lead-row.ts';

/** The header of a file. */
export interface FileColumns {
  /** The columns that have a name. */
  columns: string[];
  /** The column that holds the phone number, judged by its name. */
  phoneColumn: string | null;
}

/**
 * Uses the same detection as the import.
 *
 * @param start - the file up to the end of its header at least
 * @throws DomainError `invalid` for an empty file, or one that cannot be read
 */
export async function readColumns(start: Uint8Array): Promise<FileColumns> {
  for await (const cells of readCsv(Readable.from([start]))) {
    if (isEmptyRow({ rowNumber: 0, cells })) continue;
    const planned = planColumns(cells);
    return {
      columns: cells.map((name) => name.trim()).filter((name) => name !== ''),
      phoneColumn: 'plan' in planned ? (planned.plan.columns[planned.plan.phone] ?? null) : null,
    };
  }
  throw invalidFile('The file is empty.');
}
