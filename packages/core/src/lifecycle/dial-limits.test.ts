import { dialPolicyRecord } from '@parley/contracts';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { arrangeCarrier, makeCallOnCarrier, type CarrierArrangement } from '../../test/arrange-carrier.ts';
import { limitAll } from '../../test/arrange-dial-limits.ts';
import {
  askToDial,
  leadState,
  liveDials,
  makeCampaign,
  makeLead,
  nextLook,
} from '../../test/arrange-campaign.ts';
import { endOf, freshNumber, makeAnsweredCall, makeTestLine } from '../../test/arrange.ts';
import { startCampaign } from '../campaigns/update-campaign-status.ts';
import { forgetOldDialCosts } from '../capacity/dial-usage.ts';
import { changeDialPolicy, readDialPolicy } from '../fraud-protection/dial-policy.ts';
import { fillCampaign } from '../dialing/fill-campaign.ts';
import type { Identity } from '../users/identity.ts';
import { authorizeBridge } from './authorize-bridge.ts';
import { authorizeTransfer } from './authorize-transfer.ts';
import type { DialAuthorization } from './authorize-dial.ts';
import { finishCall } from './finish-call.ts';
import { placeCall } from './place-call.ts';

const database = useTestDatabase();

const readUsage = statement<{ scope: string; calls: number; cost: number }>(
  '',
  `select scope, calls, cost from dial_usage where scope = $1 and subject_id = $2`,
);
const readWarnings = statement<{ measure: string; thresholdPercent: number }>(
  '',
  `select measure, threshold_percent from dial_warnings where scope = 'user' and subject_id = $1
   order by measure, threshold_percent`,
);
/** A dial in the user's present second, which lasts an hour. */
const fillSecond = statement(
  '',
  `insert into dial_usage (scope, subject_id, day, calls, cost, recent)
   values ('user', $1, (clock_timestamp() at time zone 'utc')::date, 1, 0, array[clock_timestamp() + interval '1 hour'])
   on conflict (scope, subject_id) do update set recent = excluded.recent`,
);
/** What a second on the database's clock does. */
const passSecond = statement('', `update dial_usage set recent = '{}'`);
const passDay = statement('', 'update dial_usage set day = day - 1');

const limit = (limits: Parameters<typeof limitAll>[1]) => limitAll(database.db, limits);

let numbers = 0;
/** A number in Germany that no other call has. */
const nextNumber = () => `+4915100${String(100_000 + numbers++)}`;

async function setup(assistantFields: Record<string, unknown> = {}, fields: Partial<Identity> = {}) {
  const about = await arrangeCarrier(database.db, assistantFields);
  const identity = { ...about.identity, ...fields };
  const place = (phoneNumber = nextNumber()) =>
    placeCall(about.ctx, identity, { phoneNumber, assistantId: about.assistant.id });
  return { ...about, identity, place };
}

/** Calls that wait for their permission: the check at the placing would refuse some of them. */
async function placeMany(
  about: CarrierArrangement & { place: () => Promise<{ callId: number }> },
  count: number,
) {
  const callIds = [];
  for (let index = 0; index < count; index++) callIds.push((await about.place()).callId);
  return callIds;
}

const reasons = (answers: readonly DialAuthorization[]) =>
  answers.map((answer) => (answer.isAllowed ? 'allowed' : answer.reason)).toSorted();

beforeEach(() => limit({}));

describe('calls per day', () => {
  it.each(['user', 'trunk'] as const)('no race exceeds the limit of a %s', async (scope) => {
    const about = await setup();
    const callIds = await placeMany(about, 12);
    await limit({ [scope]: { perDay: 5 } });
    const answers = await Promise.all(callIds.map((callId) => askToDial(about, callId)));
    expect(reasons(answers)).toEqual([...Array(5).fill('allowed'), ...Array(7).fill('daily_limit')]);
    const subjectId = scope === 'user' ? about.identity.userId : about.trunkId;
    expect(await about.ctx.db.query(readUsage, [scope, subjectId])).toEqual([{ scope, calls: 5, cost: 0 }]);
  });

  it('those of a token are counted by the token', async () => {
    const tokenId = 77;
    const about = await setup({}, { tokenId });
    await limit({ token: { perDay: 2 } });
    for (const callId of await placeMany(about, 2))
      expect(await askToDial(about, callId)).toEqual({ isAllowed: true });
    await expect(about.place()).rejects.toMatchObject({
      fields: { phone_number: ['This API token has reached its limit of calls per day (2).'] },
    });
    const other = { ...about.identity, tokenId: 78 };
    const input = { phoneNumber: nextNumber(), assistantId: about.assistant.id };
    await expect(placeCall(about.ctx, other, input)).resolves.toBeDefined();
  });

  it('make_call says so once the limit is reached, and dials again on the next day', async () => {
    const about = await setup();
    const { place, ctx } = about;
    await limit({ user: { perDay: 1 } });
    const { callId } = await place();
    expect(await askToDial(about, callId)).toEqual({ isAllowed: true });
    const fields = { phone_number: ['Your account has reached its limit of calls per day (1).'] };
    await expect(place()).rejects.toMatchObject({ kind: 'invalid', fields });
    await ctx.db.query(passDay);
    const { callId: next } = await place();
    expect(await askToDial(about, next)).toEqual({ isAllowed: true });
  });

  it('a trunk at its limit is passed over', async () => {
    const about = await setup();
    await limit({ trunk: { perDay: 1 } });
    const { callId } = await about.place();
    await askToDial(about, callId);
    const fields = { phone_number: ['The SIP trunk has reached its limit of calls or costs per day.'] };
    await expect(about.place()).rejects.toMatchObject({ kind: 'invalid', fields });
  });

  it('calls to test phones are neither counted nor refused', async () => {
    const about = await setup();
    await makeTestLine(about.ctx, about.identity.userId);
    await limit({ user: { perDay: 0 } });
    const test = await database.db.query(
      statement<{ id: number }>('', `update trunks set reach = 'fictional' where id = $1 returning id`),
      [about.trunkId],
    );
    expect(test).toHaveLength(1);
    const { callId } = await about.place(freshNumber());
    expect(await askToDial(about, callId)).toEqual({ isAllowed: true });
    expect(await about.ctx.db.query(readUsage, ['user', about.identity.userId])).toEqual([]);
  });
});

describe('calls per second', () => {
  it('200 requests in a row: no more than the limit of each second leave, the others wait', async () => {
    const about = await setup();
    const callIds = await placeMany(about, 40);
    await limit({ user: { perSecond: 10 } });
    const startedAt = performance.now();
    const answers: DialAuthorization[] = [];
    for (let round = 0; round < 5; round++)
      for (const callId of callIds) answers.push(await askToDial(about, callId));
    const seconds = Math.ceil((performance.now() - startedAt) / 1000);
    const counts = Map.groupBy(reasons(answers), (reason) => reason);
    expect(counts.get('allowed')?.length).toBeGreaterThanOrEqual(10);
    expect(counts.get('allowed')?.length).toBeLessThanOrEqual(10 * seconds);
    expect(
      [...counts.keys()].filter((reason) => !['allowed', 'wait', 'already_sent'].includes(reason)),
    ).toEqual([]);
  });

  it('no more than the limit leave in one second, even at once', async () => {
    const about = await setup();
    const callIds = await placeMany(about, 12);
    await limit({ user: { perSecond: 3 }, trunk: { perSecond: 100 } });
    const askAll = async (ids: readonly number[]) =>
      Promise.all(ids.map(async (callId) => ({ callId, answer: await askToDial(about, callId) })));
    const startedAt = performance.now();
    const first = await askAll(callIds);
    // A machine that needs a second for this has had another second's calls.
    const seconds = Math.ceil((performance.now() - startedAt) / 1000);
    const left = first.filter(({ answer }) => !answer.isAllowed).map(({ callId }) => callId);
    expect(callIds.length - left.length).toBeGreaterThanOrEqual(3);
    expect(callIds.length - left.length).toBeLessThanOrEqual(3 * seconds);
    await database.db.query(passSecond);
    const second = await askAll(left.slice(0, 1));
    expect(second.map(({ answer }) => answer)).toEqual([{ isAllowed: true }]);
  });

  it('make_call is refused while more calls wait than two seconds carry', async () => {
    const { place } = await setup();
    await limit({ user: { perSecond: 2 } });
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => place()));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    await expect(place()).rejects.toMatchObject({
      fields: { phone_number: ['Calls are placed faster than your limit of calls per second allows.'] },
    });
  });
});

describe('costs per day', () => {
  async function chargedCall(about: Awaited<ReturnType<typeof setup>>) {
    const callId = await makeAnsweredCall(about);
    await database.db.query(statement('', 'update live_calls set trunk_id = $2 where call_id = $1'), [
      callId,
      about.trunkId,
    ]);
    about.clock.advance(60_000);
    await finishCall(about.ctx, endOf(about, callId));
  }

  it('stop the dialing once the calls of the day have cost as much', async () => {
    const about = await setup();
    const price = statement('', `insert into prices (trunk_id, unit, price) values ($1, 'minute', 2)`);
    await about.ctx.db.query(price, [about.trunkId]);
    await limit({ user: { cost: 3 } });
    await chargedCall(about);
    const [one, two] = await placeMany(about, 2);
    expect(await askToDial(about, one ?? 0)).toEqual({ isAllowed: true });
    expect(await about.ctx.db.query(readUsage, ['user', about.identity.userId])).toMatchObject([{ cost: 2 }]);
    await chargedCall(about);
    expect(await askToDial(about, two ?? 0)).toEqual({ isAllowed: false, reason: 'daily_limit' });
    await expect(about.place()).rejects.toMatchObject({
      fields: { phone_number: ['Your account has reached its limit of costs per day (3).'] },
    });
  });

  it('leave no rows of earlier days behind', async () => {
    const about = await setup();
    const price = statement('', `insert into prices (trunk_id, unit, price) values ($1, 'minute', 2)`);
    await about.ctx.db.query(price, [about.trunkId]);
    await limit({ trunk: { cost: 3 } });
    await chargedCall(about);
    await database.db.query(statement('', 'update dial_costs set day = day - 1'));
    await forgetOldDialCosts(about.ctx);
    const left = statement<{ left: number }>('', 'select count(*) as left from dial_costs');
    expect(await database.db.query(left)).toEqual([{ left: 0 }]);
  });
});

describe('warnings', () => {
  it('are given once a day at 80 % and at the limit', async () => {
    const about = await setup();
    const callIds = await placeMany(about, 10);
    await limit({ user: { perDay: 10 } });
    for (const [index, callId] of callIds.entries()) {
      await askToDial(about, callId);
      const warnings = await about.ctx.db.query(readWarnings, [about.identity.userId]);
      const reached = [80, 100].slice(0, index < 7 ? 0 : index < 9 ? 1 : 2);
      expect(warnings).toEqual(
        reached.map((thresholdPercent) => ({ measure: 'calls_per_day', thresholdPercent })),
      );
    }
  });
});

describe('campaigns', () => {
  it('count for the token that started them, and wait for the next day without dialing', async () => {
    const about = await setup({}, { tokenId: 99 });
    const { ctx, identity } = about;
    await limit({ token: { perDay: 1 } });
    const campaignId = await makeCampaign(about, { status: 'draft', maxCallsInParallel: 1 });
    const first = await makeLead(about, campaignId, { phoneNumber: nextNumber() });
    const second = await makeLead(about, campaignId, { phoneNumber: nextNumber() });
    await startCampaign(ctx, identity, campaignId);
    await fillCampaign(ctx, { campaignId });
    const [dial] = await liveDials(about, campaignId);
    expect(dial?.leadId).toBe(first.id);
    expect(await askToDial(about, dial?.callId ?? 0)).toEqual({ isAllowed: true });
    await database.db.query(statement('', 'update campaigns set max_calls_in_parallel = 5 where id = $1'), [
      campaignId,
    ]);
    await fillCampaign(ctx, { campaignId });
    expect(await liveDials(about, campaignId)).toHaveLength(1);
    expect(await leadState(about, second.id)).toMatchObject({ dialState: 'waiting', round: 1 });
    const midnight = new Date(Math.ceil((ctx.clock.now() + 1) / 86_400_000) * 86_400_000);
    expect(await nextLook(about, campaignId)).toEqual(midnight);
  });
});

describe('transfers', () => {
  it('count as dials, by REFER and by a bridge', async () => {
    const [first, second, third] = [nextNumber(), nextNumber(), nextNumber()];
    const destinations = [first, second, third].map((number) => ({ name: number, phone_number: number }));
    const about = await setup({ tools: [{ type: 'call_transfer', destinations }] });
    const callId = await makeCallOnCarrier(about);
    await limit({ user: { perDay: 2 } });
    const ask = (phoneNumber: string) => ({ callId, phoneNumber, fence: about.fence });
    expect(await authorizeTransfer(about.ctx, ask(first))).toEqual({ isAllowed: true });
    expect(await authorizeBridge(about.ctx, ask(second))).toMatchObject({ isAllowed: true });
    const refused = { isAllowed: false, reason: 'daily_limit' };
    expect(await authorizeTransfer(about.ctx, ask(third))).toEqual(refused);
    expect(await authorizeBridge(about.ctx, ask(third))).toEqual(refused);
  });

  it('wait for the limit of calls per second: a bridge asks again, REFER is refused', async () => {
    const [first, second] = [nextNumber(), nextNumber()];
    const destinations = [first, second].map((number) => ({ name: number, phone_number: number }));
    const about = await setup({ tools: [{ type: 'call_transfer', destinations }] });
    const callId = await makeCallOnCarrier(about);
    await limit({ user: { perSecond: 1 } });
    await database.db.query(fillSecond, [about.identity.userId]);
    const ask = (phoneNumber: string) => ({ callId, phoneNumber, fence: about.fence });
    const waiting = { isAllowed: false, reason: 'wait', waitMs: expect.any(Number) as number };
    expect(await authorizeBridge(about.ctx, ask(first))).toEqual(waiting);
    const refused = { isAllowed: false, reason: 'trunk_rate' };
    expect(await authorizeTransfer(about.ctx, ask(second))).toEqual(refused);
  });
});

describe('the settings', () => {
  it('change only what is sent, and list the warnings by name', async () => {
    const about = await setup();
    const { ctx, identity } = about;
    const limits = { user: { calls_per_day: 1, cost_per_day: 2.5 }, trunk: { calls_per_second: 5 } };
    const none = { calls_per_second: null, calls_per_day: null, cost_per_day: null };
    expect((await changeDialPolicy(ctx, identity, { limits })).limits).toEqual({
      user: { ...none, calls_per_day: 1, cost_per_day: 2.5 },
      token: none,
      trunk: { ...none, calls_per_second: 5 },
    });
    const [callId = 0] = await placeMany(about, 1);
    await askToDial(about, callId);
    const { warnings } = await readDialPolicy(ctx, identity);
    expect(dialPolicyRecord.parse(await readDialPolicy(ctx, identity)).warnings).toEqual(warnings);
    const mail = await ctx.db.query(
      statement<{ email: string }>('', 'select email from users where id = $1'),
      [identity.userId],
    );
    const [own] = warnings.filter(({ name }) => name === mail[0]?.email);
    expect(own).toMatchObject({ scope: 'user', measure: 'calls_per_day', used: 1, limit: 1 });
    await changeDialPolicy(ctx, identity, { limits: { user: { calls_per_day: null } } });
    expect((await readDialPolicy(ctx, identity)).limits.user).toEqual({ ...none, cost_per_day: 2.5 });
  });

  it('are the operator’s alone', async () => {
    const { ctx, identity } = await setup({}, { role: 'member' });
    await expect(readDialPolicy(ctx, identity)).rejects.toMatchObject({ kind: 'forbidden' });
    const limits = { user: { calls_per_day: null } };
    await expect(changeDialPolicy(ctx, identity, { limits })).rejects.toMatchObject({ kind: 'forbidden' });
  });
});
