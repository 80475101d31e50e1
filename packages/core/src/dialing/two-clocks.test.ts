/** Calling hours by two clocks that disagree, and by the clock where the number is. */
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange } from '../../test/arrange.ts';
import {
  askToDial,
  leadState,
  liveDials,
  makeCampaign,
  makeLead,
  nextLook,
  onlyDial,
  setCampaign,
} from '../../test/arrange-campaign.ts';
import { createCoreContext } from '../context.ts';
import { runCampaign } from '../lifecycle/run-campaign.ts';

const database = useTestDatabase();
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Midnight UTC of a Thursday, moved by hours; the database's clock is ahead of this process's by `aheadMs`. */
async function setup({ hours, aheadMs }: { hours: number; aheadMs: number }) {
  const about = await arrange(database.db);
  about.clock.advance(hours * HOUR_MS);
  const clocks = { aheadMs };
  const ctx = { ...about.ctx, databaseNow: async () => new Date(about.clock.now() + clocks.aheadMs) };
  const hoursOfDay = { allowedFrom: '09:00:00', allowedUntil: '17:00:00' };
  const campaignId = await makeCampaign(about, { ...hoursOfDay, isCompletedWithoutLeads: false });
  const lead = await makeLead(about, campaignId, { phoneNumber: '+12025550155' });
  const skewed = { ...about, ctx };
  const run = () => runCampaign(ctx, campaignId);
  return { ...about, about: skewed, clocks, campaignId, lead, run, live: () => liveDials(about, campaignId) };
}

describe('calling hours', () => {
  it.each([
    ['both clocks inside', 10, 0, 1],
    ['this clock inside, the database’s past the end', 16.9, 10 * MINUTE_MS, 0],
    ['this clock inside, the database’s before the start', 9.1, -10 * MINUTE_MS, 0],
    ['this clock before the start, the database’s inside', 8.9, 10 * MINUTE_MS, 0],
    ['this clock past the end, the database’s inside', 17.1, -10 * MINUTE_MS, 0],
    ['both inside, though they disagree', 12, 2 * HOUR_MS, 1],
  ])('%s', async (_what, hours, aheadMs, calls) => {
    const { run, live } = await setup({ hours, aheadMs });
    await run();
    expect(await live()).toHaveLength(calls);
  });

  it('a clock jumps between claim and INVITE: nothing leaves, no attempt', async () => {
    const { about, clocks, campaignId, lead, run } = await setup({ hours: 16, aheadMs: 0 });
    await run();
    const { callId } = await onlyDial(about, campaignId);
    clocks.aheadMs = HOUR_MS;
    expect(await askToDial(about, callId)).toEqual({ isAllowed: false, reason: 'window_closed' });
    expect(await leadState(about, lead.id)).toMatchObject({ attempts: 0, round: 1 });
  });

  it('a process that is behind does not look again and again', async () => {
    const { about, clock, campaignId, run } = await setup({ hours: 8.9, aheadMs: 10 * MINUTE_MS });
    await run();
    // Six minutes of waiting are six minutes by either clock.
    const databaseNow = clock.now() + 10 * MINUTE_MS;
    expect((await nextLook(about, campaignId))?.getTime()).toBe(databaseNow + 6 * MINUTE_MS);
  });

  it('Postgres is asked for its clock where nothing else is said', async () => {
    const { ctx } = await setup({ hours: 0, aheadMs: 0 });
    const { secretBox: _, databaseNow: _ours, ...options } = ctx;
    const real = createCoreContext({ ...options, secretKey: 'k'.repeat(32) });
    const readNow = statement<{ now: Date }>('', 'select clock_timestamp() as now');
    const before = (await database.db.query(readNow))[0]?.now ?? new Date(NaN);
    const told = await real.databaseNow(database.db);
    const after = (await database.db.query(readNow))[0]?.now ?? new Date(NaN);
    expect(told >= before && told <= after).toBe(true);
  });
});

describe('the hours where the number is', () => {
  const ABROAD = { hours: 9.5, aheadMs: 0 };

  it('are kept when the campaign says so: nine in all of the United States', async () => {
    const { about, campaignId, lead, clock, run, live } = await setup(ABROAD);
    await setCampaign(about, campaignId, 'is_lead_timezone_respected', true);
    await run();
    expect(await live()).toEqual([]);
    // Honolulu and Adak begin when it is evening in London: hours that end at five never meet.
    expect(await leadState(about, lead.id)).toMatchObject({ dialReason: 'no_allowed_time' });
    await setCampaign(about, campaignId, 'allowed_until', '23:00:00');
    await makeLead(about, campaignId, { phoneNumber: '+12025550156' });
    await run();
    expect(await live()).toEqual([]);
    clock.advance(9.5 * HOUR_MS - 1);
    await run();
    expect(await live()).toEqual([]);
    clock.advance(1);
    await run();
    expect(await live()).toHaveLength(1);
  });

  it('are irrelevant otherwise', async () => {
    const { run, live } = await setup(ABROAD);
    await run();
    expect(await live()).toHaveLength(1);
  });

  it('are asked again before the INVITE', async () => {
    const { about, campaignId, run } = await setup(ABROAD);
    await run();
    const { callId } = await onlyDial(about, campaignId);
    await setCampaign(about, campaignId, 'allowed_until', '23:00:00');
    await setCampaign(about, campaignId, 'is_lead_timezone_respected', true);
    expect(await askToDial(about, callId)).toEqual({ isAllowed: false, reason: 'lead_window_closed' });
  });
});
