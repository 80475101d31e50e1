import { forecastBody } from '@parley/contracts';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange, freshNumber, makeCall, makeUser } from '../../test/arrange.ts';
import {
  makeCampaign,
  makeLead,
  makeLeads,
  setCampaign,
  type CampaignFields,
} from '../../test/arrange-campaign.ts';
import { setAccountLimit, setTrunkLimits } from '../../test/arrange-limits.ts';
import { addToDoNotCallList } from '../do-not-call/do-not-call-list.ts';
import { forecastCampaign } from './forecast-campaign.ts';

const database = useTestDatabase();

/** A draft at midnight UTC of a Thursday. */
async function setup(fields: CampaignFields = {}, leads = 0) {
  const about = await arrange(database.db);
  const campaignId = await makeCampaign(about, { status: 'draft', maxRetries: 1, ...fields });
  await makeLeads(about, campaignId, leads);
  const forecast = (question: object = {}) =>
    forecastCampaign(about.ctx, about.identity, {
      ...forecastBody.parse({ answer_rate: 1, average_duration_seconds: 60, ...question }),
      id: campaignId,
    });
  return { ...about, about, campaignId, forecast };
}

const isUntouched = statement<{ calls: number; waiting: number; status: string }>(
  '',
  `select (select count(*) from calls where campaign_id = $1) as calls,
     (select count(*) from dial_queue where campaign_id = $1) as waiting, status from campaigns where id = $1`,
);

/** A minute costs 0.1. */
const priceCall = statement(
  '',
  `update calls set duration_seconds = 60, total_cost = 0.1, costs = '[{"amount": 0.1}]' where id = $1`,
);
describe('the flight plan of a campaign', () => {
  it('tells calls, end and outcomes, and dials nothing', async () => {
    const { ctx, campaignId, forecast } = await setup({ maxCallsInParallel: 2 }, 6);
    const plan = await forecast({ start_at: '2026-01-05T10:00:00Z' });
    expect(plan).toMatchObject({
      campaign_id: campaignId,
      start_at: '2026-01-05T10:00:00.000000Z',
      leads: 6,
      calls: 6,
      reached: 6,
      unreachable: [],
      calls_at_once: 2,
      limited_by: 'calls_in_parallel',
    });
    expect(plan.finish_at?.slice(0, 15)).toBe('2026-01-05T10:0');
    expect(plan.buckets.reduce((sum, { calls }) => sum + calls, 0)).toBe(6);
    expect(await ctx.db.query(isUntouched, [campaignId])).toEqual([
      { calls: 0, waiting: 6, status: 'draft' },
    ]);
  });

  it('estimates the cost by the latest conversations of the assistant', async () => {
    const { ctx, about, forecast } = await setup({}, 2);
    const question = { average_duration_seconds: 30 };
    expect(await forecast(question)).toMatchObject({ expected_cost: null, highest_cost: null });
    const call = await makeCall(about, freshNumber());
    await ctx.db.query(priceCall, [call]);
    // Two people for half a minute, or for the ten minutes of the assistant.
    expect(await forecast(question)).toMatchObject({ expected_cost: 0.1, highest_cost: 2 });
  });

  it('waits for the hours and makes every round', async () => {
    const { forecast } = await setup({ allowedFrom: '09:00:00', retryIntervalSeconds: 600 }, 1);
    const plan = await forecast({ answer_rate: 0 });
    expect(plan).toMatchObject({ calls: 2, reached: 0, reached_max_retries: 1 });
    expect(plan.buckets.map(({ at }) => at.slice(11, 16))).toEqual(['09:00', '09:10']);
  });

  it('counts who can never be called, by the reason', async () => {
    const { ctx, identity, about, campaignId, forecast } = await setup();
    const listed = await makeLead(about, campaignId);
    await addToDoNotCallList(ctx, identity, listed);
    await makeLead(about, campaignId, { phoneNumber: '+4915123456789' });
    await makeLead(about, campaignId, { phoneNumber: '+12025550155' });
    const plan = await forecast();
    expect(plan.unreachable).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ reason: 'do_not_call', leads: 1 }),
        expect.objectContaining({
          reason: 'no_line',
          leads: 1,
          explanation: 'No trunk can reach the number.',
        }),
      ]),
    );
    expect(plan.calls).toBe(1);
  });

  it('stands in for a forbidden number with its contacts', async () => {
    const { ctx, identity, about, campaignId, forecast } = await setup();
    const lead = await makeLead(about, campaignId, { contacts: [freshNumber(), freshNumber()] });
    await addToDoNotCallList(ctx, identity, lead);
    expect(await forecast({ answer_rate: 0 })).toMatchObject({ calls: 4, reached_max_retries: 1 });
  });

  it('keeps the hours where the numbers are', async () => {
    const { about, campaignId, forecast } = await setup({
      allowedFrom: '09:00:00',
      allowedUntil: '23:00:00',
    });
    await makeLead(about, campaignId, { phoneNumber: '+12025550156' });
    await setCampaign(about, campaignId, 'is_lead_timezone_respected', true);
    const plan = await forecast();
    expect(plan.buckets.map(({ at }) => at)).toEqual(['2026-01-01T19:00:00.000000Z']);
  });

  it.each([
    ['account_calls', ({ about }: Awaited<ReturnType<typeof setup>>) => setAccountLimit(about, 1)],
    ['trunk_calls', ({ about }: Awaited<ReturnType<typeof setup>>) => setTrunkLimits(about, { maxCalls: 1 })],
  ])('is held back by the tightest limit: %s', async (limitedBy, set) => {
    const found = await setup({ maxCallsInParallel: 5 }, 2);
    await set(found);
    expect(await found.forecast()).toMatchObject({ calls_at_once: 1, limited_by: limitedBy });
  });

  it('without leads: no calls and no end', async () => {
    const { forecast } = await setup();
    expect(await forecast()).toMatchObject({ leads: 0, calls: 0, finish_at: null, buckets: [] });
  });

  it("another user's campaign is not found", async () => {
    const { ctx, campaignId } = await setup();
    const stranger = await makeUser(ctx);
    const question = forecastBody.parse({ answer_rate: 1, average_duration_seconds: 60 });
    await expect(forecastCampaign(ctx, stranger, { ...question, id: campaignId })).rejects.toMatchObject({
      kind: 'not-found',
    });
  });
});
