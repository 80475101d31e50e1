import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { arrange, makeCall, makeUser } from '../../test/arrange.ts';
import { makeCampaign } from '../../test/arrange-campaign.ts';
import { setTrunkLimits } from '../../test/arrange-limits.ts';
import { measurePace } from './measure-pace.ts';

const database = useTestDatabase();

/** Calls of a campaign: so many ended ones of 20 s, which began so many minutes ago. */
const addCalls = statement(
  '',
  `insert into calls select (r).* from (
     select jsonb_populate_record(c, jsonb_build_object('id', nextval('call_ids'), 'campaign_id', $2::bigint,
       'created_at', $5::timestamptz - make_interval(mins => $4::int), 'status', 'completed',
       'ended_at', $5::timestamptz - make_interval(mins => $4::int) + interval '20 seconds')) as r
     from calls c, generate_series(1, $3::int) where c.id = $1
   ) spread`,
);

async function setup() {
  const about = await arrange(database.db);
  const { ctx, clock } = about;
  const campaignId = await makeCampaign(about, { maxCallsInParallel: 4 });
  clock.advance(30_500);
  const template = await makeCall(about);
  const add = (calls: number, minutesAgo: number, campaign = campaignId) =>
    ctx.db.query(addCalls, [template, campaign, calls, minutesAgo, new Date(clock.now())]);
  return { ...about, about, campaignId, add, pace: () => measurePace(ctx, about.identity, campaignId) };
}

it('counts the calls of each minute of the last hour, those of the campaign only', async () => {
  const { add, pace, campaignId } = await setup();
  await add(2, 61);
  await add(3, 60);
  await add(5, 7);
  await add(1, 0);
  await add(9, 7, campaignId + 1);
  const { minutes } = await pace();
  expect(minutes).toHaveLength(61);
  expect(minutes.at(0)).toEqual({ at: '2025-12-31T23:00:00.000000Z', calls: 3 });
  expect(minutes.at(-1)).toEqual({ at: '2026-01-01T00:00:00.000000Z', calls: 1 });
  expect(minutes.filter(({ calls }) => calls > 0).map(({ calls }) => calls)).toEqual([3, 5, 1]);
});

it('expects what the limits allow, by the length of the latest calls', async () => {
  const { about, add, pace } = await setup();
  await add(19, 5);
  expect(await pace()).toMatchObject({
    measured_calls: 0,
    call_seconds: 37,
    calls_at_once: 4,
    limited_by: 'calls_in_parallel',
  });
  await add(1, 5);
  expect(await pace()).toMatchObject({ measured_calls: 20, call_seconds: 20, expected: 12 });
  await setTrunkLimits(about, { maxCalls: 1 });
  expect(await pace()).toMatchObject({ expected: 3, limited_by: 'trunk_calls' });
});

it("another user's campaign is not found", async () => {
  const { ctx, campaignId } = await setup();
  await expect(measurePace(ctx, await makeUser(ctx), campaignId)).rejects.toMatchObject({
    kind: 'not-found',
  });
});
