/** Reads the column names and the first rows of a file of leads, so that the user can map the columns before the import. */
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
  /** The first rows with content; each has a cell for each of `columns`, truncated. The last one may be incomplete. */
  rows: string[][];
}

const SAMPLE_ROWS = 3;
const MAX_SAMPLE_LENGTH = 80;

/**
 * Uses the same detection as the import.
 *
 * @param start - the file up to the end of its header at least
 * @throws DomainError `invalid` for an empty file, or one that cannot be read
 */
export async function readColumns(start: Uint8Array): Promise<FileColumns> {
  let header: string[] | null = null;
  const rows: string[][] = [];
  try {
    for await (const cells of readCsv(Readable.from([start]))) {
      if (isEmptyRow({ rowNumber: 0, cells })) continue;
      if (header) rows.push(cells);
      else header = cells;
      if (rows.length === SAMPLE_ROWS) break;
    }
  } catch (error) {
    // The start may end within a quoted cell. A fault of the file itself is found by the check.
    if (!header) throw error;
  }
  if (!header) throw invalidFile('The file is empty.');
  return columnsOf(header, rows);
}

function columnsOf(header: readonly string[], rows: readonly string[][]): FileColumns {
  const planned = planColumns(header);
  const named = header.map((name, place) => ({ name: name.trim(), place })).filter(({ name }) => name !== '');
  return {
    columns: named.map(({ name }) => name),
    phoneColumn: 'plan' in planned ? (planned.plan.columns[planned.plan.phone] ?? null) : null,
    rows: rows.map((cells) => named.map(({ place }) => sampleOf(cells[place] ?? ''))),
  };
}

function sampleOf(cell: string): string {
  return cell.trim().slice(0, MAX_SAMPLE_LENGTH).toWellFormed();
}
