/**
 * The hot endpoints beside the same SQL on bare `node:http` and `pg`: both in processes of their own, on one database, in
 * turns. What counts is the processor time of the Node process for each request; that of Postgres is the same for both.
 * Rounds are short and many, because what else a machine does comes and goes in seconds: so it meets both sides.
 */
import type { Client } from 'pg';
import { createPostgresCpu } from './postgres-cpu.ts';
import { POOL_SIZE, type Ground } from './api-ground.ts';
import { planFrom, type PlannedStatement } from './api-plan.rules.ts';
import type { BareReady, BareSetup } from './api-bare-server.ts';
import { mean, ratioOf, trimmedMean, type Ratio } from './api-ratio.rules.ts';
import { createLoadClient, type LoadClient, type LoadRequest } from './http-load.ts';
import { startMeasured, type MeasuredProcess } from './measured-process.ts';
import { quantile } from './spread.rules.ts';

/** How much is measured of each side. */
export interface HotSize {
  /** Before anything is measured, on each side. A server's first thousands of requests are mostly compiling. */
  warmUpRequests: number;
  rounds: number;
  requestsPerRound: number;
}

/** One endpoint's figures. */
export interface HotFigures {
  name: string;
  /** The goal: 1.3 where calls and leads pass by the thousand, 5 for all else. */
  maxRatio: number;
  /** What one request sends to Postgres, the token check included. */
  statements: number;
  /** Processor time of the api's Node over that of bare Node. */
  ratio: Ratio;
  /** The same of Postgres. */
  postgresRatio: number;
  api: SideFigures;
  /** Also how fast this machine is: a p99 that both share is nobody's fault. */
  bare: SideFigures;
}

/** One server's figures for one request, trimmed means of the rounds. */
interface SideFigures {
  /** Processor time of the Node process, microseconds. */
  micros: number;
  /** The same of Postgres. */
  postgresMicros: number;
  /** What of the Node process's time went into collecting garbage, microseconds. */
  gcMicros: number;
  p99Ms: number;
}

interface HotEndpoint {
  name: string;
  maxRatio: number;
  path: string;
  next: () => LoadRequest;
  /** What it makes: in which table, and where the answer has the id. Absent: nothing. */
  makes?: { table: string; idOf: (answer: string) => number };
}

const MAX_HOT_RATIO = 1.3;
const MAX_OTHER_RATIO = 5;
/** Concurrent connections, as in P16 (docs/goals.md). */
const CONNECTIONS = 16;

/** Measures every hot endpoint. */
export async function measureHot(ground: Ground, size: HotSize): Promise<HotFigures[]> {
  // Ids of calls and leads that stand nowhere by chance, so that a plan knows them when it sees them.
  await ground.sql.query(`select setval('call_ids', 5000000), setval('leads_id_seq', 7000000)`);
  const endpoints = hotEndpoints(ground);
  const plans: Record<string, PlannedStatement[]> = {};
  for (const endpoint of endpoints) plans[endpoint.path] = await planOf(ground, endpoint);
  const bare = startMeasured('tooling/bench/src/api-bare-server.ts');
  try {
    const setup: BareSetup = { serve: { databaseUrl: ground.databaseUrl, poolSize: POOL_SIZE, plans } };
    const { port } = await bare.exchange<BareReady>(setup);
    const bareClient = createLoadClient(`http://127.0.0.1:${port}`, ground.token);
    const figures: HotFigures[] = [];
    const postgresCpu = await createPostgresCpu(ground.sql);
    for (const endpoint of endpoints) {
      const statements = plans[endpoint.path]?.length ?? 0;
      figures.push(await compare(ground, { bare, bareClient, endpoint, size, statements, postgresCpu }));
    }
    bareClient.close();
    return figures;
  } finally {
    await bare.stop();
  }
}

function hotEndpoints({ assistantId, campaignId }: Ground): HotEndpoint[] {
  const phoneNumber = phoneNumbers();
  const callId = (answer: string): number => (JSON.parse(answer) as { call_id: number }).call_id;
  const leadId = (answer: string): number => (JSON.parse(answer) as { data: { id: number } }).data.id;
  return [
    {
      name: 'token check (GET me)',
      maxRatio: MAX_OTHER_RATIO,
      path: '/api/user/me',
      next: () => ({ method: 'GET', path: '/api/user/me' }),
    },
    {
      name: 'calls list, first page',
      maxRatio: MAX_HOT_RATIO,
      path: '/api/user/calls',
      next: () => ({ method: 'GET', path: '/api/user/calls?per_page=15' }),
    },
    {
      name: 'make_call',
      maxRatio: MAX_HOT_RATIO,
      path: '/api/user/make_call',
      makes: { table: 'calls', idOf: callId },
      next: () => ({
        method: 'POST',
        path: '/api/user/make_call',
        body: { phone_number: phoneNumber(), assistant_id: assistantId, variables: { customer_name: 'Ada' } },
      }),
    },
    {
      name: 'lead create',
      maxRatio: MAX_HOT_RATIO,
      path: '/api/user/lead',
      makes: { table: 'leads', idOf: leadId },
      next: () => ({
        method: 'POST',
        path: '/api/user/lead',
        body: { phone_number: phoneNumber(), campaign_id: campaignId, variables: { customer_name: 'Ada' } },
      }),
    },
  ];
}

/** Numbers that belong to nobody, 80,000 different ones. */
function phoneNumbers(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `+1${200 + (Math.floor(count / 100) % 800)}55501${String(count % 100).padStart(2, '0')}`;
  };
}

/** Watches one request of the api, after another has prepared everything. */
async function planOf({ api, client }: Ground, { next, makes }: HotEndpoint): Promise<PlannedStatement[]> {
  await client.once(next());
  await api.startRecording();
  const request = next();
  const answer = await client.once(request);
  const statements = await api.recorded();
  const { phone_number: phoneNumber = null } = (request.body ?? {}) as { phone_number?: string };
  const plan = planFrom(statements, { phoneNumber, id: makes ? makes.idOf(answer) : null });
  if (makes && !plan.some(({ idColumn }) => idColumn !== undefined))
    throw new Error('No statement gave the id');
  return plan;
}

interface Comparison {
  bare: MeasuredProcess;
  bareClient: LoadClient;
  endpoint: HotEndpoint;
  size: HotSize;
  statements: number;
  postgresCpu: () => Promise<number>;
}

interface Side {
  process: MeasuredProcess;
  client: LoadClient;
  /** One figure for each round. */
  rounds: { micros: number; postgresMicros: number; gcMicros: number }[];
  times: number[];
}

async function compare(ground: Ground, comparison: Comparison): Promise<HotFigures> {
  const { bare, bareClient, endpoint, size, statements } = comparison;
  const api: Side = { process: ground.api, client: ground.client, rounds: [], times: [] };
  const other: Side = { process: bare, client: bareClient, rounds: [], times: [] };
  for (const side of [api, other]) await side.client.run(size.warmUpRequests, CONNECTIONS, endpoint.next);
  const rowsBefore = await rowsOf(ground.sql, endpoint);
  for (let round = 0; round < size.rounds; round++) {
    await tidy(ground.sql, endpoint);
    for (const side of round % 2 === 0 ? [api, other] : [other, api]) await measureRound(side, comparison);
  }
  await tidy(ground.sql, endpoint);
  const made = (await rowsOf(ground.sql, endpoint)) - rowsBefore;
  const wanted = endpoint.makes ? size.rounds * size.requestsPerRound * 2 : 0;
  // Both sides must do the same work.
  if (made !== wanted) throw new Error(`${endpoint.name}: ${made} rows for ${wanted} requests`);
  return {
    name: endpoint.name,
    maxRatio: endpoint.maxRatio,
    statements,
    ratio: ratioOf(figureOf(api, 'micros'), figureOf(other, 'micros')),
    postgresRatio: ratioOf(figureOf(api, 'postgresMicros'), figureOf(other, 'postgresMicros')).value,
    api: figuresOf(api),
    bare: figuresOf(other),
  };
}

function figuresOf(side: Side): SideFigures {
  return {
    micros: trimmedMean(figureOf(side, 'micros')),
    postgresMicros: trimmedMean(figureOf(side, 'postgresMicros')),
    // Collections are rare: hardly a round has one, and each counts.
    gcMicros: mean(figureOf(side, 'gcMicros')),
    p99Ms: quantile(side.times, 0.99),
  };
}

/** Round by round. */
function figureOf({ rounds }: Side, figure: keyof Side['rounds'][number]): number[] {
  return rounds.map((round) => round[figure]);
}

async function measureRound(side: Side, { endpoint, size, postgresCpu }: Comparison): Promise<void> {
  const { requestsPerRound } = size;
  const [before, postgresBefore] = [await side.process.figures(), await postgresCpu()];
  const times = await side.client.run(requestsPerRound, CONNECTIONS, endpoint.next);
  const [after, postgresAfter] = [await side.process.figures(), await postgresCpu()];
  side.rounds.push({
    micros: (after.cpuMicros - before.cpuMicros) / requestsPerRound,
    postgresMicros: (postgresAfter - postgresBefore) / requestsPerRound,
    gcMicros: (after.gcMicros - before.gcMicros) / requestsPerRound,
  });
  side.times.push(...times);
}

/** So many there are of what it makes. */
async function rowsOf(sql: Client, { makes }: HotEndpoint): Promise<number> {
  if (!makes) return 0;
  const result = await sql.query<{ count: string }>(`select count(*) from ${makes.table}`);
  return Number(result.rows[0]?.count);
}

/** Nobody dials here: calls would stay live, and jobs pile up. */
async function tidy(sql: Client, { makes }: HotEndpoint): Promise<void> {
  if (!makes) return;
  await sql.query('truncate live_calls');
  await sql.query('truncate graphile_worker._private_jobs');
}
