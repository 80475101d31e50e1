/**
 * Converts the first sheet of an Excel file (.xlsx, a ZIP archive of XML files) to CSV. Files come from outside, so the
 * size of the unpacked file and of the sheet is limited before either is built in memory. The only file that uses
 * read-excel-file and fflate.
 */
import { type Unzipped, unzipSync, zipSync } from 'fflate';
import { readSheet } from 'read-excel-file/universal';

/** Why a file was refused. */
type SpreadsheetFault = 'too-large' | 'unreadable';

/** The CSV, or the reason why there is none. */
export type SpreadsheetResult = { csv: string } | { fault: SpreadsheetFault };

/** Unpacked. A row of ten columns has about 500 bytes, so this is more than 200,000 leads. */
const MAX_UNPACKED_BYTES = 128 * 1024 * 1024;
/** Empty cells included: a sheet with only its last cell filled has 17 thousand million. */
const MAX_CELLS = 10_000_000;
/** The longest CSV that is made: a file has the text of many cells once. */
const MAX_CSV_LENGTH = 128 * 1024 * 1024;
const SHEET_PATH = /^xl\/worksheets\/.*\.xml$/;
/** The address of a cell or a row, such as `r="AB12"` or `r="12"`. */
const ADDRESS = /\br=["']([A-Z]*)(\d*)["']/g;
const BASE_OF_COLUMNS = 26;
const CODE_BEFORE_A = 64;

/** @param file - the bytes of the file */
export async function spreadsheetToCsv(file: Uint8Array): Promise<SpreadsheetResult> {
  try {
    const parts = unpack(file);
    if (!parts || !isSmall(parts)) return { fault: 'too-large' };
    // Not the file itself: for large parts the library would start workers from blob: URLs, which the content security
    // policy forbids. It needs none for parts that are not compressed.
    const rows = await readSheet(new Blob([zipSync(parts, { level: 0 })]));
    return csvOf(rows);
  } catch {
    return { fault: 'unreadable' };
  }
}

/**
 * The XML files of the archive. fflate writes each into a buffer of the size that its header states, so a header that
 * understates it takes no more memory.
 *
 * @returns null when they are too large
 */
function unpack(file: Uint8Array): Unzipped | null {
  let bytes = 0;
  const parts = unzipSync(file, {
    filter: ({ name, originalSize }) => {
      if (!/\.(xml|rels)$/.test(name)) return false;
      bytes += originalSize;
      return bytes <= MAX_UNPACKED_BYTES;
    },
  });
  return bytes > MAX_UNPACKED_BYTES ? null : parts;
}

function isSmall(parts: Unzipped): boolean {
  const sheets = Object.entries(parts).filter(([path]) => SHEET_PATH.test(path));
  return sheets.every(([, bytes]) => cellsOf(new TextDecoder().decode(bytes)) <= MAX_CELLS);
}

/** Rows times columns of the area that the filled cells span. */
function cellsOf(sheet: string): number {
  let [columns, rows] = [1, 1];
  for (const [, column = '', row = ''] of sheet.matchAll(ADDRESS)) {
    columns = Math.max(columns, columnNumber(column));
    rows = Math.max(rows, Number(row));
  }
  return columns * rows;
}

function columnNumber(letters: string): number {
  let value = 0;
  for (const letter of letters) value = value * BASE_OF_COLUMNS + letter.charCodeAt(0) - CODE_BEFORE_A;
  return value;
}

/** The library's types name the constructor of dates where they mean a date. */
type Cell = string | number | boolean | Date | DateConstructor | null;

function csvOf(rows: readonly (readonly Cell[])[]): SpreadsheetResult {
  const lines: string[] = [];
  let length = 0;
  for (const cells of rows) {
    const texts: string[] = [];
    for (const cell of cells) {
      const text = csvCell(cell);
      length += text.length + 1;
      if (length > MAX_CSV_LENGTH) return { fault: 'too-large' };
      texts.push(text);
    }
    lines.push(`${texts.join()}\r\n`);
  }
  return { csv: lines.join('') };
}

function csvCell(value: Cell): string {
  if (value === null) return '';
  const text = value instanceof Date ? dateText(value) : String(value);
  return `"${text.replaceAll('"', '""')}"`;
}

/** Excel stores a date as a time at midnight. */
function dateText(date: Date): string {
  const [day = '', time = ''] = date.toISOString().replace('.000Z', '').split('T');
  return time === '00:00:00' ? day : `${day} ${time}`;
}
