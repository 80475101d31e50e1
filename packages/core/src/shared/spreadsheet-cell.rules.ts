/**
 * Protects spreadsheets from cells that they would read as formulas. Such a cell is written with an apostrophe in
 * front, which is removed on reading, so that an exported file can be imported unchanged.
 */

/**
 * Where a formula may begin. Spreadsheets with East Asian input also begin formulas with full-width characters, `＝＋－＠`. Where
 * the system separates lists by semicolons, as in most of Europe, Excel divides a CSV file at these and at line ends, and then
 * quotation marks around a cell protect nothing: its parts are cells of their own. Marks at the beginning of such a part,
 * which are doubled, are an empty quotation, and what follows it is the content of the cell.
 */
const FORMULA =
  /(?:^(?='*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20])|(?<=[;\t\r\n])(?=['"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]))/g;
const NEUTRALISED =
  /(?:^'(?='*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20])|(?<=[;\t\r\n])'(?=['"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]))/g;

/** A cell that no spreadsheet evaluates. */
export function neutraliseCell(text: string): string {
  return text.replaceAll(FORMULA, "'");
}

/** Undoes {@link neutraliseCell}. Spreadsheets also hide such an apostrophe, and people type it to preserve a `+`. */
export function restoreCell(text: string): string {
  return text.replaceAll(NEUTRALISED, '');
}

/** A line of CSV (RFC 4180), every cell neutralised. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map((cell) => quoted(typeof cell === 'number' ? String(cell) : neutraliseCell(cell))).join()}\r\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
