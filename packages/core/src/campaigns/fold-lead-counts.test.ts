import { statement, type Tx } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange, makeUser } from '../../test/arrange.ts';
import { makeCampaign } from '../../test/arrange-campaign.ts';
import { foldLeadCounts } from './fold-lead-counts.ts';
import { listProgress } from './list-progress.ts';

const database = useTestDatabase();

const STATUSES = ['created', 'completed', 'reached-max-retries'] as const;

/** Some leads with the same result, half of them with a contact. */
const insertLeads = statement(
  '',
  `with main as (
     insert into leads (user_id, campaign_id, phone_number, variables, status, dial_state, created_at, updated_at)
     select $1, $2, '+1', '{}', $3, 'waiting', now(), now() from generate_series(1, $4::int) returning id
   )
   insert into leads (user_id, campaign_id, parent_id, phone_number, variables, status, dial_state, created_at, updated_at)
   select $1, $2, id, '+2', '{}', $3, 'waiting', now(), now() from main where id % 2 = 0`,
);
const some = (rows: number) =>
  `id in (select id from leads where user_id = $1 and id % 5 = $2::int % 5 order by id limit ${rows} for update skip locked)`;
/** The claim changes no result. */
const claimSome = statement('', `update leads set status = status, dial_state = 'dialing' where ${some(6)}`);
const settleSome = statement('', `update leads set status = $3 where ${some(5)}`);
const moveSome = statement('', `update leads set campaign_id = $3 where ${some(2)}`);
/** With their contacts, by the foreign key. */
const deleteSome = statement('', `delete from leads where ${some(3)}`);
/** A deletion takes contacts that another transaction may have changed, so that two may wait for each other until their retries end. */
const ROLLED_BACK = ['Rolled back', 'deadlock detected'];
/** The truth, counted. */
const countLeads = statement(
  '',
  `select campaign_id as id, count(*)::int as leads, (count(*) filter (where status = 'completed'))::int as completed,
     (count(*) filter (where status = 'reached-max-retries'))::int as reached
   from leads where user_id = $1 and parent_id is null group by 1 order by 1 desc`,
);
const deleteCampaign = statement('', 'delete from campaigns where id = $1');
const countsOf = statement('', 'select * from lead_counts where campaign_id = $1');
const notes = statement<{ count: number }>('', 'select count(*) as count from lead_count_changes');

async function setup() {
  const about = await arrange(database.db);
  const { userId } = about.identity;
  const campaign = await makeCampaign(about);
  const campaigns = [campaign, await makeCampaign(about), await makeCampaign(about)];
  const listed = async () =>
    (await listProgress(about.ctx, about.identity)).map(({ reached_max_retries: reached, ...same }) => ({
      ...same,
      reached,
    }));
  const counted = () => database.db.query(countLeads, [userId]);
  return { ctx: about.ctx, userId, campaign, campaigns, listed, counted };
}

/** A few changes, other ones in each turn, rolled back every fourth time. */
async function change(userId: number, campaigns: readonly number[], turn: number): Promise<void> {
  let state = turn + 1;
  const oneOf = <T>(values: readonly T[]): T => {
    state = (state * 48_271) % 2_147_483_647;
    return values[state % values.length] as T;
  };
  const changes: ((tx: Tx) => Promise<unknown>)[] = [
    (tx) => tx.query(insertLeads, [userId, oneOf(campaigns), oneOf(STATUSES), 6]),
    (tx) => tx.query(claimSome, [userId, turn]),
    (tx) => tx.query(settleSome, [userId, turn, oneOf(STATUSES)]),
    (tx) => tx.query(moveSome, [userId, turn, oneOf(campaigns)]),
    (tx) => tx.query(deleteSome, [userId, turn]),
  ];
  const work = async (tx: Tx): Promise<void> => {
    for (let count = 0; count < 4; count++) await oneOf(changes)(tx);
    if (turn % 4 === 0) throw new Error('Rolled back');
  };
  await database.db.transaction(work).catch((error: Error) => expect(ROLLED_BACK).toContain(error.message));
}

describe('the progress of all campaigns', () => {
  it('is exact while leads are written, settled, moved, deleted and rolled back, and counts folded, all at once', async () => {
    const { ctx, userId, campaigns, listed, counted } = await setup();
    const turns = Array.from({ length: 150 }, (_, turn) => turn);
    const workers = Array.from({ length: 6 }, async () => {
      for (let turn = turns.shift(); turn !== undefined; turn = turns.shift()) {
        await change(userId, campaigns, turn);
        if (turn % 10 === 0) await foldLeadCounts(ctx);
      }
    });
    await Promise.all(workers);
    expect(await counted()).toHaveLength(3);
    expect(await listed()).toEqual(await counted());
    await foldLeadCounts(ctx);
    expect(await database.db.query(notes)).toEqual([{ count: 0 }]);
    expect(await listed()).toEqual(await counted());
  });

  it('counts the leads that were there before counting began, while others are written', async () => {
    const { ctx, userId, campaigns, listed, counted } = await setup();
    for (let turn = 1; turn < 40; turn += 2) await change(userId, campaigns, turn);
    await database.db.query(statement('', 'delete from lead_counts'));
    await database.db.query(statement('', 'delete from lead_count_changes'));
    const writes = Array.from({ length: 20 }, (_, turn) => change(userId, campaigns, turn + 100));
    await Promise.all([foldLeadCounts(ctx), foldLeadCounts(ctx), foldLeadCounts(ctx), ...writes]);
    expect(await counted()).not.toEqual([]);
    expect(await listed()).toEqual(await counted());
  });

  it('forgets a campaign that is removed with its user, and the changes that its removal notes', async () => {
    const { ctx, userId, campaign, listed } = await setup();
    await database.db.query(insertLeads, [userId, campaign, 'completed', 3]);
    await foldLeadCounts(ctx);
    await database.db.query(deleteCampaign, [campaign]);
    expect(await listed()).toEqual([]);
    await foldLeadCounts(ctx);
    expect(await database.db.query(notes)).toEqual([{ count: 0 }]);
    expect(await database.db.query(countsOf, [campaign])).toEqual([]);
  });

  it('is not shown to another user', async () => {
    const { ctx, userId, campaign } = await setup();
    await database.db.query(insertLeads, [userId, campaign, 'created', 1]);
    expect(await listProgress(ctx, await makeUser(ctx))).toEqual([]);
  });
});
