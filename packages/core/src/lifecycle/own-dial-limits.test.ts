/** Limits of one user and one trunk, and the costs of calls in progress. */
import { newTrunkBody, trunkChangesBody, userChangesBody } from '@parley/contracts';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { arrangeCarrier, makeCallOnCarrier, type CarrierArrangement } from '../../test/arrange-carrier.ts';
import { limitAll } from '../../test/arrange-dial-limits.ts';
import { askToDial, makeCampaign, makeLead, liveDials } from '../../test/arrange-campaign.ts';
import { endOf, waitingJobs } from '../../test/arrange.ts';
import { changeUserAccount } from '../accounts/user-accounts.ts';
import { readDialUsage } from '../capacity/dial-usage.ts';
import { fillCampaign } from '../dialing/fill-campaign.ts';
import { addTrunk, changeTrunk } from '../trunks/trunks.ts';
import { issueToken } from '../users/own-tokens.ts';
import type { DialAuthorization } from './authorize-dial.ts';
import { finishCall } from './finish-call.ts';
import { placeCall } from './place-call.ts';

const database = useTestDatabase();
let numbers = 0;
/** A number in Germany that no other call has. */
const nextNumber = () => `+4915100${String(300_000 + numbers++)}`;

const MINUTES = 10;
const PRICE = 2;
/** For calls of the arrangement's clock, which began months ago for the clock of the database. */
const LOW_PRICE = 0.01;

async function setup() {
  const about = await arrangeCarrier(database.db);
  const { ctx, identity, trunkId } = about;
  return {
    ...about,
    place: () => placeCall(ctx, identity, { phoneNumber: nextNumber(), assistantId: about.assistant.id }),
    limitUser: (limits: Record<string, unknown>) =>
      changeUserAccount(ctx, identity, { ...userChangesBody.parse(limits), id: identity.userId }),
    limitTrunk: (limits: Record<string, unknown>) =>
      changeTrunk(ctx, identity, { ...trunkChangesBody.parse(limits), id: trunkId }),
  };
}

type Setup = Awaited<ReturnType<typeof setup>>;

async function placeMany({ place }: Pick<Setup, 'place'>, count: number): Promise<number[]> {
  const callIds = [];
  for (let index = 0; index < count; index++) callIds.push((await place()).callId);
  return callIds;
}

const askAll = (about: CarrierArrangement, callIds: readonly number[]) =>
  Promise.all(callIds.map((callId) => askToDial(about, callId)));
const countAllowed = (answers: readonly DialAuthorization[]) =>
  answers.filter(({ isAllowed }) => isAllowed).length;

beforeEach(() => limitAll(database.db, {}));

describe.each(['user', 'trunk'] as const)('the limits of one %s', (scope) => {
  const limitOf = (about: Setup) => (scope === 'user' ? about.limitUser : about.limitTrunk);

  it.each([
    ['its own without one of all', undefined, 4, 4],
    ['its own, which is tighter', 9, 4, 4],
    ['that of all, which is tighter', 3, 8, 3],
    ['that of all without one of its own', 5, null, 5],
  ])('calls per day: no race exceeds %s', async (_which, ofAll, own, expected) => {
    const about = await setup();
    const callIds = await placeMany(about, 10);
    if (ofAll !== undefined) await limitAll(database.db, { [scope]: { perDay: ofAll } });
    await limitOf(about)({ max_calls_per_day: own });
    const answers = await askAll(about, callIds);
    expect(countAllowed(answers)).toBe(expected);
    const refused = answers.filter(({ isAllowed }) => !isAllowed);
    expect(refused).toHaveLength(10 - expected);
    for (const answer of refused) expect(answer).toEqual({ isAllowed: false, reason: 'daily_limit' });
  });

  it('calls per second: no more leave at once', async () => {
    const about = await setup();
    const callIds = await placeMany(about, 8);
    await limitAll(database.db, { [scope]: { perSecond: 1000 } });
    await limitOf(about)({ max_calls_per_second: 2 });
    const startedAt = performance.now();
    const answers = await askAll(about, callIds);
    // A machine that needs a second for this has had another second's calls.
    const seconds = Math.ceil((performance.now() - startedAt) / 1000);
    expect(countAllowed(answers)).toBeGreaterThanOrEqual(2);
    expect(countAllowed(answers)).toBeLessThanOrEqual(2 * seconds);
    for (const answer of answers.filter(({ isAllowed }) => !isAllowed))
      expect(answer).toMatchObject({ reason: 'wait' });
  });

  it('binds no other', async () => {
    const [limited, other] = [await setup(), await setup()];
    await limitOf(limited)({ max_calls_per_day: 0, max_cost_per_day: 0 });
    await expect(limited.place()).rejects.toMatchObject({ kind: 'invalid' });
    const [callId = 0] = await placeMany(other, 1);
    expect(await askToDial(other, callId)).toEqual({ isAllowed: true });
  });
});

describe('a change of a limit', () => {
  it('is explained to make_call, and null takes it back', async () => {
    const about = await setup();
    await about.limitUser({ max_calls_per_day: 0 });
    const fields = { phone_number: ['Your account has reached its limit of calls per day (0).'] };
    await expect(about.place()).rejects.toMatchObject({ kind: 'invalid', fields });
    await about.limitUser({ max_calls_per_day: null });
    await expect(about.place()).resolves.toBeDefined();
    await about.limitTrunk({ max_calls_per_day: 0 });
    const spent = { phone_number: ['The SIP trunk has reached its limit of calls or costs per day.'] };
    await expect(about.place()).rejects.toMatchObject({ kind: 'invalid', fields: spent });
  });

  it('wakes a campaign that waits for the next day', async () => {
    const about = await setup();
    const { ctx } = about;
    await about.limitUser({ max_calls_per_day: 0 });
    const campaignId = await makeCampaign(about);
    await makeLead(about, campaignId, { phoneNumber: nextNumber() });
    await fillCampaign(ctx, { campaignId });
    const later = await waitingJobs(ctx, 'run_campaign', { campaignId });
    await about.limitUser({ max_calls_per_day: 5 });
    expect(await waitingJobs(ctx, 'run_campaign', { campaignId })).toBe(later + 1);
    await fillCampaign(ctx, { campaignId });
    expect(await liveDials(about, campaignId)).toHaveLength(1);
  });
});

const setPrice = statement(
  '',
  `insert into prices (trunk_id, provider_id, unit, price) values ($1, $2, 'minute', $3)`,
);
const forgetPrices = statement('', 'delete from prices');
/** On the clock of the database, which costs in progress are measured by. */
const talkSince = statement(
  '',
  `update live_calls set answered_at = clock_timestamp() - $2 * interval '1 minute' where call_id = $1`,
);
const readStatus = statement<{ status: string }>('', 'select status from calls where id = $1');
const readCost = statement<{ cost: number }>(
  '',
  `select cost from dial_usage where scope = 'user' and subject_id = $1`,
);

describe('the costs of calls in progress', () => {
  async function setupPriced(price = PRICE) {
    const about = await setup();
    await database.db.query(forgetPrices);
    await database.db.query(setPrice, [about.trunkId, null, price]);
    return about;
  }

  /** A call on the carrier that has been answered for ten minutes. */
  async function talk(about: CarrierArrangement): Promise<number> {
    const callId = await makeCallOnCarrier(about);
    await database.db.query(talkSince, [callId, MINUTES]);
    return callId;
  }

  /** @returns what counts now for the user, after at least `MINUTES` and at most so many seconds more */
  async function costNow({ ctx, identity }: CarrierArrangement): Promise<number> {
    const [usage] = await readDialUsage(ctx.db, { userId: identity.userId, tokenId: null });
    return usage?.cost ?? 0;
  }

  it('are the price per minute times the time so far, in whole seconds', async () => {
    const about = await setupPriced();
    await about.limitUser({ max_cost_per_day: 1_000 });
    const startedAt = performance.now();
    await talk(about);
    const cost = await costNow(about);
    const seconds = (performance.now() - startedAt) / 1000;
    expect(cost).toBeGreaterThanOrEqual(MINUTES * PRICE);
    expect(cost).toBeLessThanOrEqual((MINUTES + (seconds + 1) / 60) * PRICE);
    expect(((cost / PRICE) * 60) % 1).toBeCloseTo(0, 3);
  });

  it('have the prices per minute of the providers, once for each', async () => {
    const about = await setupPriced();
    const providers = statement<{ id: number }>(
      '',
      `select v.provider_id as id from assistants a join voices v on v.id = a.voice_id where a.id = $1`,
    );
    const [provider] = await about.ctx.db.query(providers, [about.assistant.id]);
    await database.db.query(setPrice, [null, provider?.id ?? 0, 1]);
    await about.limitUser({ max_cost_per_day: 1_000 });
    const startedAt = performance.now();
    await talk(about);
    const cost = await costNow(about);
    const seconds = (performance.now() - startedAt) / 1000;
    expect(cost).toBeGreaterThanOrEqual(MINUTES * (PRICE + 1));
    expect(cost).toBeLessThanOrEqual((MINUTES + (seconds + 1) / 60) * (PRICE + 1));
  });

  it('allow no new call once the limit is reached, and cut none', async () => {
    const about = await setupPriced();
    const [waiting = 0, refused = 0] = await placeMany(about, 2);
    const callId = await talk(about);
    await about.limitUser({ max_cost_per_day: 1_000 });
    expect(await askToDial(about, waiting)).toEqual({ isAllowed: true });
    await about.limitUser({ max_cost_per_day: MINUTES * PRICE });
    expect(await askToDial(about, refused)).toEqual({ isAllowed: false, reason: 'daily_limit' });
    const fields = { phone_number: ['Your account has reached its limit of costs per day (20).'] };
    await expect(about.place()).rejects.toMatchObject({ kind: 'invalid', fields });
    expect(await about.ctx.db.query(readStatus, [callId])).toEqual([{ status: 'in-progress' }]);
  });

  it('on another trunk count for the user, and not for the trunk of the new call', async () => {
    const about = await setupPriced();
    const { ctx, identity } = about;
    const [refused = 0, allowed = 0] = await placeMany(about, 2);
    const other = newTrunkBody.parse({ name: 'Second', host: 'sip.other.example', priority: 60 });
    const { id: trunkId } = await addTrunk(ctx, identity, other);
    await database.db.query(setPrice, [trunkId, null, PRICE]);
    await talk({ ...about, trunkId });
    await about.limitTrunk({ max_cost_per_day: MINUTES * PRICE });
    await about.limitUser({ max_cost_per_day: MINUTES * PRICE });
    expect(await askToDial(about, refused)).toEqual({ isAllowed: false, reason: 'daily_limit' });
    await about.limitUser({ max_cost_per_day: 1_000 });
    expect(await askToDial(about, allowed)).toEqual({ isAllowed: true });
  });

  it('count for their token and their trunk, too', async () => {
    const about = await setupPriced();
    const { ctx, identity: owner, assistant } = about;
    const { id: tokenId } = await issueToken(ctx, owner, {
      name: 'Agent',
      scopes: ['read', 'call'],
      max_cost_per_day: MINUTES * PRICE,
    });
    const identity = { ...owner, tokenId };
    const callId = await talk({ ...about, identity });
    const ofToken = statement('', 'update live_calls set token_id = $2 where call_id = $1');
    await ctx.db.query(ofToken, [callId, tokenId]);
    const input = () => ({ phoneNumber: nextNumber(), assistantId: assistant.id });
    await expect(placeCall(ctx, identity, input())).rejects.toMatchObject({
      fields: { phone_number: ['This API token has reached its limit of costs per day (20).'] },
    });
    await expect(placeCall(ctx, owner, input())).resolves.toBeDefined();
    await about.limitTrunk({ max_cost_per_day: MINUTES * PRICE });
    await expect(placeCall(ctx, owner, input())).rejects.toMatchObject({
      fields: { phone_number: ['The SIP trunk has reached its limit of calls or costs per day.'] },
    });
  });

  it('count once, also while calls end and others ask to dial', async () => {
    const about = await setupPriced(LOW_PRICE);
    await about.limitUser({ max_cost_per_day: 100_000 });
    const talking: number[] = [];
    for (let index = 0; index < 4; index++) talking.push(await makeCallOnCarrier(about));
    about.clock.advance(MINUTES * 60_000);
    const waiting = await placeMany(about, 6);
    const ended = MINUTES * LOW_PRICE * talking.length;
    const read: number[] = [];
    await Promise.all([
      ...talking.map((callId) => finishCall(about.ctx, endOf(about, callId))),
      ...waiting.map(async (callId) => {
        read.push(await costNow(about));
        expect(await askToDial(about, callId)).toEqual({ isAllowed: true });
        read.push(await costNow(about));
      }),
    ]);
    // At no time does a call that ends count neither as live nor as ended.
    expect(Math.min(...read)).toBeGreaterThanOrEqual(ended);
    expect(await costNow(about)).toBe(ended);
    const [last = 0] = await placeMany(about, 1);
    expect(await askToDial(about, last)).toEqual({ isAllowed: true });
    expect(await about.ctx.db.query(readCost, [about.identity.userId])).toEqual([{ cost: ended }]);
    expect(await costNow(about)).toBe(ended);
  });
});
