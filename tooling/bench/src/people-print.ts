/** The figures of `bench:people` for people who read them. */
import type { AnsweredAct, DeadAir, Hole } from './people-figures.ts';
import { distribution } from './talk-figures.rules.ts';

/** All figures of a run. */
export interface PeopleFigures {
  recogniser: string;
  seed: number;
  calls: number;
  /** The numbers of calls that ended before the person had finished. */
  cutOff: readonly string[];
  answers: readonly AnsweredAct[];
  deadAir: readonly DeadAir[];
  backchannels: readonly Hole[];
}

const WIDTHS = [14, 8, 12, 10, 10, 10] as const;
const write = (line: string): void => void process.stdout.write(`${line}\n`);

/** One line for each act, then what went wrong. */
export function printPeople({
  recogniser,
  seed,
  calls,
  cutOff,
  answers,
  deadAir,
  backchannels,
}: PeopleFigures): void {
  write(`\n${calls} calls, recogniser ${recogniser}, seed ${seed}`);
  row('act', 'turns', 'unanswered', 'p50, ms', 'p95, ms', 'max, ms');
  for (const [act, turns] of Map.groupBy(answers, (turn) => turn.act)) {
    const times = distribution(turns.flatMap(({ latencyMs }) => latencyMs ?? []));
    const missing = turns.length - times.count;
    row(act, turns.length, missing, times.p50, times.p95, times.max);
  }
  const holes = backchannels.filter(({ lengthMs }) => lengthMs > 0);
  write(`backchannels ${backchannels.length}, with a hole in the assistant's speech ${holes.length}`);
  for (const { number, atMs, lengthMs } of holes)
    write(`hole of ${seconds(lengthMs)} in call ${number} at ${seconds(atMs)}`);
  for (const number of cutOff) write(`call ${number} ended before its person had finished`);
  for (const { number, act, atMs, latencyMs } of answers)
    if (latencyMs === null) write(`unanswered: ${act} in call ${number} at ${seconds(atMs)}`);
  for (const { number, atMs, lengthMs } of deadAir)
    write(`dead air of ${seconds(lengthMs)} in call ${number} at ${seconds(atMs)}`);
}

function row(...cells: (string | number)[]): void {
  const texts = cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(0) : cell));
  write(
    texts.map((text, at) => (at === 0 ? text.padEnd(WIDTHS[0]) : text.padStart(WIDTHS[at] ?? 0))).join(''),
  );
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
