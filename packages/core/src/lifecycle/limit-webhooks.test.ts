/** Webhooks about limits that are nearly or wholly used up: once a day each, in races and after kills, and to whom. */
import {
  limitReachedPayload,
  limitWarningPayload,
  trunkChangesBody,
  userChangesBody,
} from '@parley/contracts';
import { statement, type DeliveryRow } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { arrangeCarrier, makeCallOnCarrier, type CarrierArrangement } from '../../test/arrange-carrier.ts';
import { limitAll } from '../../test/arrange-dial-limits.ts';
import { askToDial } from '../../test/arrange-campaign.ts';
import { CLAIMER, claimDelivery, intendFor, makeContext, makeUser } from '../../test/arrange.ts';
import { changeUserAccount } from '../accounts/user-accounts.ts';
import type { CoreContext } from '../context.ts';
import { reportReachedCosts } from '../outbox/report-limits.ts';
import { changeTrunk } from '../trunks/trunks.ts';
import { revealWebhookSecret } from '../users/find-user.ts';
import { issueToken } from '../users/own-tokens.ts';
import { recordDeliveryAttempts } from '../webhooks/record-delivery-attempts.ts';
import { resendDelivery } from '../webhooks/resend-delivery.ts';
import { findDelivery, listDeliveries } from '../webhooks/list-deliveries.ts';
import { webhookHeaders } from '../webhooks/sign-webhook.ts';
import { authorizeDial } from './authorize-dial.ts';
import { placeCall } from './place-call.ts';

const database = useTestDatabase();
let numbers = 0;
/** A number in Germany that no other call has. */
const nextNumber = () => `+4915100${String(500_000 + numbers++)}`;
const URL_OF_LIMITS = 'https://limits.test/hook';

const selectDeliveries = statement<DeliveryRow>(
  '',
  `select * from deliveries where target = 'limit' order by created_at, event desc`,
);
const clear = ['deliveries', 'dial_warnings', 'dial_usage', 'dial_costs', 'live_calls', 'prices'].map(
  (table) => statement(`test_clear_${table}`, `delete from ${table}`),
);
const countWarnings = statement<{ count: number }>('', 'select count(*) as count from dial_warnings');

beforeEach(async () => {
  await limitAll(database.db, {});
  for (const each of clear) await database.db.query(each);
  await database.db.query(statement('', 'update users set limit_webhook_url = null'));
});

async function setup(limits: Record<string, unknown> = {}) {
  const about = await arrangeCarrier(database.db);
  const { ctx, identity, assistant } = about;
  const limit = (changes: Record<string, unknown>) =>
    changeUserAccount(ctx, identity, { ...userChangesBody.parse(changes), id: identity.userId });
  const place = async (by = identity) =>
    (await placeCall(ctx, by, { phoneNumber: nextNumber(), assistantId: assistant.id })).callId;
  const placeMany = async (count: number) => {
    const callIds = [];
    for (let index = 0; index < count; index++) callIds.push(await place());
    return callIds;
  };
  await limit({ limit_webhook_url: URL_OF_LIMITS, ...limits });
  return { ...about, limit, place, placeMany };
}

async function events(): Promise<string[]> {
  return (await database.db.query(selectDeliveries)).map(({ event }) => event).toSorted();
}

const BOTH = ['limit.reached', 'limit.warning'];

describe('a webhook about a limit', () => {
  it('is sent at 80 % and at the limit, without names and phone numbers', async () => {
    const about = await setup();
    const callIds = await about.placeMany(5);
    await about.limit({ max_calls_per_day: 5 });
    const seen = [];
    for (const callId of callIds) {
      await askToDial(about, callId);
      seen.push((await events()).length);
    }
    expect(seen).toEqual([0, 0, 0, 1, 2]);
    const [warning, reached] = await database.db.query(selectDeliveries);
    const facts = { scope: 'user', scope_id: about.identity.userId, user_id: about.identity.userId };
    const limit = { ...facts, measure: 'calls_per_day', limit: 5 };
    expect(limitWarningPayload.parse(warning?.payload)).toMatchObject({ ...limit, used: 4 });
    expect(limitReachedPayload.parse(reached?.payload)).toMatchObject({ ...limit, used: 5 });
    expect(warning).toMatchObject({ url: URL_OF_LIMITS, userId: about.identity.userId, callId: null });
  });

  it('is sent once, however many calls of several processes reach the limit at once', async () => {
    const about = await setup();
    const callIds = await about.placeMany(12);
    await about.limit({ max_calls_per_day: 5, max_calls_per_second: 1000 });
    const others = [makeContext(database.db).ctx, makeContext(database.db).ctx, about.ctx];
    await Promise.all(
      callIds.map((callId, index) => askToDial({ ...about, ctx: others[index % 3] ?? about.ctx }, callId)),
    );
    expect(await events()).toEqual(BOTH);
  });

  it('is sent again on the next day', async () => {
    const about = await setup();
    const [first = 0, second = 0] = await about.placeMany(2);
    await about.limit({ max_calls_per_day: 1 });
    await askToDial(about, first);
    expect(await events()).toEqual(BOTH);
    for (const table of ['dial_usage', 'dial_warnings'])
      await database.db.query(statement(`test_pass_day_${table}`, `update ${table} set day = day - 1`));
    await askToDial(about, second);
    expect(await events()).toEqual([...BOTH, ...BOTH].toSorted());
  });

  it('is written with the dial or not at all, wherever the process is killed', async () => {
    const about = await setup();
    await about.limit({ max_calls_per_day: 1 });
    const callId = await about.place();
    await intendFor(about.ctx, callId, about.fence);
    let kills = 0;
    while (!(await dialUntil(about, callId, kills))) {
      kills += 1;
      expect(await events()).toEqual([]);
      expect(await database.db.query(countWarnings)).toEqual([{ count: 0 }]);
    }
    expect(kills).toBeGreaterThan(8);
    expect(await events()).toEqual(BOTH);
  });

  it('is not sent without an address, and not to a disabled user', async () => {
    const about = await setup({ limit_webhook_url: null });
    const [first = 0, second = 0] = await about.placeMany(2);
    await about.limit({ max_calls_per_day: 1 });
    await askToDial(about, first);
    expect(await events()).toEqual([]);
    expect(await database.db.query(countWarnings)).toEqual([{ count: 2 }]);
    // The warnings of the day were given already.
    await about.limit({ limit_webhook_url: URL_OF_LIMITS });
    await askToDial(about, second);
    expect(await events()).toEqual([]);
  });
});

/** Dials until the process is killed before its statement number `statements`. @returns whether it came to its end */
async function dialUntil(
  { ctx, fence }: CarrierArrangement,
  callId: number,
  statements: number,
): Promise<boolean> {
  let left = statements;
  const transaction: CoreContext['db']['transaction'] = (work) =>
    ctx.db.transaction((tx) => {
      const killed = Object.create(tx) as typeof tx;
      killed.query = async (...input) => {
        if (left-- <= 0) throw new Error('killed');
        return tx.query(...input);
      };
      return work(killed);
    });
  try {
    const db = Object.assign(Object.create(ctx.db) as typeof ctx.db, { transaction });
    const answer = await authorizeDial({ ...ctx, db }, { callId, fence });
    expect(answer).toEqual({ isAllowed: true });
    return true;
  } catch (error) {
    if (error instanceof Error && error.message === 'killed') return false;
    throw error;
  }
}

describe('costs that calls reach after their dial', () => {
  const talkSince = statement(
    '',
    `update live_calls set answered_at = clock_timestamp() - interval '10 minutes' where call_id = $1`,
  );
  const setPrice = statement('', `insert into prices (trunk_id, unit, price) values ($1, 'minute', 2)`);

  it('are reported by the sweep, once in several workers', async () => {
    const about = await setup();
    await database.db.query(setPrice, [about.trunkId]);
    await database.db.query(talkSince, [await makeCallOnCarrier(about)]);
    await reportReachedCosts(about.ctx);
    expect(await events()).toEqual([]);
    await about.limit({ max_cost_per_day: 24 });
    await Promise.all([about.ctx, makeContext(database.db).ctx].map(reportReachedCosts));
    expect(await events()).toEqual(['limit.warning']);
    await about.limit({ max_cost_per_day: 20 });
    await Promise.all([about.ctx, makeContext(database.db).ctx].map(reportReachedCosts));
    expect(await events()).toEqual(BOTH);
    await reportReachedCosts(about.ctx);
    expect(await events()).toEqual(BOTH);
  });

  it('are reported while dials report the same', async () => {
    const about = await setup({ max_cost_per_day: 24 });
    const callIds = await about.placeMany(5);
    await database.db.query(setPrice, [about.trunkId]);
    await database.db.query(talkSince, [await makeCallOnCarrier(about)]);
    await Promise.all([
      ...callIds.map((callId) => askToDial(about, callId)),
      reportReachedCosts(about.ctx),
      reportReachedCosts(makeContext(database.db).ctx),
    ]);
    expect(await events()).toEqual(['limit.warning']);
  });
});

describe('the receiver', () => {
  const receivers = async () =>
    (await database.db.query(selectDeliveries)).map(({ event, userId }) => [event, userId]);

  it('of a token’s limit is its user', async () => {
    const about = await setup();
    const { id: tokenId } = await issueToken(about.ctx, about.identity, {
      name: '+4915112345678',
      scopes: ['read', 'call'],
      max_calls_per_day: 1,
    });
    await askToDial(about, await about.place({ ...about.identity, tokenId }));
    const { userId } = about.identity;
    expect(await receivers()).toEqual([
      ['limit.warning', userId],
      ['limit.reached', userId],
    ]);
    const [{ payload } = { payload: {} }] = await database.db.query(selectDeliveries);
    expect(payload).toMatchObject({ scope: 'token', scope_id: tokenId, user_id: userId });
    expect(JSON.stringify(payload)).not.toContain('4915112345678');
  });

  it('of a trunk’s limit is its owner, and of a shared trunk every operator', async () => {
    const about = await setup();
    const { ctx, identity, trunkId } = about;
    const other = await makeUser(ctx);
    const address = userChangesBody.parse({ limit_webhook_url: 'https://other.test/hook' });
    await changeUserAccount(ctx, identity, { ...address, id: other.userId });
    await changeTrunk(ctx, identity, { ...trunkChangesBody.parse({ max_calls_per_day: 1 }), id: trunkId });
    await askToDial(about, await about.place());
    expect(await receivers()).toEqual([
      ['limit.warning', identity.userId],
      ['limit.reached', identity.userId],
    ]);
    for (const each of clear) await database.db.query(each);
    await ctx.db.query(statement('', 'update trunks set user_id = null where id = $1'), [trunkId]);
    await askToDial(about, await about.place());
    const sent = await database.db.query(selectDeliveries);
    expect(new Set(sent.map(({ userId }) => userId))).toEqual(new Set([identity.userId, other.userId]));
    expect(sent).toHaveLength(4);
    expect(sent[0]?.payload).toMatchObject({ scope: 'trunk', scope_id: trunkId, user_id: null });
  });
});

describe('the delivery', () => {
  async function setupDelivery() {
    const about = await setup();
    const callId = await about.place();
    await about.limit({ max_calls_per_day: 1 });
    await askToDial(about, callId);
    const [delivery] = await database.db.query(selectDeliveries);
    return { ...about, id: delivery?.id ?? '' };
  }
  const statuses = async () =>
    (await database.db.query(selectDeliveries)).map(({ status, reason }) => [status, reason]);

  it('is signed with the secret of the user, listed, and sent again', async () => {
    const { ctx, clock, identity, id } = await setupDelivery();
    const due = await claimDelivery(ctx, id);
    if (!due) throw new Error('It is not due');
    const secret = await revealWebhookSecret(ctx, identity.userId);
    const at = new Date(clock.now());
    expect(due.headers).toMatchObject(webhookHeaders({ id, body: due.body, at }, [secret]));
    const outcome = { status: 200, headers: {}, body: 'ok' };
    await recordDeliveryAttempts(ctx, CLAIMER, [{ delivery: due, at, durationMs: 1, outcome }]);
    const filters = { page: 1, perPage: 10, event: due.event };
    const { rows } = await listDeliveries(ctx, identity, filters);
    expect(rows).toMatchObject([{ id, call_id: null, target: 'limit', status: 'delivered' }]);
    expect((await resendDelivery(ctx, identity, id)).status).toBe('pending');
    expect((await findDelivery(ctx, identity, id)).attempts).toHaveLength(1);
  });

  it('to a member reaches public addresses only', async () => {
    const { ctx, identity, id } = await setupDelivery();
    await ctx.db.query(statement('', `update users set role = 'member' where id = $1`), [identity.userId]);
    expect(await claimDelivery(ctx, id)).toMatchObject({ isPublicOnly: true });
  });

  it('ends when the address is removed, and by the answer 410, which removes it', async () => {
    const first = await setupDelivery();
    await first.limit({ limit_webhook_url: null });
    const off = ['disabled', 'switched_off'];
    expect(await statuses()).toEqual([off, off]);
    await expect(resendDelivery(first.ctx, first.identity, first.id)).rejects.toMatchObject({
      kind: 'conflict',
    });
    for (const each of clear) await database.db.query(each);
    const { ctx, clock, identity, id, limit } = await setupDelivery();
    const due = await claimDelivery(ctx, id);
    if (!due) throw new Error('It is not due');
    const outcome = { status: 410, headers: {}, body: '' };
    const attempt = { delivery: due, at: new Date(clock.now()), durationMs: 1, outcome };
    await recordDeliveryAttempts(ctx, CLAIMER, [attempt]);
    expect((await limit({})).limit_webhook_url).toBeNull();
    expect(await statuses()).toEqual([
      ['disabled', 'gone'],
      ['disabled', 'switched_off'],
    ]);
    expect((await findDelivery(ctx, identity, id)).reason).toBe('gone');
  });
});
