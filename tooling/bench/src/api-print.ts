/** The tables of `bench:api`. */
import type { ApiFigures } from './api-figures.ts';

/** Writes the figures to stdout. */
export function printApiFigures(figures: ApiFigures): void {
  printHot(figures);
  printLists(figures);
  for (const { calls, firstPageMs, deepPageMs, totalMs } of figures.depths ?? [])
    write(
      `\nA user's million among ${calls} calls: first page ${ms(firstPageMs)}, page 66,000 ${ms(deepPageMs)}, total alone ${ms(totalMs)}`,
    );
  for (const { leads, durationMs, grownMegabytes, longestStallMs } of figures.streams ?? [])
    write(
      `\n${leads} leads in one answer: ${ms(durationMs)}, ${grownMegabytes.toFixed(0)} MB more, longest stall ${ms(longestStallMs)}`,
    );
}

/** Two figures in a cell: the api, then the floor. */
function printHot({ hot = [] }: ApiFigures): void {
  if (hot.length === 0) return;
  const head = ['Node, us', 'ratio', 'of it GC', 'Postgres, us', 'p99 at 16, ms', 'statements'];
  row('\nOne request: api, plain Express and ts-rest', head);
  for (const { name, statements, ratio, api, floor } of hot) {
    const pair = (one: number, other: number): string => `${one.toFixed(0)}, ${other.toFixed(0)}`;
    row(name, [
      pair(api.micros, floor.micros),
      `${ratio.value.toFixed(2)} ± ${ratio.error.toFixed(2)}`,
      pair(api.gcMicros, floor.gcMicros),
      pair(api.postgresMicros, floor.postgresMicros),
      pair(api.p99Ms, floor.p99Ms),
      String(statements),
    ]);
  }
}

function printLists({ lists = [] }: ApiFigures): void {
  if (lists.length === 0) return;
  row('\nCalls list', ['rows', 'median', 'processor', 'p99']);
  for (const { name, total, medianMs, cpuMs, p99Ms } of lists)
    row(name, [String(total), ms(medianMs), ms(cpuMs), ms(p99Ms)]);
}

const NAME_WIDTH = 54;
const CELL_WIDTH = 20;

function row(name: string, cells: readonly string[]): void {
  write(name.padEnd(NAME_WIDTH) + cells.map((cell) => cell.padEnd(CELL_WIDTH)).join(''));
}

const ms = (value: number): string => `${value.toFixed(1)} ms`;
const write = (line: string): void => void process.stdout.write(`${line.trimEnd()}\n`);
