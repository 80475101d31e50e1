/**
 * `npm run bench:api`: what the REST API costs. Hot endpoints beside the same SQL on bare `node:http` and pg, the calls list
 * over a seeded year of calls, and the leads as one stream. 100,000 calls; with `--full` 1,000,000, every pair of filters,
 * nine million calls of others beside them, and exit code 1 when a goal of P16, P17 or P18 is missed.
 */
import { enterGround, type Ground } from './api-ground.ts';
import { measureHot, type HotFigures } from './api-hot.ts';
import {
  measureDepth,
  measureLists,
  measureStream,
  type DepthFigures,
  type ListFigures,
  type StreamFigures,
} from './api-lists.ts';
import { seedCalls } from './api-seed.ts';

const isFull = process.argv.includes('--full');
const calls = isFull ? 1_000_000 : 100_000;
/** Of nine other users, who are nobody otherwise. */
const callsOfOthers = 9_000_000;
const OTHERS = { userId: 1_000_000, users: 9 };

const MAX_RATIO = 1.3;
const MAX_HOT_P99_MS = 25;
const MAX_POSTGRES_RATIO = 2.5;
const MAX_LIST_P99_MS = 30;
const MAX_FIRST_PAGE_MS = 5;
const MAX_DEEP_PAGE_MS = 60;
const MAX_TOTAL_MS = 1;
const MAX_STREAM_MS = 250;
const MAX_STREAM_MEGABYTES = 60;
const MAX_STALL_MS = 20;

interface Figures {
  calls: number;
  hot: HotFigures[];
  lists: ListFigures[];
  /** Only with `--full`. */
  depths: DepthFigures[];
  streams: StreamFigures[];
}

async function measure(): Promise<Figures> {
  const ground = await enterGround();
  try {
    say(`Writing ${calls} calls...`);
    await seedCalls(ground.sql, ground, calls);
    say('Calls list...');
    const lists = await measureLists(ground, isFull);
    say('Hot endpoints...');
    const hot = await measureHot(
      ground,
      isFull ? { rounds: 25, requestsPerRound: 400 } : { rounds: 7, requestsPerRound: 200 },
    );
    say('Leads...');
    const streams = await measureStream(ground, isFull ? [10_000, 1_000_000] : [10_000]);
    const depths = isFull ? [await measureAmongOthers(ground)] : [];
    return { calls, hot, lists, depths, streams };
  } finally {
    await ground.leave();
  }
}

async function measureAmongOthers(ground: Ground): Promise<DepthFigures> {
  say(`Writing ${callsOfOthers} calls of others...`);
  await seedCalls(ground.sql, { ...OTHERS, assistantId: ground.assistantId }, callsOfOthers);
  return measureDepth(ground, calls + callsOfOthers);
}

/** The goals that were missed, as sentences. */
function missed({ hot, lists, depths, streams }: Figures): string[] {
  const worst = (value: number, limit: number, text: string): string[] => (value <= limit ? [] : [text]);
  return [
    ...hot.flatMap(({ name, ratio, postgresRatio, p99Ms }) => [
      ...worst(
        postgresRatio,
        MAX_POSTGRES_RATIO,
        `P16 ${name}: Postgres ${postgresRatio.toFixed(2)} times, allowed ${MAX_POSTGRES_RATIO}`,
      ),
      ...worst(ratio, MAX_RATIO, `P16 ${name}: ${ratio.toFixed(2)} times bare node, allowed ${MAX_RATIO}`),
      ...worst(p99Ms, MAX_HOT_P99_MS, `P16 ${name}: p99 ${p99Ms.toFixed(0)} ms, allowed ${MAX_HOT_P99_MS}`),
    ]),
    ...lists.flatMap(({ name, p99Ms }) =>
      worst(p99Ms, MAX_LIST_P99_MS, `P17 ${name}: p99 ${p99Ms.toFixed(0)} ms, allowed ${MAX_LIST_P99_MS}`),
    ),
    ...depths.flatMap(({ calls: among, firstPageMs, deepPageMs, totalMs }) => [
      ...worst(firstPageMs, MAX_FIRST_PAGE_MS, `P17 ${among} calls: first page ${firstPageMs.toFixed(1)} ms`),
      ...worst(deepPageMs, MAX_DEEP_PAGE_MS, `P17 ${among} calls: deep page ${deepPageMs.toFixed(1)} ms`),
      ...worst(totalMs, MAX_TOTAL_MS, `P17 ${among} calls: total ${totalMs.toFixed(1)} ms`),
    ]),
    ...streams.flatMap(({ leads, durationMs, grownMegabytes, longestStallMs }) => [
      ...(leads > 10_000
        ? []
        : worst(
            durationMs,
            MAX_STREAM_MS,
            `P18 ${leads} leads: ${durationMs.toFixed(0)} ms, allowed ${MAX_STREAM_MS}`,
          )),
      ...worst(
        grownMegabytes,
        MAX_STREAM_MEGABYTES,
        `P18 ${leads} leads: ${grownMegabytes.toFixed(0)} MB more, allowed ${MAX_STREAM_MEGABYTES}`,
      ),
      ...worst(
        longestStallMs,
        MAX_STALL_MS,
        `P18 ${leads} leads: a stall of ${longestStallMs.toFixed(0)} ms, allowed ${MAX_STALL_MS}`,
      ),
    ]),
  ];
}

function print(figures: Figures): void {
  write(
    `\nNode CPU per request, median${' '.repeat(12)}api      bare     ratio    Postgres ratio    p99 at 16   statements`,
  );
  for (const { name, statements, apiMicros, bareMicros, ratio, p99Ms, ...of } of figures.hot) {
    const postgres = `${micros(of.postgresMicros)}${of.postgresRatio.toFixed(2).padEnd(9)}`;
    const p99 = `${p99Ms.toFixed(1)} ms`.padEnd(12);
    write(
      `${name.padEnd(40)}${micros(apiMicros)}${micros(bareMicros)}${ratio.toFixed(2).padEnd(9)}${postgres}${p99}${statements}`,
    );
  }
  write(`\nCalls list over ${figures.calls} calls${' '.repeat(14)}rows      median   CPU      p99`);
  for (const { name, total, medianMs, p99Ms, cpuMs } of figures.lists) {
    write(
      `${name.padEnd(50)}${String(total).padEnd(10)}${medianMs.toFixed(1).padEnd(9)}${cpuMs.toFixed(1).padEnd(9)}${p99Ms.toFixed(1)} ms`,
    );
  }
  for (const { calls: among, firstPageMs, deepPageMs, totalMs } of figures.depths) {
    write(
      `\nA user's million among ${among} calls: first page ${firstPageMs.toFixed(1)} ms, page 66,000 ${deepPageMs.toFixed(1)} ms, total alone ${totalMs.toFixed(1)} ms`,
    );
  }
  for (const { leads, durationMs, grownMegabytes, longestStallMs } of figures.streams) {
    write(
      `\n${leads} leads in one answer: ${durationMs.toFixed(0)} ms, ${grownMegabytes.toFixed(0)} MB more, longest stall ${longestStallMs.toFixed(0)} ms`,
    );
  }
}

const micros = (value: number): string => `${value.toFixed(0)} us`.padEnd(9);
const write = (line: string): void => void process.stdout.write(`${line}\n`);
/** Progress goes to stderr: stdout ends with JSON. */
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const figures = await measure();
const faults = missed(figures);
print(figures);
if (faults.length > 0) write(`\nMissed:\n${faults.join('\n')}`);
write(JSON.stringify({ ...figures, missed: faults }));
process.exitCode = isFull && faults.length > 0 ? 1 : 0;
