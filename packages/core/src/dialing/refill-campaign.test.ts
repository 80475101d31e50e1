/** Calls that end: the process refills their campaign, also for simultaneous ends and after another process died. */
import { openDatabase, statement, type Db } from '@parley/db';
import { silentLog } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrange } from '../../test/arrange.ts';
import { askToDial, liveDials, makeCampaign, makeLeads } from '../../test/arrange-campaign.ts';
import { recordCallEvent } from '../lifecycle/record-call-event.ts';
import { sweepCalls } from '../lifecycle/sweep-calls.ts';
import { askForRefill, refillForgottenCampaigns } from './refill-campaign.ts';
import { runCampaign } from '../lifecycle/run-campaign.ts';

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
  const notes = async () => (await wide.query(countNotes, [campaignId]))[0]?.notes;
  return { ...about, about, campaignId, live, end, notes };
}

const countCalls = statement<{ calls: number; leads: number }>(
  '',
  'select count(*) as calls, count(distinct lead_id) as leads from calls where campaign_id = $1',
);
const countNotes = statement<{ notes: number }>(
  '',
  'select count(*) as notes from campaign_wakes where campaign_id = $1',
);
const endSilently = statement('', 'delete from live_calls where call_id = $1');
const ageNotes = statement(
  '',
  `update campaign_wakes set at = at - interval '2 seconds' where campaign_id = $1`,
);
const lockForDialing = statement('', 'select 1 from campaigns where id = $1 for no key update');

describe('calls that end', () => {
  it('all at the same time: every place is filled when the last of them has ended', async () => {
    const { campaignId, live, end, notes } = await setup(3 * CALLS);
    const ending = await live();
    await Promise.all(ending.map(({ callId }) => end(callId)));
    expect(await live()).toHaveLength(CALLS);
    expect(await wide.query(countCalls, [campaignId])).toEqual([{ calls: 2 * CALLS, leads: 2 * CALLS }]);
    expect(await notes()).toBe(0);
  });

  it('one at a time: the place is filled when the end is stored', async () => {
    const { live, end } = await setup(CALLS + 5);
    const [first] = await live();
    await end(first?.callId ?? 0);
    expect(await live()).toHaveLength(CALLS);
  });

  it('end during a refill without waiting for it; permissions to dial do not wait either', async () => {
    const { about, campaignId, live, end } = await setup(CALLS + 5);
    const [first, second] = await live();
    let ending: Promise<unknown> | undefined;
    await wide.transaction(async (tx) => {
      await tx.query(lockForDialing, [campaignId]);
      ending = end(first?.callId ?? 0);
      expect(await askToDial(about, second?.callId ?? 0)).toEqual({ isAllowed: true });
      while ((await live()).length === CALLS) await tx.query(statement('', 'select 1'));
    });
    await ending;
    expect(await live()).toHaveLength(CALLS);
  });
});

describe('a process that is killed between the end of a call and the refill', () => {
  it('leaves a note, which the sweep serves', async () => {
    const { ctx, campaignId, live, notes } = await setup(CALLS + 5);
    const [first] = await live();
    await wide.transaction(async (tx) => {
      await tx.query(endSilently, [first?.callId ?? 0]);
      await askForRefill(ctx, { ...tx, afterCommit: () => {} }, [{ campaignId }]);
    });
    await refillForgottenCampaigns(ctx);
    // It may still be at it.
    expect(await live()).toHaveLength(CALLS - 1);
    await wide.query(ageNotes, [campaignId]);
    await sweepCalls(ctx, { hasBeenReachableForMs: 0, unreachable: [] });
    expect(await live()).toHaveLength(CALLS);
    expect(await notes()).toBe(0);
  });

  it('a refill that fails leaves its note, and the end of the call stands', async () => {
    const { about, ctx, campaignId, live, notes } = await setup(CALLS + 5);
    const [first] = await live();
    const broken = {
      ...ctx,
      databaseNow: async () => {
        throw new Error('No clock');
      },
    };
    const at = new Date(about.clock.now());
    await recordCallEvent(broken, { callId: first?.callId ?? 0, event: 'busy', at });
    expect(await live()).toHaveLength(CALLS - 1);
    expect(await notes()).toBe(1);
    await wide.query(ageNotes, [campaignId]);
    await refillForgottenCampaigns(ctx);
    expect(await live()).toHaveLength(CALLS);
  });
});
