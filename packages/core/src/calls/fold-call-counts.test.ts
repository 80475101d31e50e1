import { callOutcomes, callStatuses, callTypes } from '@parley/contracts';
import { statement, type Tx } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { makeContext, makeUser } from '../../test/arrange.ts';
import { countOutcomes } from './count-outcomes.ts';
import { callPhase } from './call-state.rules.ts';
import { foldCallCounts } from './fold-call-counts.ts';
import { listCalls, type CallFilters } from './list-calls.ts';

const database = useTestDatabase();

const insertCalls = statement(
  '',
  `insert into calls (id, created_at, user_id, assistant_id, assistant_name, campaign_id, type, status,
     assistant_phone_number, client_phone_number, configuration, changed_at, updated_at)
   select nextval('call_ids'), timestamptz '2026-01-01' + $2 * interval '7 hours' + n * interval '1 hour', $1, 1 + n % 2,
     'A', nullif(n % 3, 0), $3, $4, '', '', '{}', now(), now()
   from generate_series(1, $5::int) n`,
);
const settleSome = statement(
  '',
  `update calls set status = $3, ended_reason = $4, answered_by = 'human' where id in (
     select id from calls where user_id = $1 and id % 3 = $2::int % 3 and status not in ('completed', 'failed')
     order by id limit 5 for update skip locked)`,
);
const moveSome = statement(
  '',
  `update calls set campaign_id = 7, assistant_id = 9, answered_by = 'machine' where id in (
     select id from calls where user_id = $1 and id % 5 = $2::int % 5 order by id limit 2 for update skip locked)`,
);
const deleteSome = statement(
  '',
  `delete from calls where id in (
     select id from calls where user_id = $1 and id % 7 = $2::int % 7 order by id limit 2 for update skip locked)`,
);
const countedNow = statement<{ count: number }>(
  '',
  `select coalesce((select sum(count) from call_counts where user_id = $1), 0)
     + coalesce((select sum(change) from call_count_changes where user_id = $1), 0) as count`,
);
const notes = statement<{ count: number }>('', 'select count(*) as count from call_count_changes');

/** The truth, counted. */
const countWhere = (condition: string) =>
  statement<{ count: number }>('', `select count(*) as count from calls where user_id = $1 and ${condition}`);

const outcomeIs = (outcome: string) =>
  `parley_call_outcome(status, ended_reason, answered_by) = '${outcome}'`;

async function setup() {
  const { ctx } = makeContext(database.db);
  const identity = await makeUser(ctx);
  const total = async (filters: Partial<CallFilters>, timezone = 'UTC') =>
    (await listCalls(ctx, { ...identity, timezone }, { page: 1, perPage: 15, ...filters })).total;
  const counted = async (condition: string) =>
    (await database.db.query(countWhere(condition), [identity.userId]))[0]?.count;
  return { ctx, identity, total, counted };
}

/** One of a few changes, rolled back every fourth time. */
async function change(userId: number, turn: number): Promise<void> {
  const status = callStatuses[turn % callStatuses.length] ?? 'busy';
  const type = callTypes[turn % callTypes.length] ?? 'web';
  const work = async (tx: Tx): Promise<void> => {
    await tx.query(insertCalls, [userId, turn, type, status, 3]);
    await tx.query(settleSome, [
      userId,
      turn,
      turn % 2 ? 'completed' : 'failed',
      turn % 4 === 3 ? 'process_lost' : null,
    ]);
    if (turn % 3 === 0) await tx.query(moveSome, [userId, turn]);
    if (turn % 2 === 0) await tx.query(deleteSome, [userId, turn]);
    if (turn % 4 === 0) throw new Error('Rolled back');
  };
  await database.db.transaction(work).catch((error: Error) => expect(error.message).toBe('Rolled back'));
}

describe('totals of the calls list', () => {
  it('are exact while calls are written, settled, changed, deleted and rolled back, and counts folded, all at once', async () => {
    const { ctx, identity, total, counted } = await setup();
    const turns = Array.from({ length: 120 }, (_, turn) => turn);
    const workers = Array.from({ length: 6 }, async () => {
      for (let turn = turns.shift(); turn !== undefined; turn = turns.shift()) {
        await change(identity.userId, turn);
        if (turn % 10 === 0) await foldCallCounts(ctx);
      }
    });
    await Promise.all(workers);
    const check = async () => {
      expect(await total({})).toBe(await counted('true'));
      expect(await total({ assistantId: 9, type: 'web' })).toBe(
        await counted(`assistant_id = 9 and type = 'web'`),
      );
      expect(await total({ campaignId: 1 })).toBe(await counted('campaign_id = 1'));
      for (const status of callStatuses)
        expect(await total({ status })).toBe(await counted(`status = '${status}'`));
      for (const outcome of callOutcomes)
        expect(await total({ outcome })).toBe(await counted(outcomeIs(outcome)));
      expect(await total({ outcome: 'our_fault' })).toBeGreaterThan(0);
      const ofCampaign = await countOutcomes(database.db, { userId: identity.userId, campaignId: 7 });
      expect(Object.keys(ofCampaign)).not.toEqual([]);
      for (const outcome of callOutcomes)
        expect(ofCampaign[outcome] ?? 0).toBe(await counted(`campaign_id = 7 and ${outcomeIs(outcome)}`));
      // Half an hour off UTC's days.
      const days = `created_at >= '2026-01-05 00:00+05:30' and created_at < '2026-01-20 00:00+05:30'`;
      const filters = { dateFrom: '2026-01-05', dateTo: '2026-01-19' };
      expect(await total(filters, 'Asia/Kolkata')).toBe(await counted(days));
      const oneDay = { dateFrom: '2026-01-09', dateTo: '2026-01-09', status: 'failed' as const };
      expect(await total(oneDay, 'Asia/Kolkata')).toBe(
        await counted(`created_at >= '2026-01-09 00:00+05:30' and created_at < '2026-01-10 00:00+05:30'
          and status = 'failed'`),
      );
    };
    await check();
    await foldCallCounts(ctx);
    expect(await database.db.query(notes)).toEqual([{ count: 0 }]);
    await check();
  });

  it('count the states that are final, and no others', async () => {
    const { identity } = await setup();
    for (const status of callStatuses)
      await database.db.query(insertCalls, [identity.userId, 1, 'web', status, 1]);
    const final = callStatuses.filter((status) => callPhase(status) === 'final').length;
    expect(await database.db.query(countedNow, [identity.userId])).toEqual([{ count: final }]);
  });

  it('can be counted anew, for calls that were there before', async () => {
    const { identity, total } = await setup();
    await database.db.query(insertCalls, [identity.userId, 1, 'web', 'busy', 4]);
    await database.db.query(statement('', 'delete from call_count_changes'));
    expect(await total({})).toBe(0);
    await database.db.query(statement('', 'select parley_recount_calls()'));
    expect(await total({})).toBe(4);
  });
});
