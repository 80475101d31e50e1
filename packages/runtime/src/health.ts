/**
 * Liveness and readiness: a server for processes without another HTTP server, and the checks for all processes.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Clock } from './clock.ts';
import { withDeadline } from './deadline.ts';
import { createLimitedServer } from './limited-server.ts';
import type { Log } from './log.ts';
import type { Service } from './process.ts';

/** Named checks; each returns null when it passes, otherwise a description of the fault. */
export type HealthChecks = Record<string, () => Promise<string | null> | string | null>;

/** The response body of `/readyz`. */
export interface HealthReport {
  status: 'ok' | 'unavailable';
  checks: Record<string, string>;
}

/** What checks need of their process. */
export interface HealthContext {
  clock: Clock;
  log: Log;
}

/** A check that takes longer has failed, milliseconds: clients of the readiness check have short timeouts. */
const CHECK_LIMIT_MS = 2_000;

/**
 * A function that runs every check. A check that throws or takes too long has failed; its error goes to the log and not into
 * the report, because it may name hosts and accounts, and `/readyz` needs no authentication. A request that arrives while the checks run
 * gets their result: strangers can ask at any rate, and each round takes a connection to the database.
 */
export function createHealthCheck(checks: HealthChecks, context: HealthContext): () => Promise<HealthReport> {
  let running: Promise<HealthReport> | null = null;
  return () => {
    running ??= runChecks(checks, context).finally(() => {
      running = null;
    });
    return running;
  };
}

async function runChecks(checks: HealthChecks, context: HealthContext): Promise<HealthReport> {
  const named = Object.entries(checks);
  const faults = await Promise.all(named.map(([name, check]) => runCheck(name, check, context)));
  return {
    status: faults.every((fault) => fault === null) ? 'ok' : 'unavailable',
    checks: Object.fromEntries(named.map(([name], at) => [name, faults[at] ?? 'ok'])),
  };
}

async function runCheck(
  name: string,
  check: HealthChecks[string],
  { clock, log }: HealthContext,
): Promise<string | null> {
  try {
    return await withDeadline(clock, CHECK_LIMIT_MS, Promise.resolve().then(check));
  } catch (error) {
    log.warn({ err: error, check: name }, 'A health check failed');
    return 'failed';
  }
}

/** Where the server listens, and what it checks. */
export interface HealthServerOptions extends HealthContext {
  host: string;
  port: number;
  checks: HealthChecks;
}

/** An HTTP server with `/livez` (the process runs) and `/readyz` (200 when all checks pass, otherwise 503). */
export function createHealthServer(options: HealthServerOptions): Service & {
  address(): AddressInfo | null;
} {
  const askHealth = createHealthCheck(options.checks, options);
  const server = createLimitedServer((request, response) => {
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.url === '/livez') return answer(200, { status: 'ok' });
    if (request.url !== '/readyz') return answer(404, { message: 'Not Found' });
    askHealth()
      .then((report) => answer(report.status === 'ok' ? 200 : 503, report))
      .catch(() => response.destroy());
  });
  return {
    async start() {
      server.listen(options.port, options.host);
      await once(server, 'listening');
    },
    async stop() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
    address: () => server.address() as AddressInfo | null,
  };
}
