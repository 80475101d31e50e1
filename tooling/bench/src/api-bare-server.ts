/**
 * What the api is compared with: nothing but `node:http` and `pg`. For each path it repeats the statements that the api
 * was seen to send for it, and answers with the rows of the last but the bookkeeping, under the headers that any server of
 * this API must send. No validation, no errors, no log.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool, type PoolClient } from 'pg';
import { ID, PHONE, UUID, type PlannedStatement, type PlannedValue } from './api-plan.rules.ts';

/** Sent once, to begin. */
export interface BareSetup {
  serve: { databaseUrl: string; poolSize: number; plans: Record<string, PlannedStatement[]> };
}

/** The answer: where it listens. */
export interface BareReady {
  port: number;
}

interface Known {
  phone: string;
  id: string;
}

type Runner = Pick<Pool | PoolClient, 'query'>;

process.on('message', (message: Partial<BareSetup>) => {
  if (message.serve) serve(message.serve);
});

// The probe lets go of the channel; until there is a server, only it keeps this process alive.
process.channel?.ref();

/** Those of `@parley/db`, which any careful server needs: limits, plans made once. What is read how is the driver's own. */
const DRIVER_SETTINGS = {
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  allowExitOnIdle: true,
  pipeline: true,
  options: '-c plan_cache_mode=force_generic_plan -c jit=off',
};

function serve({ databaseUrl, poolSize, plans }: BareSetup['serve']): void {
  const pool = new Pool({ ...DRIVER_SETTINGS, connectionString: databaseUrl, max: poolSize });
  let requests = 0;
  const server = createServer((request, response) => {
    const plan = plans[(request.url ?? '').split('?')[0] ?? ''] ?? [];
    answer(pool, plan, request).then(
      (body) =>
        response
          .writeHead(200, { ...headersOf(requests++), 'content-length': Buffer.byteLength(body) })
          .end(body),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1', () => {
    const ready: BareReady = { port: (server.address() as AddressInfo).port };
    process.send?.(ready);
  });
}

/** Id, rate limit, what browsers are told, and the type: the api's, but for their arithmetic. */
function headersOf(requests: number): Record<string, string | number> {
  return {
    'X-Request-Id': randomUUID(),
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
    'X-RateLimit-Limit': 1_000_000_000,
    'X-RateLimit-Remaining': 1_000_000_000 - requests,
    'X-RateLimit-Reset': 1_800_000_000,
    'RateLimit-Policy': '"per-token";q=1000000000;w=60',
    RateLimit: `"per-token";r=${1_000_000_000 - requests};t=60`,
    'content-type': 'application/json; charset=utf-8',
  };
}

async function answer(pool: Pool, plan: PlannedStatement[], request: IncomingMessage): Promise<string> {
  const body =
    request.method === 'GET' ? {} : (JSON.parse(await textOf(request)) as { phone_number?: string });
  const known: Known = { phone: body.phone_number ?? '', id: '' };
  const rows = plan.some(({ text }) => text === 'begin')
    ? await inOneConnection(pool, plan, known)
    : await run(pool, plan, known);
  return JSON.stringify({ id: known.id, rows });
}

/** What stands between `begin` and `commit` must; what stands before may. */
async function inOneConnection(pool: Pool, plan: PlannedStatement[], known: Known): Promise<unknown> {
  const client = await pool.connect();
  try {
    return await run(client, plan, known);
  } finally {
    client.release();
  }
}

async function run(on: Runner, plan: PlannedStatement[], known: Known): Promise<unknown> {
  let longest: unknown[] = [];
  for (const { name, text, values, idColumn } of plan) {
    const bound = values.map((value) => valueOf(value, known));
    const result = await on.query({
      ...(name === undefined ? {} : { name }),
      text,
      values: bound,
    });
    const rows = result.rows as Record<string, unknown>[];
    if (idColumn !== undefined) known.id = String(Object.values(rows[0] ?? {})[idColumn]);
    if (rows.length > longest.length) longest = rows;
  }
  return longest;
}

function valueOf(value: PlannedValue, { phone, id }: Known): unknown {
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

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
