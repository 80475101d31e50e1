/**
 * `npm run bench:api`: what the REST API costs. Endpoints beside the same SQL on plain Express and ts-rest, the calls list
 * over a seeded year of calls, and the leads as one stream. 100,000 calls; with `--full` 1,000,000, every pair of filters, a
 * million leads, and nine million calls of other users. `--only hot,leads` measures some parts. The exit code is 1 when a
 * goal of P16, P17 or P18 is missed.
 */
import { missedApiGoals } from './api-goals.rules.ts';
import type { ApiFigures } from './api-figures.ts';
import { openTestbed, type Testbed } from './api-testbed.ts';
import { measureHot } from './api-hot.ts';
import { measureDepth, measureLists, measureStream } from './api-lists.ts';
import { printApiFigures } from './api-print.ts';
import { seedCalls } from './api-seed.ts';

const isFull = process.argv.includes('--full');
const calls = isFull ? 1_000_000 : 100_000;
/** The calls of nine other users, who have nothing else. */
const callsOfOthers = 9_000_000;
const OTHERS = { userId: 1_000_000, users: 9 };

/** The parts by their names in `--only`, in this order: the calls of others slow everything else down. */
const PARTS: Record<string, (testbed: Testbed) => Promise<ApiFigures>> = {
  lists: async (testbed) => ({ lists: await measureLists(testbed, isFull) }),
  hot: async (testbed) => ({
    hot: await measureHot(
      testbed,
      isFull
        ? { warmUpRequests: 5000, rounds: 100, requestsPerRound: 200 }
        : { warmUpRequests: 2000, rounds: 30, requestsPerRound: 50 },
    ),
  }),
  leads: async (testbed) => ({
    streams: await measureStream(testbed, isFull ? [10_000, 1_000_000] : [10_000]),
  }),
  others: async (testbed) => {
    await seedCalls(testbed.sql, { ...OTHERS, assistantId: testbed.assistantId }, callsOfOthers);
    return { depths: [await measureDepth(testbed, calls + callsOfOthers)] };
  },
};

async function measure(parts: readonly string[]): Promise<ApiFigures> {
  const testbed = await openTestbed();
  const figures: ApiFigures = {};
  try {
    say(`Writing ${calls} calls...`);
    await seedCalls(testbed.sql, testbed, calls);
    for (const part of parts) {
      say(`${part}...`);
      Object.assign(figures, await PARTS[part]?.(testbed));
    }
    return figures;
  } finally {
    await testbed.leave();
  }
}

function chosenParts(): string[] {
  const at = process.argv.indexOf('--only');
  const usual = Object.keys(PARTS).filter((name) => isFull || name !== 'others');
  const names = at < 0 ? usual : (process.argv[at + 1] ?? '').split(',');
  const unknown = names.find((name) => !(name in PARTS));
  if (unknown === undefined) return names;
  throw new Error(`There is no part "${unknown}". Known: ${Object.keys(PARTS).join(', ')}`);
}

/** Progress goes to stderr: stdout ends with JSON. */
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const figures = await measure(chosenParts());
const missed = missedApiGoals(figures);
printApiFigures(figures);
if (missed.length > 0) process.stdout.write(`\nMissed:\n${missed.join('\n')}\n`);
process.stdout.write(`${JSON.stringify({ ...figures, missed })}\n`);
process.exitCode = missed.length > 0 ? 1 : 0;
