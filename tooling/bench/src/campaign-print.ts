/** Prints the figures of `bench:campaign`. */
import type { CampaignFigures } from './campaign-figures.ts';
import type { ClaimFigures } from './campaign-claims.ts';
import { overFloors, STEPS, sumOfFloorsMs } from './campaign-floors.rules.ts';
import { formatCorrectness, type Correctness } from './campaign-correctness.rules.ts';
import type { Spread } from './spread.rules.ts';

const write = (name: string, value: string): void =>
  void process.stdout.write(`${name.padEnd(50)}${value}\n`);
const ms = (value: number): string => `${value.toFixed(1)} ms`;
const spread = ({ median, min, max }: Spread, digits = 2): string =>
  `${median.toFixed(digits)} (${min.toFixed(digits)} to ${max.toFixed(digits)})`;

/** Prints one figure per line, correctness first. */
export function printFigures(figures: CampaignFigures, correctness: Correctness): void {
  process.stdout.write(`${formatCorrectness(correctness)}\n\n`);
  printDialing(figures);
  printRefill(figures);
  printScale(figures);
  printJobs(figures);
  printHooks(figures);
  printImport(figures);
  write('Noise: processes that wanted to run', figures.load.toFixed(1));
}

function printDialing({ dialing = [], floors }: CampaignFigures): void {
  for (const { workers, voices, leads, leadsPerSecond, cpuMs } of dialing) {
    write(
      `${leads} leads, ${workers} worker, ${voices} voice`,
      `${leadsPerSecond.toFixed(0)} leads/s, ${ms(cpuMs.all)} processor time a lead ` +
        `(worker ${cpuMs.worker.toFixed(1)}, voice ${cpuMs.voice.toFixed(1)}, Postgres ${cpuMs.postgres.toFixed(1)})`,
    );
  }
  const [one] = dialing;
  if (!one || !floors) return;
  const { inviteMicros, commitMicros, postMicros } = floors;
  write(
    'The first of them over the sum of floors',
    `${overFloors(one.cpuMs.all, floors).toFixed(1)} of ${sumOfFloorsMs(floors).toFixed(2)} ms ` +
      `(${STEPS.invites} call over bare UDP ${inviteMicros.toFixed(0)} us, ${STEPS.commits} commits ${commitMicros.toFixed(0)} us each, ` +
      `${STEPS.posts} posts ${postMicros.toFixed(0)} us each)`,
  );
}

function printRefill({ refill }: CampaignFigures): void {
  if (!refill) return;
  const { live, endsPerSecond, dialMs, inviteMs, capUse } = refill;
  write(
    `Refill at ${live} live calls, ${endsPerSecond.toFixed(0)} ends/s`,
    `dial ${ms(dialMs.p50)} p50, ${ms(dialMs.p99)} p99; INVITE ${ms(inviteMs.p50)}, ${ms(inviteMs.p99)}`,
  );
  write('Share of the limit in use', `${(capUse * 100).toFixed(1)} %`);
}

function printScale({ crowd, fairness }: CampaignFigures): void {
  if (crowd) {
    const name = `${crowd.many} waiting and as many done, over ${crowd.few}`;
    write(name, `rate ${spread(crowd.rateRatio)}, processor time ${spread(crowd.cpuRatio)}`);
  }
  if (fairness) {
    const { campaigns, leadsEach, callsPerSecond, fewest, median, most } = fairness;
    write(
      `${campaigns} campaigns of ${leadsEach} leads`,
      `${callsPerSecond.toFixed(0)} calls/s; calls of one campaign ${fewest} to ${most}, median ${median}`,
    );
  }
}

function printJobs({ jobs, claims }: CampaignFigures): void {
  if (jobs) {
    write('Jobs/s, ours', spread(jobs.ours, 0));
    write('Jobs/s, bare graphile-worker', spread(jobs.bare, 0));
    write('Ours over bare', spread(jobs.ratio));
  }
  if (claims) {
    write('Attempts/s claimed, many places free at once', claimRate(claims.atOnce));
    write('Attempts/s claimed, ended and refilled one by one', claimRate(claims.oneByOne));
  }
}

function claimRate({ perSecond, cpuMs }: ClaimFigures['atOnce']): string {
  const cost = `core ${cpuMs.core.toFixed(2)}, Postgres ${cpuMs.postgres.toFixed(2)} ms of processor time each`;
  return `${perSecond.toFixed(0)} (${cost})`;
}

function printHooks({ hooks }: CampaignFigures): void {
  if (!hooks) return;
  const { paced, besideHanging, mostPerSecond, cpuMicros } = hooks;
  for (const { perSecond, p50, p95 } of paced) {
    write(`Webhook at ${perSecond}/s, event to receiver`, `${ms(p50)} p50, ${ms(p95)} p95`);
  }
  write('  beside a receiver that hangs', `${ms(besideHanging.p50)} p50, ${ms(besideHanging.p95)} p95`);
  write('Webhooks/s when they wait', mostPerSecond.toFixed(0));
  write(
    'Processor time a webhook',
    `${cpuMicros.ours.toFixed(0)} us, bare undici ${cpuMicros.bare.toFixed(0)} us`,
  );
}

function printImport({ imported }: CampaignFigures): void {
  if (!imported) return;
  const { rows, rowsPerSecond, cpuMicros, growthMegabytes, againSeconds, undoSeconds } = imported;
  write(
    `Import of ${rows} rows`,
    `${rowsPerSecond.toFixed(0)} rows/s, processor time of a row: api ${cpuMicros.api.toFixed(0)} us, ` +
      `Postgres ${cpuMicros.postgres.toFixed(0)} us; the api grew by ${growthMegabytes.toFixed(0)} MB`,
  );
  write(
    '  again under its key, as a new file, undone',
    `${againSeconds.sameKey.toFixed(1)}, ${againSeconds.newKey.toFixed(1)}, ${undoSeconds.toFixed(1)} s`,
  );
}
