/**
 * `npm run bench:campaign`: rate and cost of dialing. Real workers and a real Postgres (without fsync); the voice processes
 * are simulated: they use the private contract and carry calls without audio, because audio would cost a hundred times as
 * much as the dialer. By default a few thousand leads; with `--full` the sizes of the goals P11 to P15 and P24, and exit
 * code 1 when one is missed. `--only dialing,hooks` selects parts. A fault of correctness is exit code 1 in either form.
 */
import { loadavg } from 'node:os';
import { measureCrowd, measureFairness } from './campaign-crowd.ts';
import { measureClaims } from './campaign-claims.ts';
import { measureDialing, type DialingFigures } from './campaign-dialing.ts';
import type { CampaignFigures } from './campaign-figures.ts';
import { measureFloors } from './campaign-floors.ts';
import { missedGoals } from './campaign-goals.rules.ts';
import { openCampaignTestbed, type CampaignTestbed } from './campaign-testbed.ts';
import { measureImport } from './campaign-import.ts';
import { measureHooks } from './campaign-hooks.ts';
import { measureJobs } from './campaign-jobs.ts';
import { printFigures } from './campaign-print.ts';
import { measureRefill } from './campaign-refill.ts';
import { addUp } from './campaign-correctness.rules.ts';
import { openCampaignSite } from './campaign-site.ts';

const isFull = process.argv.includes('--full');

/** The parts, by their names in `--only`. */
const PARTS: Record<string, (testbed: CampaignTestbed) => Promise<Partial<CampaignFigures>>> = {
  dialing: async (testbed) => {
    const leads = isFull ? 10_000 : 500;
    const dialing: DialingFigures[] = [];
    for (const [workers, voices] of [
      [1, 1],
      [2, 1],
      [1, 2],
    ] as const) {
      dialing.push(await measureDialing(testbed, { workers, voices, leads, cap: 100 }));
    }
    return { dialing, floors: await measureFloors(testbed) };
  },
  refill: async (testbed) => {
    const size = isFull
      ? { live: 2_000, talkMs: { first: 20_000, last: 40_000 }, seconds: 60 }
      : { live: 100, talkMs: { first: 2_000, last: 4_000 }, seconds: 6 };
    return { refill: await measureRefill(testbed, size) };
  },
  claims: async (testbed) => ({
    claims: await measureClaims(
      testbed,
      isFull ? { rounds: 50, turnover: 20_000 } : { rounds: 6, turnover: 600 },
    ),
  }),
  jobs: async (testbed) => ({
    jobs: await measureJobs(testbed, isFull ? { jobs: 20_000, turns: 5 } : { jobs: 2_000, turns: 3 }),
  }),
  hooks: async (testbed) => {
    const size = isFull ? { seconds: 20, waiting: 10_000 } : { seconds: 2, waiting: 1_000 };
    return { hooks: await measureHooks(testbed, { paces: [50, 200], ...size }) };
  },
  import: async (testbed) => ({ imported: await measureImport(testbed, isFull ? 1_000_000 : 20_000) }),
  fairness: async (testbed) => {
    const size = isFull
      ? { campaigns: 1_000, leadsEach: 1_000, seconds: 60 }
      : { campaigns: 100, leadsEach: 100, seconds: 5 };
    return { fairness: await measureFairness(testbed, size) };
  },
  crowd: async (testbed) => {
    const size = isFull
      ? { many: 1_000_000, turns: 5, calls: 1_000 }
      : { many: 50_000, turns: 2, calls: 300 };
    return { crowd: await measureCrowd(testbed, size) };
  },
};

/** Each part has its own environment, so that the data of one part does not slow the next. */
async function measure(names: readonly string[]): Promise<CampaignFigures> {
  let figures: Omit<CampaignFigures, 'load'> = {};
  const loads: number[] = [];
  const site = await openCampaignSite();
  try {
    for (const name of names) {
      process.stderr.write(`${name}...\n`);
      const testbed = await openCampaignTestbed(site);
      try {
        figures = { ...figures, ...(await PARTS[name]?.(testbed)) };
      } finally {
        await testbed.leave();
      }
      loads.push(loadavg()[0] ?? 0);
    }
  } finally {
    await site.leave();
  }
  return { ...figures, load: loads.reduce((sum, load) => sum + load, 0) / loads.length };
}

function chosenParts(): string[] {
  const at = process.argv.indexOf('--only');
  const names = at < 0 ? Object.keys(PARTS) : (process.argv[at + 1] ?? '').split(',');
  const unknown = names.find((name) => !(name in PARTS));
  if (unknown === undefined) return names;
  throw new Error(`There is no part "${unknown}". Known: ${Object.keys(PARTS).join(', ')}`);
}

const figures = await measure(chosenParts());
const { dialing = [], refill, crowd, fairness } = figures;
const judged = [...dialing, refill, crowd, fairness].filter((part) => part !== undefined);
const correctness = addUp(judged.map((part) => part.correctness));
const missed = missedGoals(figures);
printFigures(figures, correctness);
if (missed.length > 0) process.stdout.write(`\nMissed:\n${missed.join('\n')}\n`);
process.stdout.write(`${JSON.stringify({ ...figures, correctness, missed })}\n`);
const isWrong = Object.values(correctness).some((count) => count > 0);
process.exitCode = isWrong || (isFull && missed.length > 0) ? 1 : 0;
