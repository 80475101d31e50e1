/**
 * The whole dialer: claim, hand-over, permission, answer, end, evaluation stub, webhook, settlement of the lead. Workers
 * and Postgres are real; the voice processes are simulated, without audio, so that only the dialer is measured.
 */
import { pause, systemClock } from '@parley/runtime';
import { cpuOf, startProcesses, startAll } from './campaign-processes.ts';
import type { CampaignTestbed } from './campaign-testbed.ts';
import { checkCalls } from './campaign-judge.ts';
import { seedCampaigns } from './campaign-seed.ts';
import type { Correctness } from './campaign-correctness.rules.ts';

/** The figures of dialing a campaign to its end. */
export interface DialingFigures {
  workers: number;
  voices: number;
  leads: number;
  leadsPerSecond: number;
  /** Processor time per lead, milliseconds. */
  cpuMs: { worker: number; voice: number; postgres: number; all: number };
  correctness: Correctness;
}

const OPEN = `
  select (select count(*) from campaigns where id = any($1) and status = 'in-progress')
    + (select count(*) from deliveries where status = 'pending') as open`;
const END_LIMIT_MS = 600_000;

/** Resolves when the campaigns are complete and every webhook has arrived. */
async function untilComplete(testbed: CampaignTestbed, campaignIds: readonly number[]): Promise<void> {
  const limitMs = systemClock.monotonic() + END_LIMIT_MS;
  for (;;) {
    const { rows } = await testbed.sql.query<{ open: number }>(OPEN, [campaignIds]);
    if (rows[0]?.open === 0) return;
    if (systemClock.monotonic() > limitMs) throw new Error('The campaigns do not come to an end');
    await pause(systemClock, 50);
  }
}

/** Dials one campaign to its end, after a small one that warms everything up. */
export async function measureDialing(
  testbed: CampaignTestbed,
  plan: { workers: number; voices: number; leads: number; cap: number },
): Promise<DialingFigures> {
  const voice = { capacity: plan.cap * 2, talkMs: { first: 0, last: 20 } };
  const processes = await startProcesses(testbed, { ...plan, voice });
  try {
    const warm = await seedCampaigns(testbed, 1, { waiting: 100, cap: plan.cap });
    await startAll(testbed, warm);
    await untilComplete(testbed, warm);
    const ids = await seedCampaigns(testbed, 1, { waiting: plan.leads, cap: plan.cap });
    const before = await cpuOf(testbed, processes);
    const startedMs = systemClock.monotonic();
    await startAll(testbed, ids);
    await untilComplete(testbed, ids);
    const seconds = (systemClock.monotonic() - startedMs) / 1000;
    const after = await cpuOf(testbed, processes);
    const [worker, voiceMs, postgres] = (['worker', 'voice', 'postgres'] as const).map(
      (name) => (after[name] - before[name]) / plan.leads / 1000,
    ) as [number, number, number];
    return {
      workers: plan.workers,
      voices: plan.voices,
      leads: plan.leads,
      leadsPerSecond: plan.leads / seconds,
      cpuMs: { worker, voice: voiceMs, postgres, all: worker + voiceMs + postgres },
      correctness: await checkCalls(testbed, processes),
    };
  } finally {
    await processes.stop();
  }
}
