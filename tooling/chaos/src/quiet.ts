/** Waits until campaigns have nothing left to do, and detects when they are stuck before that. */
import { pause, systemClock } from '@parley/runtime';
import type { Testbed } from './testbed.ts';
import { isLeftAlone, type CampaignFact } from './oracle.rules.ts';
import type { Witness } from './witness.ts';

/** Work without progress for this time is stuck, milliseconds. */
export const STUCK_MS = 60_000;

const LOOK_MS = 200;
/** The far end repeats an answer for 32 s (RFC 3261 section 13.3.1.4); afterwards it cannot be acknowledged any more. */
const HANG_UP_LIMIT_MS = 40_000;

interface OpenWork {
  live: number;
  running: number;
  unsettled: number;
  hooks: number;
}

const OPEN_WORK = `
  select (select count(*) from live_calls where campaign_id = any($1))::int as live,
    (select count(*) from campaigns where id = any($1) and status = 'in-progress')::int as running,
    (select count(*) from calls where campaign_id = any($1)
      and status in ('ended', 'ended_by_customer', 'ended_by_assistant'))::int as unsettled,
    (select count(*) from deliveries where status = 'pending')::int as hooks`;

/**
 * Campaigns whose calling window has closed may have leads left.
 *
 * @returns the longest time without progress, milliseconds; it gives up at {@link STUCK_MS}
 */
export async function untilQuiet(
  { fleet, witness }: Testbed,
  campaigns: readonly CampaignFact[],
): Promise<number> {
  const ids = campaigns.map(({ id }) => id);
  let [before, sinceMs, longestMs] = ['', systemClock.monotonic(), 0];
  for (;;) {
    const [work] = await fleet.sql.query<OpenWork>(OPEN_WORK, [ids]);
    const closed = campaigns.filter(({ closesAtMs }) => closesAtMs < systemClock.now()).length;
    if (work && work.live + work.unsettled + work.hooks === 0 && work.running <= closed) return longestMs;
    const state = JSON.stringify([work, await witness.countCalls()]);
    if (state !== before) sinceMs = systemClock.monotonic();
    before = state;
    longestMs = Math.max(longestMs, systemClock.monotonic() - sinceMs);
    if (longestMs >= STUCK_MS) return longestMs;
    await pause(systemClock, LOOK_MS);
  }
}

/** Waits until every answered call has ended on the wire, also those of killed processes; gives up after 40 s. */
export async function untilHungUp(witness: Witness): Promise<void> {
  const limitMs = systemClock.monotonic() + HANG_UP_LIMIT_MS;
  while (systemClock.monotonic() < limitMs && (await witness.calls()).some(isLeftAlone))
    await pause(systemClock, 5 * LOOK_MS);
}
