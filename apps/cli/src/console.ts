/** Where commands write, and what they are given: handed in, so that a test can stand in for a terminal. */
import type { Clock } from '@parley/runtime';
import type { Environment } from './settings.ts';

/** A terminal, or what stands for one. */
export interface Console {
  environment: Environment;
  clock: Clock;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** Writes to stdout: results. */
  write(text: string): void;
  /** Writes to stderr: remarks, which must not get into a pipe. */
  remark(text: string): void;
}

/** One result: a line of JSON for programs, or lines for people. */
export function print(
  to: Console,
  result: { json: unknown; text: string },
  isJson: boolean | undefined,
): void {
  to.write(`${isJson ? JSON.stringify(result.json) : result.text}\n`);
}

/** Columns as wide as their widest cell, two spaces apart. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
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
