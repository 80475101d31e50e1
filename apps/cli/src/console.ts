/** The terminal and the environment of commands, injected so that a test can replace them. */
import type { Clock } from '@parley/runtime';
import type { Environment } from './settings.ts';

/** A terminal, or a test's replacement for one. */
export interface Console {
  environment: Environment;
  clock: Clock;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** Writes to stdout: results. */
  write(text: string): void;
  /** Writes to stderr: messages, which must not reach a pipe. */
  remark(text: string): void;
  /** Asks the user a question; null without an interactive terminal. */
  ask: ((question: string) => Promise<string>) | null;
}

/** One result: a line of JSON for programs, or lines for people. */
export function print(
  to: Console,
  result: { json: unknown; text: string },
  isJson: boolean | undefined,
): void {
  to.write(`${isJson ? JSON.stringify(result.json) : result.text}\n`);
}

/** Column titles, and the cell of each row. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string | number>>;

/** Rows as a table. @param nothing - printed when there are no rows */
export function listing<Row>(rows: readonly Row[], columns: Columns<Row>, nothing: string): string {
  if (rows.length === 0) return nothing;
  const cells = rows.map((row) => Object.values(columns).map((cell) => String(cell(row))));
  return table(Object.keys(columns), cells);
}

/** One record for people: a line for each non-empty field, with nested values as JSON. */
export function facts(record: object): string {
  const entries = Object.entries(record).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(0, ...entries.map(([name]) => name.length));
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${text(value)}`).join('\n');
}

/** Columns as wide as their widest cell, two spaces apart. */
function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [header, ...rows].map(line).join('\n');
}
