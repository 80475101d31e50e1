/** The limits of the goals P11 to P15 and P24, and the figures that miss them. */
import type { CampaignFigures } from './campaign-figures.ts';
import { overFloors } from './campaign-floors.rules.ts';

const MIN_LEADS_PER_SECOND = 150;
const MAX_LEAD_CPU_MS = 8;
const MAX_OVER_FLOORS = 7;
const MAX_REFILL_MS = { dial: { p50: 4, p99: 15 }, invite: { p50: 10, p99: 40 } };
const MIN_CAP_USE = 0.98;
const MIN_CROWD_RATE = 0.9;
const MIN_JOB_RATIO = 0.8;
const MIN_ATTEMPTS_PER_SECOND = 5_000;
const MAX_HOOK_MS = { p50: 25, p95: 100 };
const MIN_HOOKS_PER_SECOND = 800;
const MAX_HOOK_CPU_RATIO = 6;
const MAX_HANGING_EFFECT = 1.2;
/** Below this, a difference of 20 % is within the noise, milliseconds. */
const HANGING_FLOOR_MS = 5;
const MAX_TWO_OVER_ONE = 1.1;

/** @returns one sentence per missed goal */
export function missedGoals(figures: CampaignFigures): string[] {
  return [
    ...missedDialing(figures),
    ...missedRefill(figures),
    ...missedScale(figures),
    ...missedJobs(figures),
    ...missedHooks(figures),
  ];
}

const above = (goal: string, value: number, limit: number): string[] =>
  value <= limit ? [] : [`${goal}: ${value.toFixed(2)}, allowed ${limit}`];
const below = (goal: string, value: number, limit: number): string[] =>
  value >= limit ? [] : [`${goal}: ${value.toFixed(2)}, wanted ${limit}`];

function missedDialing({ dialing = [], floors }: CampaignFigures): string[] {
  const [one, ...others] = dialing;
  if (!one) return [];
  return [
    ...below('P11 leads a second', one.leadsPerSecond, MIN_LEADS_PER_SECOND),
    ...above('P11 processor time per lead, ms', one.cpuMs.all, MAX_LEAD_CPU_MS),
    ...(floors
      ? above('P11 a lead over the sum of floors', overFloors(one.cpuMs.all, floors), MAX_OVER_FLOORS)
      : []),
    ...others.flatMap(({ workers, voices, cpuMs }) =>
      above(
        `P24 cost per lead with ${workers} workers and ${voices} voice processes over one of each`,
        cpuMs.all / one.cpuMs.all,
        MAX_TWO_OVER_ONE,
      ),
    ),
  ];
}

function missedRefill({ refill }: CampaignFigures): string[] {
  if (!refill) return [];
  const { dial, invite } = MAX_REFILL_MS;
  return [
    ...above('P12 end to next dial, p50 ms', refill.dialMs.p50, dial.p50),
    ...above('P12 end to next dial, p99 ms', refill.dialMs.p99, dial.p99),
    ...above('P12 end to next INVITE, p50 ms', refill.inviteMs.p50, invite.p50),
    ...above('P12 end to next INVITE, p99 ms', refill.inviteMs.p99, invite.p99),
    ...below('P12 share of the limit in use', refill.capUse, MIN_CAP_USE),
  ];
}

function missedScale({ crowd, fairness }: CampaignFigures): string[] {
  return [
    ...(crowd ? below('P13 rate with many leads over few', crowd.rateRatio.median, MIN_CROWD_RATE) : []),
    ...(fairness && fairness.fewest === 0 ? ['A campaign got no call beside the others'] : []),
  ];
}

function missedJobs({ jobs, claims }: CampaignFigures): string[] {
  return [
    ...(jobs ? below('P14 jobs, ours over bare', jobs.ratio.median, MIN_JOB_RATIO) : []),
    ...(claims ? below('P14 attempts a second', claims.atOnce.perSecond, MIN_ATTEMPTS_PER_SECOND) : []),
  ];
}

function missedHooks({ hooks }: CampaignFigures): string[] {
  if (!hooks) return [];
  const { paced, besideHanging, mostPerSecond, cpuMicros } = hooks;
  const undisturbed = Math.max(paced[0]?.p95 ?? 0, HANGING_FLOOR_MS);
  return [
    ...paced.flatMap(({ perSecond, p50, p95 }) => [
      ...above(`P15 at ${perSecond}/s, p50 ms`, p50, MAX_HOOK_MS.p50),
      ...above(`P15 at ${perSecond}/s, p95 ms`, p95, MAX_HOOK_MS.p95),
    ]),
    ...below('P15 webhooks a second', mostPerSecond, MIN_HOOKS_PER_SECOND),
    ...above('P15 processor time over bare undici', cpuMicros.ours / cpuMicros.bare, MAX_HOOK_CPU_RATIO),
    ...above('P15 p95 beside a receiver that hangs', besideHanging.p95 / undisturbed, MAX_HANGING_EFFECT),
  ];
}
