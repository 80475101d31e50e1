/**
 * The hot endpoints beside the same SQL on bare `node:http` and `pg`: both in processes of their own, on one database, in
 * turns. What counts is the processor time of the Node process for each request; that of Postgres is the same for both.
 */
import type { Client } from 'pg';
import { POOL_SIZE, type Ground } from './api-ground.ts';
import { planFrom, type PlannedStatement } from './api-plan.rules.ts';
import type { BareReady, BareSetup } from './api-bare-server.ts';
import { createLoadClient, median, percentile, type LoadClient, type LoadRequest } from './http-load.ts';
import { startMeasured, type MeasuredProcess } from './measured-process.ts';

/** How much is measured. */
export interface HotSize {
  rounds: number;
  requestsPerRound: number;
}

/** One endpoint's figures. */
export interface HotFigures {
  name: string;
  /** What one request sends to Postgres, the token check included. */
  statements: number;
  /** Processor time of one request, microseconds, median of the rounds. */
  apiMicros: number;
  bareMicros: number;
  ratio: number;
  /** Of the api, milliseconds. */
  p99Ms: number;
}

interface HotEndpoint {
  name: string;
  path: string;
  next: () => LoadRequest;
  /** What it makes: in which table, and where the answer has the id. Absent: nothing. */
  makes?: { table: string; idOf: (answer: string) => number };
}

/** So many at a time, as in GOALS.md, P16. */
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
    for (const endpoint of endpoints)
      figures.push(
        await compare(ground, {
          bare,
          bareClient,
          endpoint,
          size,
          statements: plans[endpoint.path]?.length ?? 0,
        }),
      );
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
      path: '/api/user/me',
      next: () => ({ method: 'GET', path: '/api/user/me' }),
    },
    {
      name: 'calls list, first page',
      path: '/api/user/calls',
      next: () => ({ method: 'GET', path: '/api/user/calls?per_page=15' }),
    },
    {
      name: 'make_call',
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
}

async function compare(
  ground: Ground,
  { bare, bareClient, endpoint, size, statements }: Comparison,
): Promise<HotFigures> {
  const api = { process: ground.api, client: ground.client, micros: [] as number[], times: [] as number[] };
  const other = { process: bare, client: bareClient, micros: [] as number[], times: [] as number[] };
  // The first round of each is for the compiler.
  for (let round = 0; round <= size.rounds; round++) {
    const sides = round % 2 === 0 ? [api, other] : [other, api];
    for (const side of sides) {
      const rowsBefore = await rowsOf(ground.sql, endpoint);
      const before = await side.process.figures();
      const times = await side.client.run(size.requestsPerRound, CONNECTIONS, endpoint.next);
      const after = await side.process.figures();
      const made = (await rowsOf(ground.sql, endpoint)) - rowsBefore;
      if (endpoint.makes && made !== size.requestsPerRound) {
        throw new Error(`${endpoint.name}: ${made} rows for ${size.requestsPerRound} requests`);
      }
      if (round === 0) continue;
      side.micros.push((after.cpuMicros - before.cpuMicros) / size.requestsPerRound);
      side.times.push(...times);
    }
    if (endpoint.makes) await endCalls(ground.sql);
  }
  const [apiMicros, bareMicros] = [median(api.micros), median(other.micros)];
  const p99Ms = percentile(
    api.times.toSorted((a, b) => a - b),
    0.99,
  );
  return { name: endpoint.name, statements, apiMicros, bareMicros, ratio: apiMicros / bareMicros, p99Ms };
}

/** Both sides must do the same work: so many rows there are of what it makes. */
async function rowsOf(sql: Client, { makes }: HotEndpoint): Promise<number> {
  if (!makes) return 0;
  const result = await sql.query<{ count: string }>(`select count(*) from ${makes.table}`);
  return Number(result.rows[0]?.count);
}

/** Nobody dials here: calls would stay live, and jobs pile up. */
async function endCalls(sql: Client): Promise<void> {
  await sql.query('truncate live_calls');
  await sql.query('truncate graphile_worker._private_jobs');
}
