/**
 * P12: keeps a campaign at its limit while calls end, and records the calls. campaign-refill.rules.ts evaluates them.
 */
import { pause, systemClock } from '@parley/runtime';
import { startProcesses, startAll, stopAll } from './campaign-processes.ts';
import type { CampaignTestbed } from './campaign-testbed.ts';
import { checkCalls } from './campaign-judge.ts';
import { refillFigures, type RefillFigures } from './campaign-refill.rules.ts';
import { seedCampaigns } from './campaign-seed.ts';
import type { Correctness } from './campaign-correctness.rules.ts';

const FILL_LIMIT_MS = 120_000;

/** @param plan - `seconds`: duration of the measurement at the limit */
export async function measureRefill(
  testbed: CampaignTestbed,
  plan: { live: number; talkMs: { first: number; last: number }; seconds: number },
): Promise<RefillFigures & { correctness: Correctness }> {
  const { live, talkMs, seconds } = plan;
  const processes = await startProcesses(testbed, {
    workers: 1,
    voices: 1,
    voice: { capacity: live * 2, talkMs },
  });
  try {
    const endsPerSecond = (live * 2000) / (talkMs.first + talkMs.last);
    const waiting = live + Math.ceil(endsPerSecond * (seconds + 60));
    const ids = await seedCampaigns(testbed, 1, { waiting, cap: live });
    await startAll(testbed, ids);
    await untilFull(testbed, live);
    // The first calls started together and end spread over the duration of a call.
    await pause(systemClock, talkMs.last);
    const fromMs = systemClock.now();
    await pause(systemClock, seconds * 1000);
    const untilMs = systemClock.now();
    const log = await processes.readLog();
    await stopAll(testbed, ids);
    return {
      ...refillFigures(log, { live, fromMs, untilMs }),
      correctness: await checkCalls(testbed, processes),
    };
  } finally {
    await processes.stop();
  }
}

async function untilFull({ sql }: CampaignTestbed, live: number): Promise<void> {
  const limitMs = systemClock.monotonic() + FILL_LIMIT_MS;
  for (;;) {
    const { rows } = await sql.query<{ live: number }>(
      'select count(*) as live from live_calls where answered_at is not null',
    );
    if ((rows[0]?.live ?? 0) >= live * 0.95) return;
    if (systemClock.monotonic() > limitMs) throw new Error('The campaign was never full');
    await pause(systemClock, 100);
  }
}
