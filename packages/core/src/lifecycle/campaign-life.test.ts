/**
 * A whole campaign, from its first dial to `completed`, with workers and phones played by the test: dice that are
 * thrown from a seed say how each call goes, and every rule that must hold at each moment is checked at each moment.
 */
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { arrange, freshNumber } from '../../test/arrange.ts';
import {
  askToDial,
  campaignStatus,
  endUnanswered,
  liveDials,
  makeCampaign,
  makeLead,
  nextLook,
  talkAndSettle,
} from '../../test/arrange-campaign.ts';
import { dice } from '../../test/dice.ts';
import { runCampaign } from './run-campaign.ts';

const database = useTestDatabase();

const LEADS = 25;
const CAP = 4;
const MAX_RETRIES = 2;
const RETRY_MS = 1_800_000;
/** An upper bound for the turns of the loop: one for each call that could be made. */
const TURN_LIMIT = LEADS * 2 * (1 + MAX_RETRIES) * 2;
const SEED = Number(process.env['PARLEY_SEED'] ?? 5);

interface Attempt {
  leadId: number;
  number: string;
  attempt: number;
  startedAt: Date;
  hour: number;
  status: string;
  endedReason: string;
}
const selectAttempts = statement<Attempt>(
  '',
  `select lead_id, client_phone_number as number, attempt, created_at as started_at,
     extract(hour from created_at at time zone 'Europe/Berlin')::int as hour, status, ended_reason
   from calls where campaign_id = $1 order by created_at, id`,
);
const selectLeads = statement<{ status: string; attempts: number; isQueued: boolean; dialState: string }>(
  '',
  `select status, attempts, dial_state, exists (select 1 from dial_queue q where q.lead_id = l.id) as is_queued
   from leads l where campaign_id = $1 and parent_id is null`,
);

it(`ends with every lead reached or failed, and every rule holds (seed ${SEED})`, async () => {
  const about = await arrange(database.db);
  const campaignId = await makeCampaign(about, {
    timezone: 'Europe/Berlin',
    allowedFrom: '09:00:00',
    allowedUntil: '10:00:00',
    allowedDays: ['thursday', 'friday'],
    maxCallsInParallel: CAP,
    maxRetries: MAX_RETRIES,
    retryIntervalSeconds: RETRY_MS / 1000,
  });
  for (let index = 0; index < LEADS; index++) {
    await makeLead(about, campaignId, { contacts: index % 3 === 0 ? [freshNumber()] : [] });
  }
  const throwDice = dice(SEED);
  await runCampaign(about.ctx, campaignId);
  let turns = 0;
  for (; (await campaignStatus(about, campaignId)) === 'in-progress' && turns < TURN_LIMIT; turns++) {
    const dials = await liveDials(about, campaignId);
    expect(dials.length).toBeLessThanOrEqual(CAP);
    const dial = dials[Math.floor(throwDice() * dials.length)];
    if (dial) await playPhone(dial.callId);
    else await sleepUntilNextLook();
    // A second worker comes by at an odd moment.
    if (throwDice() < 0.3) await runCampaign(about.ctx, campaignId);
  }

  async function playPhone(callId: number): Promise<void> {
    // Parley cancels a call that is not answered for two minutes, so most are answered sooner.
    about.clock.advance(Math.floor(throwDice() * 20_000));
    const roll = throwDice();
    if (roll < 0.3) return endUnanswered(about, callId, 'busy');
    if (roll < 0.6) return endUnanswered(about, callId, 'no-answer');
    if (roll < 0.7) return endUnanswered(about, callId, 'failed', 'unreachable');
    // The window may have closed since the claim; then the call is over already.
    if ((await askToDial(about, callId)).isAllowed) await talkAndSettle(about, callId);
  }

  async function sleepUntilNextLook(): Promise<void> {
    const next = await nextLook(about, campaignId);
    if (!next) throw new Error('The campaign waits for nothing');
    about.clock.advance(Math.max(0, next.getTime() - about.clock.now()));
    await runCampaign(about.ctx, campaignId);
  }

  expect(turns).toBeLessThan(TURN_LIMIT);
  expect(await campaignStatus(about, campaignId)).toBe('completed');
  const attempts = await about.ctx.db.query(selectAttempts, [campaignId]);
  for (const { hour, startedAt } of attempts) {
    expect(hour).toBe(9);
    expect([4, 5]).toContain(startedAt.getUTCDay());
  }
  const leads = await about.ctx.db.query(selectLeads, [campaignId]);
  expect(leads).toHaveLength(LEADS);
  for (const lead of leads) {
    expect(['completed', 'reached-max-retries']).toContain(lead.status);
    expect(lead).toMatchObject({ dialState: 'done', isQueued: false });
    expect(lead.attempts).toBeLessThanOrEqual(1 + MAX_RETRIES);
  }
  for (const same of Map.groupBy(attempts.filter(hasCounted), ({ number }) => number).values()) {
    same.forEach((attempt, index) => expect(attempt.attempt).toBe(index + 1));
    for (let index = 1; index < same.length; index++) {
      const apartMs = (same[index]?.startedAt.getTime() ?? 0) - (same[index - 1]?.startedAt.getTime() ?? 0);
      expect(apartMs).toBeGreaterThanOrEqual(RETRY_MS);
    }
  }
  // The window was too short for all rounds: they went on another day.
  expect(new Set(attempts.map(({ startedAt }) => startedAt.getUTCDate())).size).toBeGreaterThan(1);
  // The dice must have shown everything, or nothing was proved.
  const seen = new Set(attempts.map(({ status }) => status));
  expect([...seen].toSorted()).toEqual(['busy', 'completed', 'failed', 'no-answer']);
});

function hasCounted({ endedReason }: Attempt): boolean {
  return !['unreachable', 'window_closed', 'no_capacity'].includes(endedReason);
}
