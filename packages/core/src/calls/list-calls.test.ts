import { callRecord, callSummary } from '@parley/contracts';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange, endOf, makeAnsweredCall, makeAssistant, makeCall, makeUser } from '../../test/arrange.ts';
import { callsChangedSince, startOfChanges } from './calls-changed-since.ts';
import { completeCall } from '../lifecycle/complete-call.ts';
import { finishCall } from '../lifecycle/finish-call.ts';
import { listCalls, listCallSummaries, type CallFilters } from './list-calls.ts';
import { placeWebCall } from '../lifecycle/place-web-call.ts';
import { recordCallEvent } from '../lifecycle/record-call-event.ts';

const database = useTestDatabase();

/** The same call so many times more, some of them at the same instant. */
const repeatCall = statement(
  '',
  `insert into calls select (r).* from (
     select jsonb_populate_record(c, jsonb_build_object('id', nextval('call_ids'),
       'created_at', c.created_at + make_interval(secs => n / 3))) as r
     from calls c, generate_series(1, $2::int) n where c.id = $1
   ) repeated`,
);

/** The same call so many times more, over some days, with other durations, costs, numbers and ends. */
const spreadCall = statement(
  '',
  `insert into calls select (r).* from (
     select jsonb_populate_record(c, jsonb_build_object('id', nextval('call_ids'),
       'created_at', c.created_at + make_interval(hours => n / 3), 'duration_seconds', n * 37 % 50,
       'total_cost', n * 53 % 70 / 100.0, 'status', case when n % 3 = 0 then 'busy' else 'completed' end,
       'client_phone_number', '+120255501' || lpad((n % 7)::text, 2, '0'))) as r
     from calls c, generate_series(1, $2::int) n where c.id = $1
   ) spread`,
);
const selectSortable = statement<{ id: number; started: number; duration: number; cost: number }>(
  '',
  `select id, extract(epoch from created_at)::float8 as started, duration_seconds as duration,
     total_cost as cost from calls`,
);
/** As if so many calls had been counted on a day. */
const countMany = statement(
  '',
  `insert into call_day_counts (user_id, day, count) values ($1, $2, 30000)
   on conflict (user_id, day) do update set count = excluded.count`,
);

async function setup() {
  const about = await arrange(database.db);
  const { ctx, identity } = about;
  const list = (filters: Partial<CallFilters> = {}, reader = identity) =>
    listCalls(ctx, reader, { page: 1, perPage: 15, ...filters });
  const ids = async (filters: Partial<CallFilters> = {}, reader = identity) =>
    (await list(filters, reader)).rows.map((row) => row.id);
  return { ...about, list, ids };
}

describe('the list of calls', () => {
  it('has exactly the fields of the reference', async () => {
    const about = await setup();
    const callId = await makeAnsweredCall(about);
    await finishCall(about.ctx, endOf(about, callId));
    await completeCall(about.ctx, callId);
    const { rows, total } = await about.list();
    expect(callRecord.array().parse(rows)).toEqual(rows);
    expect(total).toBe(1);
    const [written] = JSON.parse(JSON.stringify(rows)) as object[];
    expect(written).not.toHaveProperty('campaign_name');
    expect(written).not.toHaveProperty('recording_url');
    expect(rows[0]).toMatchObject({ carrier_cost: 0, total_cost: 0, created_at: '2026-01-01 00:00:00' });
    const summaries = await listCallSummaries(about.ctx, about.identity, { page: 1, perPage: 15 });
    expect(summaries).toEqual({
      rows: [{ ...rows[0], outcome: 'talked', disposition: null }],
      total: 1,
      isSorted: true,
    });
    expect(callSummary.array().parse(summaries.rows)).toEqual(summaries.rows);
  });

  it('pages newest first, to an empty page past the end', async () => {
    const about = await setup();
    const made: number[] = [];
    for (let calls = 0; calls < 5; calls++) {
      made.unshift(await makeCall(about));
      if (calls % 2) about.clock.advance(1000);
    }
    expect(await about.ids({ perPage: 2, page: 1 })).toEqual(made.slice(0, 2));
    expect(await about.ids({ perPage: 2, page: 3 })).toEqual(made.slice(4));
    expect(await about.list({ perPage: 2, page: 4 })).toEqual({ rows: [], total: 5 });
  });

  it('has the same order wherever a page lies, from whichever end it was read', async () => {
    const about = await setup();
    await database.db.query(repeatCall, [await makeCall(about), 2499]);
    const pages = Array.from({ length: 26 }, (_, page) => about.ids({ perPage: 100, page: page + 1 }));
    const ids = (await Promise.all(pages)).flat();
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(new Set(ids).size).toBe(2500);
    expect(await about.ids({ perPage: 99, page: 26 })).toEqual(ids.slice(25 * 99));
    expect(await about.ids({ perPage: 99, page: 25, type: 'outbound' })).toEqual(ids.slice(24 * 99, 25 * 99));
    expect(await about.list({ perPage: 100, page: 26 })).toEqual({ rows: [], total: 2500 });
  });

  it('is filtered by each of its parameters, and by several', async () => {
    const about = await setup();
    const { ctx, identity, clock } = about;
    const outbound = await makeCall(about, '+12025550188');
    clock.advance(24 * 3_600_000);
    const other = await makeAssistant(ctx, identity);
    const { callId: web } = await placeWebCall(ctx, identity, { assistantId: other.id });
    await recordCallEvent(ctx, { callId: outbound, event: 'busy', at: new Date(clock.now()) });
    const { ids } = about;
    expect(await ids({ status: 'busy' })).toEqual([outbound]);
    expect(await ids({ type: 'web' })).toEqual([web]);
    expect(await ids({ outcome: 'busy' })).toEqual([outbound]);
    expect(await ids({ outcome: 'busy', phoneNumber: '0188' })).toEqual([outbound]);
    expect(await ids({ outcome: 'talked' })).toEqual([]);
    expect(await ids({ phoneNumber: '+1 (202) 555-0188' })).toEqual([outbound]);
    expect(await ids({ phoneNumber: '+12025550189' })).toEqual([]);
    expect(await ids({ phoneNumber: '+1202555018' })).toEqual([outbound]);
    expect(await ids({ phoneNumber: '555 01' })).toEqual([outbound]);
    expect(await ids({ phoneNumber: '+1202' })).toEqual([outbound]);
    expect(await ids({ phoneNumber: '(0188', type: 'outbound', dateTo: '2026-01-01' })).toEqual([outbound]);
    expect(await ids({ phoneNumber: '0189' })).toEqual([]);
    expect(await ids({ assistantId: other.id })).toEqual([web]);
    expect(await ids({ campaignId: 1 })).toEqual([]);
    expect(await ids({ dateFrom: '2026-01-02' })).toEqual([web]);
    expect(await ids({ dateTo: '2026-01-01' })).toEqual([outbound]);
    expect(await ids({ dateFrom: '2026-01-01', dateTo: '2026-01-02', type: 'outbound' })).toEqual([outbound]);
    expect((await about.list({ status: 'busy', type: 'web' })).total).toBe(0);
  });

  it('is sorted in each order, with the pages of a filter in one sequence', async () => {
    const about = await setup();
    await database.db.query(spreadCall, [await makeCall(about), 250]);
    const all = await database.db.query(selectSortable);
    const orders = (['started', 'duration', 'cost'] as const).flatMap((by) =>
      [true, false].map((isAscending) => ({ by, isAscending })),
    );
    for (const filters of [
      {},
      { status: 'busy' },
      { dateFrom: '2026-01-02' },
      { phoneNumber: '0101' },
    ] as const)
      for (const order of orders) {
        const pages = [1, 2, 3, 4].map((page) =>
          listCallSummaries(about.ctx, about.identity, { page, perPage: 70, ...filters }, order),
        );
        const found = (await Promise.all(pages)).flatMap(({ rows }) => rows);
        const expected = all.filter(({ id }) => found.some((row) => row.id === id));
        expected.sort((a, b) => (order.isAscending ? 1 : -1) * (a[order.by] - b[order.by] || a.id - b.id));
        expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
        expect(found.length, JSON.stringify(filters)).toBe((await about.list(filters)).total);
      }
  });

  it('is not sorted by duration over more calls than can be read quickly, and says so', async () => {
    const about = await setup();
    await database.db.query(spreadCall, [await makeCall(about), 99]);
    await database.db.query(countMany, [about.identity.userId, '2026-01-02']);
    const byDuration = { by: 'duration', isAscending: false } as const;
    const sorted = (filters: Partial<CallFilters>) =>
      listCallSummaries(about.ctx, about.identity, { page: 1, perPage: 15, ...filters }, byDuration);
    const everything = await sorted({});
    expect(everything.isSorted).toBe(false);
    expect(everything.rows.map(({ id }) => id)).toEqual(await about.ids());
    // Few calls are busy, but they lie on days with many calls.
    expect((await sorted({ status: 'busy' })).isSorted).toBe(false);
    expect((await sorted({ dateTo: '2026-01-01' })).isSorted).toBe(true);
    expect((await sorted({ phoneNumber: '0101' })).isSorted).toBe(true);
    expect(await sorted({ page: 99, dateTo: '2026-01-01' })).toMatchObject({ rows: [], isSorted: true });
  });

  it("days and times are the user's", async () => {
    const about = await setup();
    const callId = await makeCall(about);
    const inNewYork = { ...about.identity, timezone: 'America/New_York' };
    expect((await about.list({}, inNewYork)).rows[0]?.created_at).toBe('2025-12-31 19:00:00');
    expect(await about.ids({ dateTo: '2025-12-31' }, inNewYork)).toEqual([callId]);
    expect(await about.ids({ dateFrom: '2026-01-01' }, inNewYork)).toEqual([]);
  });

  it("shows only the user's own calls", async () => {
    const about = await setup();
    await makeCall(about);
    expect(await about.list({}, await makeUser(about.ctx))).toEqual({ rows: [], total: 0 });
  });
});

describe('the feed of changes', () => {
  it('shows each change once, as the call is then', async () => {
    const about = await setup();
    const { ctx, identity } = about;
    const before = await makeCall(about);
    let cursor = await startOfChanges(ctx);
    const read = async () => {
      const result = await callsChangedSince(ctx, { userId: identity.userId, timezone: 'UTC', cursor });
      cursor = result.cursor;
      return result.rows.map((row) => [row.id, row.status]);
    };
    expect(await read()).toEqual([]);
    const callId = await makeAnsweredCall(about);
    expect(await read()).toEqual([[callId, 'in-progress']]);
    expect(await read()).toEqual([]);
    await recordCallEvent(ctx, { callId: before, event: 'busy', at: new Date(0) });
    await finishCall(ctx, endOf(about, callId));
    expect(await read()).toEqual([
      [before, 'busy'],
      [callId, 'completed'],
    ]);
    expect(await read()).toEqual([]);
  });

  it("shows only the user's own calls", async () => {
    const about = await setup();
    const stranger = await makeUser(about.ctx);
    const cursor = await startOfChanges(about.ctx);
    await makeCall(about);
    const { rows } = await callsChangedSince(about.ctx, { userId: stranger.userId, timezone: 'UTC', cursor });
    expect(rows).toEqual([]);
  });
});
