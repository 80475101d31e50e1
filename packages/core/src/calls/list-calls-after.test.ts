import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange, makeCall, makeUser, type Arrangement } from '../../test/arrange.ts';
import { callsAfterSql } from './calls-after-sql.ts';
import type { FilterName } from './calls-page-sql.ts';
import { listCalls, listCallsAfter, type CallConditions, type CallPosition } from './list-calls.ts';

const database = useTestDatabase();

/** Spreads 400 calls, 300 µs or a few hours apart: every third is busy, and the first ten and the last ten failed. */
const spreadCall = statement(
  '',
  `insert into calls select (r).* from (
     select jsonb_populate_record(c, jsonb_build_object('id', nextval('call_ids'),
       'created_at', c.created_at - make_interval(hours => n / 4 * 7) + make_interval(secs => n % 4 * 0.0003),
       'status', case when n <= 10 or n > 390 then 'failed' when n % 3 = 0 then 'busy' else 'completed' end,
       'ended_reason', 'hangup', 'type', case when n % 5 = 0 then 'web' else 'outbound' end,
       'client_phone_number', '+120255501' || lpad((n % 50)::text, 2, '0'))) as r
     from calls c, generate_series(1, 400) n where c.id = $1
   ) spread`,
);

async function setup() {
  const about = await arrange(database.db);
  const { ctx, identity } = about;
  const page = (filters: CallConditions, after: CallPosition | null, perPage: number) =>
    listCallsAfter(ctx, identity, filters, { after, perPage });
  /** The ids of all calls, read to the end. */
  const walk = async (filters: CallConditions, perPage: number) => {
    const ids: number[] = [];
    let after: CallPosition | null = null;
    do {
      const { rows, next } = await page(filters, after, perPage);
      ids.push(...rows.map(({ id }) => id));
      after = next;
    } while (after);
    return ids;
  };
  return { ...about, page, walk };
}

describe('the list of calls by cursor', () => {
  it('has the same calls in the same order as the pages, with each filter and several', async () => {
    const about = await setup();
    await database.db.query(spreadCall, [await makeCall(about)]);
    const filters: CallConditions[] = [
      {},
      { status: 'busy' },
      { status: 'failed' },
      { status: 'initiated' },
      { status: 'ringing' },
      { type: 'web', status: 'failed' },
      { outcome: 'busy' },
      { assistantId: about.assistant.id },
      { campaignId: 5 },
      { phoneNumber: '+1 202 555 0107' },
      { phoneNumber: '0107', status: 'busy' },
      { dateFrom: '2025-12-10', dateTo: '2025-12-20' },
      { status: 'failed', dateTo: '2025-12-29' },
      { status: 'failed', dateFrom: '2025-12-31' },
    ];
    for (const filter of filters) {
      const pages = [1, 2, 3, 4, 5].map((page) =>
        listCalls(about.ctx, about.identity, { ...filter, page, perPage: 100 }),
      );
      const expected = (await Promise.all(pages)).flatMap(({ rows }) => rows.map(({ id }) => id));
      expect(await about.walk(filter, 100), JSON.stringify(filter)).toEqual(expected);
      expect(await about.walk(filter, 7), JSON.stringify(filter)).toEqual(expected);
    }
  });

  it('misses and repeats nothing while calls are added and removed', async () => {
    const about = await setup();
    const made: number[] = [];
    for (let calls = 0; calls < 5; calls++) made.unshift(await makeCall(about));
    const first = await about.page({}, null, 2);
    expect(first.rows.map(({ id }) => id)).toEqual(made.slice(0, 2));
    await makeCall(about);
    await database.db.query(statement('', 'delete from calls where id = $1'), [made[1] ?? 0]);
    const second = await about.page({}, first.next, 2);
    expect(second.rows.map(({ id }) => id)).toEqual(made.slice(2, 4));
    const last = await about.page({}, second.next, 2);
    expect(last).toMatchObject({ rows: [{ id: made[4] }], next: null });
  });

  it('ends with a full page where no call follows', async () => {
    const about = await setup();
    for (let calls = 0; calls < 4; calls++) await makeCall(about);
    const { next } = await about.page({}, null, 2);
    expect((await about.page({}, next, 2)).next).toBeNull();
  });

  it("shows only the user's own calls", async () => {
    const about = await setup();
    await makeCall(about);
    const stranger = await makeUser(about.ctx);
    const found = await listCallsAfter(about.ctx, stranger, {}, { after: null, perPage: 5 });
    expect(found).toEqual({ rows: [], next: null });
  });

  it('reads only the calls of a page, also deep in the list and with a filter that few calls pass', async () => {
    const about = await setup();
    const first = await makeCall(about);
    for (let times = 0; times < 20; times++) await database.db.query(spreadCall, [first]);
    await database.db.query(statement('', 'analyze calls, call_counts, call_count_changes'));
    const deep = (await about.page({}, null, 4000)).next ?? [0, 0];
    const read = {
      anyStatus: await rowsRead(about, [], deep),
      frequent: await rowsRead(about, ['status'], deep, 'busy'),
      absent: await rowsRead(about, ['status'], deep, 'ringing'),
    };
    // Of 8001 calls, 240 on a day.
    expect(Math.max(...Object.values(read)), JSON.stringify(read)).toBeLessThan(600);
    expect(Math.min(...Object.values(read)), JSON.stringify(read)).toBeGreaterThan(0);
  });
});

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** How many rows of calls the statement reads from the tables and indexes of calls for a page of 15. */
async function rowsRead(
  { ctx, identity }: Arrangement,
  given: FilterName[],
  [createdUs, id]: CallPosition,
  ...values: string[]
): Promise<number> {
  const explain = statement<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    '',
    `explain (analyze, format json) ${callsAfterSql(given).text}`,
  );
  const bound = [identity.userId, 'UTC', 16, createdUs, ...values, id];
  const [row] = await ctx.db.query(explain, bound);
  const plan = Object.values(row ?? {})[0]?.[0].Plan;
  return plan ? rowsOf(plan) : Number.NaN;
}

function rowsOf(node: PlanNode): number {
  const isOfCalls = (node['Relation Name'] ?? '').startsWith('calls_');
  const own = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  return (node.Plans ?? []).reduce((sum, part) => sum + rowsOf(part), isOfCalls ? own : 0);
}
