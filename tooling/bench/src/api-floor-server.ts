/**
 * The server that P16 compares the api with: plain Express 5, `express.json()`, and the same contract mounted with
 * `@ts-rest/express`. For each endpoint it repeats the statements that the api was seen to send (the token look-up
 * included), in the same order, and answers with the body that the api gave. It checks no token and no limit, maps no
 * rows, and writes no log and no metrics: those are ours to keep cheap.
 */
import { randomInt, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { api } from '@parley/contracts';
import { createExpressEndpoints } from '@ts-rest/express';
import express from 'express';
import { Pool, type PoolClient } from 'pg';
import { ID, PHONE, UUID, VERSION, type PlannedStatement, type PlannedValue } from './api-plan.rules.ts';

/** What the server does for one endpoint. */
export interface EndpointPlan {
  statements: PlannedStatement[];
  /** The parsed body of the api's own answer. */
  answer: unknown;
}

/** The first message to the process. */
export interface FloorSetup {
  serve: {
    databaseUrl: string;
    poolSize: number;
    /** The plans by `group.name` of the contract. */
    plans: Record<string, EndpointPlan>;
  };
}

/** The answer to it, when the server listens. */
export interface FloorReady {
  port: number;
}

/** Values of the present request that statements contain. */
interface RequestValues {
  phone: string;
  /** The id of the row that was created. */
  id: string;
}

type Runner = Pick<Pool | PoolClient, 'query'>;
type Router = Parameters<typeof createExpressEndpoints<typeof api>>[1];

process.on('message', (message: Partial<FloorSetup>) => {
  if (message.serve) serve(message.serve);
});

// The probe unreferences the channel; before the server listens, nothing else keeps this process alive.
process.channel?.ref();

/** Those of `@parley/db`: time limits, and plans that are made once. Values are read by the driver's own parsers. */
const DRIVER_SETTINGS = {
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  allowExitOnIdle: true,
  pipeline: true,
  options: '-c plan_cache_mode=force_generic_plan -c jit=off',
};

function serve({ databaseUrl, poolSize, plans }: FloorSetup['serve']): void {
  const pool = new Pool({ ...DRIVER_SETTINGS, connectionString: databaseUrl, max: poolSize });
  const app = express();
  app.use(express.json());
  createExpressEndpoints(api, routerOf(pool, plans), app, { logInitialization: false });
  const server = app.listen(0, '127.0.0.1', () => {
    const ready: FloorReady = { port: (server.address() as AddressInfo).port };
    process.send?.(ready);
  });
}

/** Mounts every endpoint of the contract, so that routing costs as much as in the api. */
function routerOf(pool: Pool, plans: Record<string, EndpointPlan>): Router {
  const groups = Object.entries(api).map(([group, routes]) => {
    const handlers = Object.keys(routes).map((name) => [name, handlerOf(pool, plans[`${group}.${name}`])]);
    return [group, Object.fromEntries(handlers) as object];
  });
  return Object.fromEntries(groups) as Router;
}

function handlerOf(pool: Pool, plan: EndpointPlan | undefined) {
  return async ({ body }: { body?: { phone_number?: string } }) => {
    if (!plan) return { status: 404, body: { message: 'The benchmark does not measure this endpoint.' } };
    await runPlan(pool, plan.statements, { phone: body?.phone_number ?? '', id: '' });
    return { status: 200, body: plan.answer };
  };
}

/** A plan with a transaction runs on one connection. */
async function runPlan(pool: Pool, plan: PlannedStatement[], request: RequestValues): Promise<void> {
  if (!plan.some(({ text }) => text === 'begin')) return run(pool, plan, request);
  const client = await pool.connect();
  try {
    await run(client, plan, request);
  } finally {
    client.release();
  }
}

async function run(on: Runner, plan: PlannedStatement[], request: RequestValues): Promise<void> {
  for (const { name, text, values, idColumn } of plan) {
    const bound = values.map((value) => valueOf(value, request));
    const { rows } = await on.query<Record<string, unknown>>({
      ...(name === undefined ? {} : { name }),
      text: text.replace(VERSION, newVersion),
      values: bound,
    });
    if (idColumn !== undefined) request.id = String(Object.values(rows[0] ?? {})[idColumn]);
  }
}

/** Above the versions that the api makes, below the largest integer of Postgres. */
const newVersion = (): string => String(randomInt(100_000_000, 2_000_000_000));

function valueOf(value: PlannedValue, { phone, id }: RequestValues): unknown {
  switch (value.from) {
    case 'constant':
      return value.value;
    case 'now':
      return new Date();
    case 'text': {
      const text = value.template
        .replaceAll(PHONE, phone)
        .replaceAll(ID, id)
        .replaceAll(UUID, () => randomUUID());
      return value.isNumber ? Number(text) : text;
    }
  }
}
