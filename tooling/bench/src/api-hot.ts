/**
 * P16: endpoints of the api beside the same SQL on plain Express and ts-rest (api-floor-server.ts). Each server is a
 * separate process, both use one database, and they are measured in alternation. The figure is the processor time of the
 * Node process for each request. Rounds are short and many, because other load on the machine comes and goes within
 * seconds: this way it meets both sides.
 */
import { api as contract } from '@parley/contracts';
import type { Client } from 'pg';
import { createPostgresCpu } from './postgres-cpu.ts';
import { POOL_SIZE, type Testbed } from './api-testbed.ts';
import { measuredEndpoints, type MeasuredEndpoint } from './api-endpoints.ts';
import { planFrom } from './api-plan.rules.ts';
import type { EndpointPlan, FloorReady, FloorSetup } from './api-floor-server.ts';
import { mean, ratioOf, trimmedMean, type Ratio } from './api-ratio.rules.ts';
import { createLoadClient, type LoadClient } from './http-load.ts';
import { startMeasured, type MeasuredProcess } from './measured-process.ts';
import { quantile } from './spread.rules.ts';

/** How much is measured of each side. */
export interface HotSize {
  /** Before the measurement, on each side: the first thousands of requests are mostly compilation. */
  warmUpRequests: number;
  rounds: number;
  requestsPerRound: number;
}

/** One endpoint's figures. */
export interface HotFigures {
  name: string;
  isHot: boolean;
  /** What one request sends to Postgres, the token look-up included. */
  statements: number;
  /** Processor time of the api's Node process over that of the floor's. */
  ratio: Ratio;
  /** The same of Postgres. */
  postgresRatio: number;
  api: SideFigures;
  floor: SideFigures;
}

/** One server's figures for one request, trimmed means of the rounds. */
interface SideFigures {
  /** Processor time of the Node process, microseconds. */
  micros: number;
  /** The same of Postgres. */
  postgresMicros: number;
  /** The part of the Node process's time that garbage collection took, microseconds. */
  gcMicros: number;
  p99Ms: number;
}

/** The newest version of the measured assistant. The two requests before the end of the recording create the next ones. */
const LAST_VERSION = 9_000_000;

/** Concurrent connections, as in P16 (docs/goals.md). */
const CONNECTIONS = 16;

/** Measures every endpoint of {@link measuredEndpoints}. */
export async function measureHot(testbed: Testbed, size: HotSize): Promise<HotFigures[]> {
  // Ids and versions that appear nowhere else, so that a plan can recognise them.
  await testbed.sql.query(`select setval('call_ids', 5000000), setval('leads_id_seq', 7000000)`);
  await testbed.sql.query(
    `insert into assistant_versions (user_id, assistant_id, version, changed, replaced, created_at)
     select user_id, id, $2, '{}', '{}', now() from assistants where id = $1`,
    [testbed.assistantId, LAST_VERSION],
  );
  const endpoints = measuredEndpoints(testbed);
  const plans: Record<string, EndpointPlan> = {};
  for (const endpoint of endpoints) plans[endpoint.id] = await planOf(testbed, endpoint);
  const floor = startMeasured('tooling/bench/src/api-floor-server.ts');
  try {
    const setup: FloorSetup = { serve: { databaseUrl: testbed.databaseUrl, poolSize: POOL_SIZE, plans } };
    const { port } = await floor.exchange<FloorReady>(setup);
    const floorClient = createLoadClient(`http://127.0.0.1:${port}`, testbed.token);
    const figures: HotFigures[] = [];
    const postgresCpu = await createPostgresCpu(testbed.sql);
    for (const endpoint of endpoints) {
      const statements = plans[endpoint.id]?.statements.length ?? 0;
      figures.push(await compare(testbed, { floor, floorClient, endpoint, size, statements, postgresCpu }));
    }
    floorClient.close();
    return figures;
  } finally {
    await floor.stop();
  }
}

/** Records one request of the api, after another has warmed its caches. */
async function planOf(
  { api, client }: Testbed,
  { id, next, creates }: MeasuredEndpoint,
): Promise<EndpointPlan> {
  await client.once(next());
  await api.startRecording();
  const request = next();
  const answer = await client.once(request);
  const recorded = await api.recorded();
  const { phone_number: phoneNumber = null } = (request.body ?? {}) as { phone_number?: string };
  const statements = planFrom(recorded, {
    phoneNumber,
    id: creates ? creates.idOf(answer) : null,
    version: LAST_VERSION + 2,
  });
  if (creates && !statements.some(({ idColumn }) => idColumn !== undefined))
    throw new Error('No statement returned the id');
  return { statements, answer: checkedAnswer(id, answer) };
}

/** Both sides answer with a body that the contract allows. */
function checkedAnswer(id: string, text: string): unknown {
  const [group = '', name = ''] = id.split('.');
  const routes = contract[group as keyof typeof contract] as Record<
    string,
    { responses: Record<number, { parse(value: unknown): unknown }> }
  >;
  return routes[name]?.responses[200]?.parse(JSON.parse(text));
}

interface Comparison {
  floor: MeasuredProcess;
  floorClient: LoadClient;
  endpoint: MeasuredEndpoint;
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

async function compare(testbed: Testbed, comparison: Comparison): Promise<HotFigures> {
  const { floor, floorClient, endpoint, size, statements } = comparison;
  const api: Side = { process: testbed.api, client: testbed.client, rounds: [], times: [] };
  const other: Side = { process: floor, client: floorClient, rounds: [], times: [] };
  for (const side of [api, other]) await side.client.run(size.warmUpRequests, CONNECTIONS, endpoint.next);
  const rowsBefore = await countRows(testbed.sql, endpoint);
  for (let round = 0; round < size.rounds; round++) {
    await removeCreated(testbed.sql, endpoint);
    for (const side of round % 2 === 0 ? [api, other] : [other, api]) await measureRound(side, comparison);
  }
  await removeCreated(testbed.sql, endpoint);
  const created = (await countRows(testbed.sql, endpoint)) - rowsBefore;
  const expected = endpoint.creates ? size.rounds * size.requestsPerRound * 2 : 0;
  // Both sides must do the same work.
  if (created !== expected) throw new Error(`${endpoint.name}: ${created} rows for ${expected} requests`);
  return {
    name: endpoint.name,
    isHot: endpoint.isHot,
    statements,
    ratio: ratioOf(figureOf(api, 'micros'), figureOf(other, 'micros')),
    postgresRatio: ratioOf(figureOf(api, 'postgresMicros'), figureOf(other, 'postgresMicros')).value,
    api: figuresOf(api),
    floor: figuresOf(other),
  };
}

function figuresOf(side: Side): SideFigures {
  return {
    micros: trimmedMean(figureOf(side, 'micros')),
    postgresMicros: trimmedMean(figureOf(side, 'postgresMicros')),
    // Collections are rare: few rounds contain one, and each counts.
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

async function countRows(sql: Client, { creates }: MeasuredEndpoint): Promise<number> {
  if (!creates) return 0;
  const result = await sql.query<{ count: string }>(`select count(*) from ${creates.table}`);
  return Number(result.rows[0]?.count);
}

/** No dialer runs here: calls would stay live, and jobs would accumulate. */
async function removeCreated(sql: Client, { creates }: MeasuredEndpoint): Promise<void> {
  if (!creates) return;
  await sql.query('truncate live_calls, call_progress');
  await sql.query('truncate graphile_worker._private_jobs');
}
