/** The lists over many rows: every filter of the calls list on its first and last page, and the leads as one stream. */
import type { Testbed } from './api-testbed.ts';
import { createPostgresCpu } from './postgres-cpu.ts';
import { seedLeads } from './api-seed.ts';
import { median, percentile } from './http-load.ts';
import { pause, systemClock } from '@parley/runtime';

/** One list's figures. */
export interface ListFigures {
  name: string;
  total: number;
  medianMs: number;
  p99Ms: number;
  /** Processor time of the api and Postgres together, one request: what a busy machine does not stretch. */
  cpuMs: number;
}

/** The figures of a user who has a million of all the calls. */
export interface DepthFigures {
  calls: number;
  firstPageMs: number;
  deepPageMs: number;
  /** The total alone, in Postgres. */
  totalMs: number;
}

/** The stream's figures. */
export interface StreamFigures {
  leads: number;
  /** The second of two readings, milliseconds. */
  durationMs: number;
  /** What the process grew by while it streamed. */
  grownMegabytes: number;
  longestStallMs: number;
}

/** Every page is asked for so often. */
const REPEATS = 20;

/** @param withPairs - also every two filters together */
export async function measureLists(
  { client, assistantId, api, sql }: Testbed,
  withPairs: boolean,
): Promise<ListFigures[]> {
  const postgresCpu = await createPostgresCpu(sql);
  const cpuMicros = async (): Promise<number> => (await api.figures()).cpuMicros + (await postgresCpu());
  const day = (daysAgo: number): string =>
    new Date(systemClock.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const filters = [
    'status=busy',
    'type=inbound',
    'phone_number=%2B12125550007',
    `assistant_id=${assistantId + 1}`,
    'campaign_id=2',
    `date_from=${day(30)}`,
    `date_to=${day(300)}`,
  ];
  const pairs = withPairs
    ? filters.flatMap((one, at) => filters.slice(at + 1).map((two) => `${one}&${two}`))
    : [];
  const figures: ListFigures[] = [];
  for (const filter of ['', ...filters, ...pairs]) {
    const first = `/api/user/calls?${filter}&per_page=15`;
    const { last_page: lastPage, total } = JSON.parse(await client.once({ method: 'GET', path: first })) as {
      last_page: number;
      total: number;
    };
    for (const page of [1, lastPage]) {
      const path = `${first}&page=${page}`;
      const before = await cpuMicros();
      const times = await client.run(REPEATS, 1, () => ({ method: 'GET', path }));
      const cpuMs = ((await cpuMicros()) - before) / REPEATS / 1000;
      const name = `${filter || 'no filter'}, ${page === 1 ? 'first' : 'last'} page`;
      figures.push({
        name,
        total,
        medianMs: percentile(times, 0.5),
        p99Ms: percentile(times, 0.99),
        cpuMs,
      });
    }
  }
  return figures;
}

/** Deep in the middle of a million calls. */
const DEEP_PAGE = 66_000;

const COUNT_CALLS = {
  name: 'bench_count_calls',
  text: `select (select coalesce(sum(count), 0) from call_day_counts where user_id = $1)
    + (select coalesce(sum(change), 0) from call_count_changes where user_id = $1)
    + (select count(*) from calls where user_id = $1
       and status in ('initiated', 'ringing', 'in-progress', 'ended', 'ended_by_customer', 'ended_by_assistant'))`,
};

/** Medians of the first page, of a deep one, and of the exact total, with the calls of other users in the table. */
export async function measureDepth({ client, sql, userId }: Testbed, calls: number): Promise<DepthFigures> {
  const pageMs = async (page: number): Promise<number> => {
    const path = `/api/user/calls?per_page=15&page=${page}`;
    await client.once({ method: 'GET', path });
    return percentile(await client.run(REPEATS, 1, () => ({ method: 'GET', path })), 0.5);
  };
  const totals: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const startedAt = systemClock.monotonic();
    await sql.query({ ...COUNT_CALLS, values: [userId] });
    totals.push(systemClock.monotonic() - startedAt);
  }
  return {
    calls,
    firstPageMs: await pageMs(1),
    deepPageMs: await pageMs(DEEP_PAGE),
    totalMs: median(totals),
  };
}

/** @param sizes - numbers of leads, ascending */
export async function measureStream(testbed: Testbed, sizes: readonly number[]): Promise<StreamFigures[]> {
  const { api, userId, campaignId, sql } = testbed;
  await sql.query('delete from leads');
  const figures: StreamFigures[] = [];
  let there = 0;
  for (const leads of sizes) {
    await seedLeads(sql, { userId, campaignId, from: there + 1, until: leads });
    there = leads;
    const { rssBytes: before } = await api.figures();
    const watching = { isOver: false, peak: before };
    const watched = watchMemory(testbed, watching);
    // The first reading grows the memory, the second shows the speed.
    await drain(testbed);
    await api.resetStalls();
    const startedAt = systemClock.monotonic();
    await drain(testbed);
    const durationMs = systemClock.monotonic() - startedAt;
    watching.isOver = true;
    await watched;
    const { longestStallMs } = await api.figures();
    const grownMegabytes = (watching.peak - before) / 2 ** 20;
    figures.push({ leads, durationMs, grownMegabytes, longestStallMs });
  }
  return figures;
}

/** Reads the whole list and keeps none of it. */
async function drain({ client, token }: Testbed): Promise<void> {
  const response = await fetch(client.url + '/api/user/leads', {
    headers: { authorization: `Bearer ${token}` },
  });
  if (response.status !== 200 || !response.body) throw new Error(`The leads answered ${response.status}`);
  for await (const chunk of response.body) void chunk;
}

async function watchMemory({ api }: Testbed, watching: { isOver: boolean; peak: number }): Promise<void> {
  while (!watching.isOver) {
    const { rssBytes } = await api.figures();
    watching.peak = Math.max(watching.peak, rssBytes);
    await pause(systemClock, 25);
  }
}
