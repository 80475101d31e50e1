import { randomUUID } from 'node:crypto';
import { statement } from '@parley/db';
import { createTestDatabase, useTestDatabase } from '@parley/testkit';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { arrangeWebhooks, answered } from '../../test/arrange-webhooks.ts';
import { claimDeliveries, findNextRetry, type DueDelivery } from './claim-deliveries.ts';
import { recordDeliveryAttempts } from './record-delivery-attempts.ts';

const database = useTestDatabase();

const removeAll = statement('', 'delete from deliveries');
beforeEach(() => database.db.query(removeAll));

/** Deliveries of calls that do not exist, to a receiver `$3`, each due a moment after the one before. */
const insertMany = statement(
  '',
  `insert into deliveries (id, call_id, call_created_at, user_id, assistant_id, event, target, url, origin, payload,
     status, stage, next_attempt_at, created_at)
   select gen_random_uuid(), nextval('call_ids'), $5, $1, $2, 'call.finished', 'post-call', $3, $3,
     '{}', 'pending', 'due', $5::timestamptz + n * interval '1 millisecond', $5
   from generate_series(1, $4::int) n`,
);

async function setup(db = database.db) {
  const about = await arrangeWebhooks(db);
  const { ctx, clock, identity, assistant } = about;
  const add = (receiver: string, count: number) =>
    ctx.db.query(insertMany, [
      identity.userId,
      assistant.id,
      `https://${receiver}.test`,
      count,
      new Date(clock.now()),
    ]);
  const claim = (options: { count?: number; perReceiver?: number; claimer?: string } = {}) =>
    claimDeliveries(ctx, { claimer: 'one', count: 100, perReceiver: 20, ...options });
  const answer = (claimed: readonly DueDelivery[], claimer = 'one') =>
    recordDeliveryAttempts(
      ctx,
      claimer,
      claimed.map((delivery) => ({
        delivery,
        at: new Date(clock.now()),
        durationMs: 1,
        outcome: answered(200),
      })),
    );
  return { ...about, add, claim, answer };
}

const countBy = (claimed: readonly DueDelivery[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { url } of claimed) counts[new URL(url).hostname] = (counts[new URL(url).hostname] ?? 0) + 1;
  return counts;
};

describe('claims', () => {
  it.each([
    ['operator', false],
    ['member', true],
  ] as const)('of the webhooks of one %s are for public addresses only: %s', async (role, isPublicOnly) => {
    const { add, claim, identity } = await setup();
    const setRole = statement('', 'update users set role = $2 where id = $1');
    await database.db.query(setRole, [identity.userId, role]);
    await add('one', 1);
    expect(await claim()).toMatchObject([{ isPublicOnly }]);
  });

  it('give no receiver more than its part, however many wait for it', async () => {
    const { add, claim } = await setup();
    await add('many', 10_000);
    await add('few', 3);
    expect(countBy(await claim())).toEqual({ 'many.test': 20, 'few.test': 3 });
    expect(await claim()).toEqual([]);
  });

  it('of several workers share the part of a receiver, also when they come at once', async () => {
    const { add, claim } = await setup();
    await add('many', 100);
    const workers = Array.from({ length: 8 }, (_, index) => claim({ claimer: `worker ${index}` }));
    const claimed = (await Promise.all(workers)).flat();
    expect(claimed).toHaveLength(20);
    expect(new Set(claimed.map(({ id }) => id)).size).toBe(20);
  });

  it('go on as soon as answers are written down', async () => {
    const { add, claim, answer } = await setup();
    await add('many', 50);
    const first = await claim();
    await answer(first.slice(0, 5));
    expect(await claim()).toHaveLength(5);
  });

  it('take what has been due longest when not all can be claimed', async () => {
    const { add, claim, clock } = await setup();
    await add('a-later', 5);
    clock.advance(-10_000);
    await add('z-earlier', 5);
    clock.advance(20_000);
    expect(countBy(await claim({ count: 6 }))).toEqual({ 'z-earlier.test': 5, 'a-later.test': 1 });
  });

  it('give a slow receiver two slots until it has answered', async () => {
    const { add, claim, answer, clock } = await setup();
    await add('slow', 100);
    const stuck = await claim();
    clock.advance(1_001);
    await answer(stuck.slice(0, 18));
    expect(await claim()).toHaveLength(0);
    await answer(stuck.slice(18, 19));
    expect(await claim()).toHaveLength(1);
    await answer(stuck.slice(19));
    expect(await claim()).toHaveLength(19);
  });

  it('cost the same with 50,000 webhooks waiting for a receiver that hangs', async () => {
    // One that was used before has pages of removed rows.
    const fresh = await createTestDatabase();
    onTestFinished(() => fresh.drop());
    const { add, claim, ctx } = await setup(fresh.db);
    const readBlocks = async (): Promise<number> => {
      await add('quick', 1);
      const explain = statement<{ 'QUERY PLAN': unknown }>(
        `test_explain_${randomUUID()}`,
        `explain (analyze, buffers, format json) select * from parley_claim_deliveries('one', '${new Date(ctx.clock.now() + 60_000).toISOString()}', 100, 20, '1 second', 2)`,
      );
      const [row] = await ctx.db.query(explain);
      const [{ Plan: plan }] = Object.values(row ?? {})[0] as [{ Plan: Record<string, number> }];
      return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
    };
    // Planning reads pages too: after the statistics have changed, also when Postgres renews them in the background.
    const readLeast = async () => Math.min(await readBlocks(), await readBlocks(), await readBlocks());
    await add('hanging', 100);
    await claim();
    const few = await readLeast();
    await add('hanging', 50_000);
    await ctx.db.query(statement('', 'analyze deliveries'));
    const many = await readLeast();
    expect(many).toBeLessThan(few * 3 + 200);
  });
});

describe('what a call tells later', () => {
  it('waits until its previous deliveries have been delivered or have failed', async () => {
    const { ctx, clock, claim, answer, announce } = await setup();
    const id = await announce();
    const insertEarlier = statement(
      '',
      `insert into deliveries (id, call_id, call_created_at, user_id, assistant_id, event, target, url, origin, payload,
         status, stage, next_attempt_at, created_at)
       select gen_random_uuid(), call_id, call_created_at, user_id, assistant_id, 'call.incoming', target, url, origin,
         '{}', 'pending', 'due', $2, created_at - interval '1 second' from deliveries where id = $1`,
    );
    await ctx.db.query(insertEarlier, [id, new Date(clock.now())]);
    const first = await claim();
    expect(first).toMatchObject([{ event: 'call.incoming' }]);
    expect(await claim()).toEqual([]);
    await answer(first);
    expect(await claim()).toMatchObject([{ id, event: 'call.finished' }]);
  });
});

describe('the next retry', () => {
  it('is known while one waits', async () => {
    const { ctx, announce, attempt, row } = await setup();
    expect(await findNextRetry(ctx)).toBeNull();
    const id = await announce();
    expect(await findNextRetry(ctx)).toBeNull();
    await attempt(id, answered(500));
    expect(await findNextRetry(ctx)).toEqual((await row(id)).nextAttemptAt);
  });
});
