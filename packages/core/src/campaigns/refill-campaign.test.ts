/** Calls that end at once: one of them fills the campaign, the others leave it to the one job. */
import { openDatabase, statement, type Db } from '@parley/db';
import { silentLog } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrange } from '../../test/arrange.ts';
import { liveDials, makeCampaign, makeLeads, nextLook } from '../../test/arrange-campaign.ts';
import { recordCallEvent } from '../calls/record-call-event.ts';
import { mayRefill } from './refill-campaign.ts';
import { runCampaign } from './run-campaign.ts';

const database = useTestDatabase();
const CALLS = 12;

let wide: Db;
beforeAll(() => {
  wide = openDatabase({ url: database.url, log: silentLog, poolSize: CALLS + 2 });
});
afterAll(() => wide.close());

async function setup(leads: number) {
  const about = await arrange(wide);
  const campaignId = await makeCampaign(about, { maxCallsInParallel: CALLS, maxRetries: 0 });
  await makeLeads(about, campaignId, leads);
  await runCampaign(about.ctx, campaignId);
  const live = () => liveDials(about, campaignId);
  const end = (callId: number) =>
    recordCallEvent(about.ctx, { callId, event: 'busy', at: new Date(about.clock.now()) });
  return { ...about, about, campaignId, live, end };
}

const countCalls = statement<{ calls: number; leads: number }>(
  'test_count_calls',
  'select count(*) as calls, count(distinct lead_id) as leads from calls where campaign_id = $1',
);

describe('calls that end at the same time', () => {
  it('all end, and one look afterwards fills every place', async () => {
    const { about, ctx, campaignId, live, end } = await setup(3 * CALLS);
    const ending = await live();
    await Promise.all(ending.map(({ callId }) => end(callId)));
    if ((await live()).length < CALLS) expect(await nextLook(about, campaignId)).not.toBeNull();
    await runCampaign(ctx, campaignId);
    expect(await live()).toHaveLength(CALLS);
    expect(await wide.query(countCalls, [campaignId])).toEqual([{ calls: 2 * CALLS, leads: 2 * CALLS }]);
  });

  it('while one fills, another settles its lead without filling, and asks for a look', async () => {
    const { about, campaignId, live, end } = await setup(CALLS + 5);
    const [first] = await live();
    await wide.transaction(async (tx) => {
      expect(await mayRefill(tx, campaignId)).toBe(true);
      // Somebody else is at it: this must not wait for them.
      await end(first?.callId ?? 0);
    });
    expect(await live()).toHaveLength(CALLS - 1);
    expect(await nextLook(about, campaignId)).not.toBeNull();
  });

  it('one at a time: each is filled in its own transaction', async () => {
    const { about, campaignId, live, end } = await setup(CALLS + 5);
    const [first] = await live();
    await end(first?.callId ?? 0);
    expect(await live()).toHaveLength(CALLS);
    expect(await nextLook(about, campaignId)).toBeNull();
  });
});
