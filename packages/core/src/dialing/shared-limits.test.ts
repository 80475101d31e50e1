/**
 * The limits that campaigns share: eight concurrent claimers never exceed them, and a waiting campaign is served when a
 * place comes free. One database: what is said of the voice fleet is said of all tests here.
 */
import { openDatabase, statement, type Db } from '@parley/db';
import { silentLog } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { arrange, intendFor, makeCall, makeIntendedCall, makeVoiceProcess } from '../../test/arrange.ts';
import {
  askToDial,
  endUnanswered,
  leadState,
  liveDials,
  makeCampaign,
  makeLeads,
  nextLook,
} from '../../test/arrange-campaign.ts';
import {
  setAccountLimit,
  setFleetCapacity,
  setTrunkLimits,
  setTrunkPause,
} from '../../test/arrange-limits.ts';
import { authorizeDial } from '../lifecycle/authorize-dial.ts';
import { registerVoiceProcess, renewLease } from '../capacity/lease.ts';
import { findNextHeld } from '../capacity/campaign-hold.ts';
import { fillCampaign } from './fill-campaign.ts';
import { runCampaign } from '../lifecycle/run-campaign.ts';

const database = useTestDatabase();
const CLAIMERS = 8;

let wide: Db;
beforeAll(() => {
  wide = openDatabase({ url: database.url, log: silentLog, poolSize: CLAIMERS + 2 });
});
afterAll(() => wide.close());
const clearFleet = statement('', 'delete from voice_processes');
const clearCalls = statement('', 'delete from live_calls');
const forgetQueue = statement('', 'delete from dial_queue where campaign_id = $1');
const delayLeads = statement('', 'update dial_queue set ready_at = $2 where campaign_id = $1');
const forgetLive = statement('', 'delete from live_calls where call_id = $1');
const clearHolds = statement('', 'update campaigns set held_by = null');
beforeEach(async () => {
  for (const clear of [clearFleet, clearCalls, clearHolds]) await wide.query(clear);
});

/** Campaigns of one owner, each with more leads than the limit that they share. */
async function setup({ campaigns = CLAIMERS, leads = 6 } = {}) {
  const about = await arrange(wide);
  const campaignIds: number[] = [];
  for (let index = 0; index < campaigns; index++) {
    const campaignId = await makeCampaign(about, { maxCallsInParallel: leads });
    await makeLeads(about, campaignId, leads);
    campaignIds.push(campaignId);
  }
  const run = (place: number) => runCampaign(about.ctx, campaignIds[place] ?? 0);
  const runAll = () => Promise.all(campaignIds.map((id) => runCampaign(about.ctx, id)));
  const live = async () => (await Promise.all(campaignIds.map((id) => liveDials(about, id)))).flat();
  const looks = () => Promise.all(campaignIds.map((id) => nextLook(about, id)));
  return { ...about, about, campaignIds, run, runAll, live, looks };
}

type Setup = Awaited<ReturnType<typeof setup>>;

const LIMITS: [what: string, reason: string, set: (found: Setup, limit: number) => Promise<void>][] = [
  ['its owner', 'account', ({ about }, limit) => setAccountLimit(about, limit)],
  ['their trunk', 'trunk', ({ about }, limit) => setTrunkLimits(about, { maxCalls: limit })],
  ['the voice fleet', 'fleet', ({ about }, limit) => setFleetCapacity(about, limit)],
];

const selectHolds = statement<{ heldBy: string | null }>(
  '',
  'select held_by from campaigns where id = any($1) order by id',
);

describe.each(LIMITS)('the limit of %s', (_what, key, set) => {
  it.each([1, 3, 10])('%i calls: eight campaigns at once reach it and never go above', async (limit) => {
    for (let round = 0; round < 2; round++) {
      const found = await setup();
      await set(found, limit);
      await found.runAll();
      await found.runAll();
      expect(await found.live()).toHaveLength(limit);
      await wide.query(clearCalls);
      await wide.query(clearFleet);
    }
  });

  it('holds the others up without an attempt, and a place that comes free wakes them', async () => {
    const found = await setup({ campaigns: 2, leads: 3 });
    await set(found, 2);
    await found.run(0);
    await found.run(1);
    expect(await found.live()).toHaveLength(2);
    const holds = await wide.query(selectHolds, [found.campaignIds]);
    expect(holds.every(({ heldBy }) => heldBy?.startsWith(key))).toBe(true);
    // No run is planned while nothing can have changed.
    expect(await found.looks()).toEqual([null, null]);
    await found.run(1);
    expect(await found.looks()).toEqual([null, null]);
    const [first] = await found.live();
    await endUnanswered(found.about, first?.callId ?? 0, 'busy');
    // Who has waited is asked before the place is taken again by the one that had it.
    expect(await liveDials(found.about, found.campaignIds[1] ?? 0)).toHaveLength(1);
    expect(await found.live()).toHaveLength(2);
  });

  it('is no reason to wait for a campaign without due leads: it looks again when the first is due', async () => {
    const found = await setup({ campaigns: 2, leads: 2 });
    const [, second = 0] = found.campaignIds;
    await set(found, 2);
    await found.run(0);
    const readyAt = new Date(found.clock.now() + 3_600_000);
    await wide.query(delayLeads, [second, readyAt]);
    await found.run(1);
    expect(await wide.query(selectHolds, [[second]])).toEqual([{ heldBy: null }]);
    expect(await nextLook(found.about, second)).toEqual(readyAt);
  });

  it('raised, it is used; lowered, it is kept as calls end', async () => {
    const found = await setup({ campaigns: 1, leads: 6 });
    await set(found, 2);
    await found.run(0);
    await set(found, 4);
    await found.run(0);
    expect(await found.live()).toHaveLength(4);
    await set(found, 1);
    for (const { callId } of (await found.live()).slice(0, 3)) {
      await endUnanswered(found.about, callId, 'busy');
      await found.run(0);
    }
    expect((await found.live()).length).toBeLessThanOrEqual(1);
  });
});

const claimUnlocked = statement(
  '',
  `with taken as (
     delete from dial_queue where lead_id in (
       select lead_id from dial_queue where campaign_id = $1 order by ready_at
       limit greatest(0, $2 - (select count(*) from live_calls where user_id = $3)))
     returning lead_id)
   insert into live_calls (call_id, call_created_at, user_id, assistant_id, campaign_id, lead_id, type,
     client_phone_number, sip_call_id, created_at)
   select nextval('call_ids'), now(), $3, 1, $1, lead_id, 'outbound', lead_id::text, gen_random_uuid()::text, now()
   from taken`,
);

it('negative control: counting without the shared lock goes above', async () => {
  let highest = 0;
  for (let round = 0; round < 20 && highest <= 2; round++) {
    const { campaignIds, identity, live } = await setup({ leads: 4 });
    await Promise.all(
      campaignIds.map((id) => wide.transaction((tx) => tx.query(claimUnlocked, [id, 2, identity.userId]))),
    );
    highest = Math.max(highest, (await live()).length);
  }
  expect(highest).toBeGreaterThan(2);
});

describe('the line for a limit', () => {
  it('gives each campaign its turn', async () => {
    const found = await setup({ campaigns: 3, leads: 6 });
    await setFleetCapacity(found.about, 1);
    for (const place of [0, 1, 2]) await found.run(place);
    const turns: number[] = [];
    while (turns.length < 7) {
      found.clock.advance(1000);
      const [call] = await found.live();
      await endUnanswered(found.about, call?.callId ?? 0, 'busy');
      const dials = await Promise.all(found.campaignIds.map((id) => liveDials(found.about, id)));
      turns.push(dials.findIndex((calls) => calls.length === 1));
    }
    expect(turns).toEqual([1, 0, 2, 1, 0, 2, 1]);
  });

  it('does not give a slot that the first in the queue does not need to the campaign that has just had one', async () => {
    const found = await setup({ campaigns: 3, leads: 3 });
    const [first = 0, second = 0, third = 0] = found.campaignIds;
    await setFleetCapacity(found.about, 2);
    for (const place of [0, 1, 2]) await found.run(place);
    await wide.query(forgetQueue, [second]);
    const [ended] = await found.live();
    await endUnanswered(found.about, ended?.callId ?? 0, 'busy');
    expect(await liveDials(found.about, first)).toHaveLength(1);
    await found.run(2);
    expect(await liveDials(found.about, third)).toHaveLength(1);
  });

  it('gives two places that come free at once to two campaigns', async () => {
    const found = await setup({ campaigns: 3, leads: 2 });
    await setFleetCapacity(found.about, 2);
    for (const place of [0, 1, 2]) await found.run(place);
    const chosen = await wide.transaction(async (tx) => {
      const first = await findNextHeld(tx, ['fleet'], null);
      return [first, await findNextHeld(wide, ['fleet'], null)];
    });
    expect(new Set(chosen)).toEqual(new Set(found.campaignIds.slice(1)));
  });

  it.each([
    ['a campaign that has had a slot leaves the next one to them, and wakes the first', true, 1],
    ['negative control: or takes it again', false, 2],
  ])('with others in it, %s', async (_what, isYielding, live) => {
    const found = await setup({ campaigns: 2, leads: 3 });
    const [first = 0] = found.campaignIds;
    await setFleetCapacity(found.about, 2);
    await found.run(0);
    await found.run(1);
    const [ended] = await found.live();
    await wide.query(forgetLive, [ended?.callId ?? 0]);
    await fillCampaign(found.ctx, { campaignId: first, isYielding });
    expect(await liveDials(found.about, first)).toHaveLength(live);
    expect(await found.looks()).toEqual([null, expect.any(Date)]);
  });
});

describe('make_call', () => {
  it('takes its place under the same limits as campaigns: together never above', async () => {
    const { about, runAll, live } = await setup({ campaigns: 4 });
    await setAccountLimit(about, 5);
    const placed: number[] = [];
    const place = () =>
      makeCall(about).then(
        (id) => placed.push(id),
        () => undefined,
      );
    await Promise.all([runAll(), place(), place(), place(), place()]);
    expect((await live()).length + placed.length).toBe(5);
  });

  it.each([
    [
      'the account',
      'Your account has reached its concurrent call limit',
      (about: Setup['about']) => setAccountLimit(about, 1),
    ],
    [
      'the trunk',
      'The SIP trunk has reached its concurrent call limit',
      (about: Setup['about']) => setTrunkLimits(about, { maxCalls: 1 }),
    ],
  ])('is refused at the limit of %s, with the reason', async (_what, message, set) => {
    const { about } = await setup({ campaigns: 0 });
    await set(about);
    await makeCall(about);
    await expect(makeCall(about)).rejects.toMatchObject({
      kind: 'invalid',
      fields: { phone_number: [expect.stringContaining(message)] },
    });
  });

  it('is refused while its only trunk is paused', async () => {
    const { about, clock } = await setup({ campaigns: 0 });
    await setTrunkPause(about, { until: new Date(clock.now() + 1_000), seconds: 30 });
    await expect(makeCall(about)).rejects.toMatchObject({
      fields: { phone_number: [expect.stringContaining('paused')] },
    });
  });
});

describe('the last check before an INVITE', () => {
  it.each([
    ['account_calls', (about: Setup['about']) => setAccountLimit(about, 1)],
    ['trunk_calls', (about: Setup['about']) => setTrunkLimits(about, { maxCalls: 1 })],
  ])('%s: of two calls one leaves when the limit was lowered meanwhile', async (reason, set) => {
    const { about, live } = await setup({ campaigns: 0 });
    const callIds = [await makeIntendedCall(about), await makeIntendedCall(about)];
    await set(about);
    const answers = [];
    for (const callId of callIds) answers.push(await askToDial(about, callId));
    expect(answers).toEqual([{ isAllowed: false, reason }, { isAllowed: true }]);
    expect(await live()).toEqual([]);
  });

  it('the campaign’s own limit was lowered meanwhile: no attempt', async () => {
    const { about, campaignIds, run } = await setup({ campaigns: 1, leads: 2 });
    const campaignId = campaignIds[0] ?? 0;
    await run(0);
    await wide.query(statement('', 'update campaigns set max_calls_in_parallel = 1 where id = $1'), [
      campaignId,
    ]);
    const [first, second] = await liveDials(about, campaignId);
    expect(await askToDial(about, first?.callId ?? 0)).toEqual({
      isAllowed: false,
      reason: 'calls_in_parallel',
    });
    expect(await askToDial(about, second?.callId ?? 0)).toEqual({ isAllowed: true });
    expect(await leadState(about, first?.leadId ?? 0)).toMatchObject({ attempts: 0, round: 1 });
  });

  it('spaces the calls of a trunk with a rate limit, whichever campaign they belong to', async () => {
    const { about, ctx, fence } = await setup({ campaigns: 0 });
    const callIds: number[] = [];
    for (let index = 0; index < CLAIMERS; index++) callIds.push(await makeIntendedCall(about));
    for (const callId of callIds) await intendFor(ctx, callId, fence);
    await setTrunkLimits(about, { maxCps: 1 });
    const [before] = await wide.query(readClock);
    const answers = await Promise.all(callIds.map((callId) => authorizeDial(ctx, { callId, fence })));
    const [after] = await wide.query(readClock);
    // One at once, and one more for each second that the machine took.
    const turns = 1 + Math.floor((after?.seconds ?? 0) - (before?.seconds ?? 0));
    const sent = answers.filter(({ isAllowed }) => isAllowed).length;
    expect(sent).toBeGreaterThanOrEqual(1);
    expect(sent).toBeLessThanOrEqual(turns);
    const waits = answers.flatMap((answer) => ('waitMs' in answer ? [answer.waitMs] : []));
    expect(waits).toHaveLength(CLAIMERS - sent);
    expect(waits.every((waitMs) => waitMs > 0 && waitMs <= 1_000)).toBe(true);
  });
});

const readClock = statement<{ seconds: number }>(
  '',
  'select extract(epoch from clock_timestamp())::float8 as seconds',
);

describe('capacity of the voice fleet that becomes free', () => {
  it.each([
    ['a process starts', async ({ ctx }: Setup) => void (await makeVoiceProcess(ctx, 10))],
    [
      'a process at an address starts again',
      async ({ ctx }: Setup) => {
        const process = { url: 'http://again.test', sipAddress: '127.0.0.1:5060', capacity: 10 };
        await registerVoiceProcess(ctx, process);
      },
    ],
    [
      'a silent one is heard of again',
      async ({ ctx, fence }: Setup) => {
        const silence = statement('', `update voice_processes set lease_until = now() - interval '1 s'`);
        await ctx.db.query(silence);
        await setFleetCapacity({ ctx }, 10);
        const load = { activeCalls: 0, isDraining: false };
        await renewLease(ctx, { ...fence, ...load });
      },
    ],
    [
      'a process that did not keep up admits calls again',
      async ({ ctx, fence }: Setup) => {
        await setFleetCapacity({ ctx }, 10);
        await renewLease(ctx, { ...fence, activeCalls: 0, isDraining: false, admittedCalls: 0 });
        await renewLease(ctx, { ...fence, activeCalls: 0, isDraining: false, admittedCalls: 2 });
      },
    ],
  ])('%s: a campaign that waits is woken', async (_what, comeBack) => {
    const found = await setup({ campaigns: 1, leads: 2 });
    await setFleetCapacity(found, 0);
    await found.run(0);
    expect(await found.live()).toEqual([]);
    expect(await found.looks()).toEqual([null]);
    await comeBack(found);
    expect(await found.looks()).toEqual([expect.any(Date)]);
    await found.run(0);
    expect(await found.live()).toHaveLength(2);
  });

  it('an ordinary renewal wakes no campaign', async () => {
    const found = await setup({ campaigns: 1, leads: 2 });
    await setFleetCapacity(found, 0);
    await found.run(0);
    await renewLease(found.ctx, { ...found.fence, activeCalls: 0, isDraining: false });
    expect(await found.looks()).toEqual([null]);
  });
});
