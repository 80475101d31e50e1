/** Which campaign waits for a shared limit, how long it keeps its place in the queue, and which one gets a free slot. */
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { arrangeCarrier } from '../../test/arrange-carrier.ts';
import { limitAll } from '../../test/arrange-dial-limits.ts';
import { arrange, makeTestLine, type Arrangement } from '../../test/arrange.ts';
import {
  endUnanswered,
  liveDials,
  makeCampaign,
  makeLead,
  makeLeads,
  nextLook,
  onlyDial,
  setCampaign,
} from '../../test/arrange-campaign.ts';
import { openTrunk, setAccountLimit, setFleetCapacity, setTrunkLimits } from '../../test/arrange-limits.ts';
import { findNextHeld } from '../capacity/campaign-hold.ts';
import { runCampaign } from '../lifecycle/run-campaign.ts';
import { placeCall } from '../lifecycle/place-call.ts';
import { fillCampaign } from './fill-campaign.ts';

const database = useTestDatabase();

const selectHolds = statement<{ heldBy: string | null }>(
  '',
  'select held_by from campaigns where id = any($1) order by id',
);
const clearFleet = statement('', 'delete from voice_processes');
const clearCalls = statement('', 'delete from live_calls');
const clearHolds = statement('', 'update campaigns set held_by = null');

beforeEach(async () => {
  for (const clear of [clearFleet, clearCalls, clearHolds]) await database.db.query(clear);
  await limitAll(database.db, {});
});

/** Campaigns of one owner with three leads each. */
async function addCampaigns(about: Arrangement, count: number) {
  const campaignIds: number[] = [];
  for (let index = 0; index < count; index++) {
    campaignIds.push(await makeCampaign(about));
    await makeLeads(about, campaignIds[index] ?? 0, 3);
  }
  const idOf = (place: number) => campaignIds[place] ?? 0;
  const run = (place: number) => runCampaign(about.ctx, idOf(place));
  const live = async (place: number) => (await liveDials(about, idOf(place))).length;
  const holds = async () => {
    const rows = await about.ctx.db.query(selectHolds, [campaignIds]);
    return rows.map(({ heldBy }) => heldBy?.replace(/:.*/, '') ?? null);
  };
  const looks = () => Promise.all(campaignIds.map((id) => nextLook(about, id)));
  return { campaignIds, idOf, run, live, holds, looks };
}

async function setup(count: number) {
  const about = await arrange(database.db);
  return { ...about, about, ...(await addCampaigns(about, count)) };
}

const LIMITS: [key: 'account' | 'fleet', set: (about: Arrangement, limit: number) => Promise<void>][] = [
  ['account', setAccountLimit],
  ['fleet', setFleetCapacity],
];

describe.each(LIMITS)('campaigns that wait for the limit of the %s', (key, set) => {
  it('keep their turn when they look again in vain', async () => {
    const { about, clock, idOf, run, live, holds } = await setup(3);
    await set(about, 1);
    await setCampaign(about, idOf(0), 'max_calls_in_parallel', 1);
    for (const place of [0, 1, 2, 1]) {
      await run(place);
      clock.advance(1000);
    }
    expect(await holds()).toEqual([null, key, key]);
    await endUnanswered(about, (await onlyDial(about, idOf(0))).callId, 'busy');
    expect(await live(1)).toBe(1);
  });

  it('leave the queue when they have reached their own limit', async () => {
    const { about, idOf, run, live, holds } = await setup(2);
    await set(about, 1);
    for (const place of [0, 1]) await setCampaign(about, idOf(place), 'max_calls_in_parallel', 1);
    await run(0);
    await run(1);
    expect(await holds()).toEqual([null, key]);
    await endUnanswered(about, (await onlyDial(about, idOf(0))).callId, 'busy');
    expect(await live(1)).toBe(1);
    expect((await holds())[1]).toBeNull();
  });

  it('are not joined by one that has reached its own limit', async () => {
    const { about, ctx, idOf, run, live, holds } = await setup(2);
    await set(about, 1);
    await setCampaign(about, idOf(0), 'max_calls_in_parallel', 1);
    await run(0);
    await run(1);
    await fillCampaign(ctx, { campaignId: idOf(0), isYielding: true });
    expect(await live(0)).toBe(1);
    expect(await holds()).toEqual([null, key]);
  });

  it('are not woken by one that has left them its slot, if another call has taken it', async () => {
    const { about, ctx, idOf, run, holds, looks } = await setup(2);
    await set(about, 1);
    await run(0);
    await run(1);
    await fillCampaign(ctx, { campaignId: idOf(0), isYielding: true });
    expect(await holds()).toEqual([key, key]);
    expect(await looks()).toEqual([null, null]);
  });
});

describe('a limit per day or per second', () => {
  let numbers = 0;
  /** A number in Germany that no other call has. */
  const nextNumber = () => `+4915120${String(100_000 + numbers++)}`;

  async function setupCarrier(count: number) {
    const about = await arrangeCarrier(database.db);
    const campaigns = await addCampaigns(about, count);
    const place = () =>
      placeCall(about.ctx, about.identity, { phoneNumber: nextNumber(), assistantId: about.assistant.id });
    return { ...about, about, ...campaigns, place };
  }

  it('keeps the turn of a campaign that looks again while the day is used up', async () => {
    const { ctx, clock, identity, idOf, run, holds } = await setupCarrier(2);
    await limitAll(ctx.db, { user: { perDay: 0 } });
    for (const place of [0, 1, 0]) {
      await run(place);
      clock.advance(1000);
    }
    expect(await holds()).toEqual(['account', 'account']);
    expect(await findNextHeld(ctx.db, [`account:${identity.userId}`], null)).toBe(idOf(0));
  });

  it('makes a campaign wait for a second while other calls use up the present one', async () => {
    const { about, ctx, clock, idOf, run, live, place } = await setupCarrier(1);
    await limitAll(ctx.db, { user: { perSecond: 1 } });
    for (let count = 0; count < 2; count++) await place();
    await run(0);
    expect(await live(0)).toBe(0);
    expect(await nextLook(about, idOf(0))).toEqual(new Date(clock.now() + 1000));
  });

  it('does not hold up a campaign whose owner has only test phones', async () => {
    const { ctx, run, live } = await setup(1);
    await limitAll(ctx.db, { user: { perDay: 0 }, trunk: { perDay: 0 } });
    await run(0);
    expect(await live(0)).toBe(3);
  });
});

it('a full trunk does not hold up the leads that another trunk reaches', async () => {
  const about = await arrange(database.db);
  const { ctx, identity } = about;
  await setTrunkLimits(about, { maxCalls: 2 });
  await openTrunk(ctx, await makeTestLine(ctx, identity.userId));
  const campaignId = await makeCampaign(about, { maxCallsInParallel: 5 });
  const first = await makeLead(about, campaignId, { phoneNumber: '+12025552351' });
  await runCampaign(ctx, campaignId);
  await makeLead(about, campaignId, { phoneNumber: '+12025552352' });
  const others = await makeLeads(about, campaignId, 2);
  await runCampaign(ctx, campaignId);
  const dialed = (await liveDials(about, campaignId)).map(({ leadId }) => leadId);
  expect(dialed).toEqual([first.id, ...others]);
});
