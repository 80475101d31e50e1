/**
 * Cells that a spreadsheet would take for a formula. Written with an apostrophe in front, they are text to it; read with
 * one, the apostrophe is taken off again, so that a file that we wrote comes back exactly as it was.
 */

/** Spreadsheets with East Asian input also begin formulas with full-width characters, `＝＋－＠`. */
const FORMULA = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const NEUTRALISED = /^'+[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A cell that no spreadsheet calculates. */
export function neutraliseCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Undoes {@link neutraliseCell}; spreadsheets also hide such an apostrophe, and people type it to keep a `+`. */
export function restoreCell(text: string): string {
  return NEUTRALISED.test(text) ? text.slice(1) : text;
}

/** A line of CSV (RFC 4180), every cell neutralised. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map((cell) => quoted(typeof cell === 'number' ? String(cell) : neutraliseCell(cell))).join()}\r\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
