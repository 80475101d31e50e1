/** The figures of `bench:talk` for people. */
import type { Distribution, TalkFigures } from './talk-figures.rules.ts';
import { FLOOR_MS } from './talk-figures.rules.ts';
import type { WebFigures } from './talk-web.ts';

const LABELS = {
  overheadMs: `P1 overhead of a turn (floor ${FLOOR_MS} ms)`,
  lossyTurnMs: 'P2 turn, 1 % of packets lost',
  aheadTurnMs: 'P2 turn made ahead',
  reportErrorMs: 'P3 reported against heard',
  bargeInMs: 'P4 barge-in, onset to last sound',
  keptWordsError: 'P4 text kept against heard, words',
  toolSilenceMs: 'P5 longest pause around a tool of 3 s',
  toolFillerMs: '   the first pause, which a filler ends',
  calledGreetingMs: 'P6 answer to first sound, it rang',
  greetingMs: '   the same, nothing rang',
  latenessMs: 'P7 lateness of packets',
  noiseMs: 'noise: lateness of the callers',
} as const satisfies Partial<Record<keyof TalkFigures, string>>;

const COLUMNS = ['p50', 'p95', 'p99', 'min', 'max'] as const;
const NAME_WIDTH = 40;
const COLUMN_WIDTH = 9;

const write = (line: string): void => void process.stdout.write(`${line}\n`);

/** P22. */
export function printWeb({ joinMs, overheadMs, turns, unanswered }: WebFigures): void {
  printHead('web calls');
  printLine('P22 request to first sound', joinMs);
  printLine('P22 overhead of a turn', overheadMs);
  write(`turns ${turns}, of which ${unanswered} were not answered`);
}

/** One figure a line; milliseconds where nothing else is said. */
export function printRound(title: string, figures: TalkFigures): void {
  printHead(title);
  for (const [key, label] of Object.entries(LABELS)) printLine(label, figures[key as keyof typeof LABELS]);
  write(`turns ${figures.turns}, of which ${figures.unanswered} were not answered`);
  const { calls, cpuPercent, packetMicros, memoryMegabytes, longestStallMs, latenessMs, noiseMs } = figures;
  const most = Math.floor(100 / cpuPercent);
  if (figures.latenessMs.count > 0 && figures.noiseMs.count > 0)
    write(
      `P7 lateness over that of the callers' bare loop, p99: ${(latenessMs.p99 / noiseMs.p99).toFixed(1)}`,
    );
  if (figures.bargeInMs.count > 0) write(`P4 stale packets ${figures.stalePackets}`);
  if (figures.draftsMade > 0)
    write(`P2 drafted replies ${figures.draftsMade}, of which ${figures.draftsUnheard} were not used`);
  if (calls === 1) return;
  write(
    `P8 ${cpuPercent.toFixed(2)} % of a core for each call, ${packetMicros.toFixed(0)} us a packet: ${most} calls a core`,
  );
  write(`P9 ${memoryMegabytes.toFixed(2)} MB for each call`);
  write(`   longest stall of the main thread ${longestStallMs.toFixed(0)} ms`);
}

function printHead(title: string): void {
  write(
    `\n${title.padEnd(NAME_WIDTH)}${COLUMNS.map((name) => name.padStart(COLUMN_WIDTH)).join('')}        n`,
  );
}

function printLine(label: string, figures: Distribution): void {
  if (figures.count === 0) return;
  const cells = COLUMNS.map((name) => figures[name].toFixed(1).padStart(COLUMN_WIDTH)).join('');
  write(`${label.padEnd(NAME_WIDTH)}${cells}${String(figures.count).padStart(9)}`);
}
