/**
 * Liveness and readiness: a server for processes without an HTTP server of their own, and the checks for all processes.
 */
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Service } from './process.ts';

/** Named checks; each returns null when it passes, otherwise a description of the fault. */
export type HealthChecks = Record<string, () => Promise<string | null> | string | null>;

/** The response body of `/readyz`. */
export interface HealthReport {
  status: 'ok' | 'unavailable';
  checks: Record<string, string>;
}

/** Asks every check; one that throws counts as failed. */
export async function askHealth(checks: HealthChecks): Promise<HealthReport> {
  const answers: Record<string, string> = {};
  let isWell = true;
  for (const [name, check] of Object.entries(checks)) {
    const fault = await Promise.resolve()
      .then(check)
      .catch((error: unknown) => (error instanceof Error ? error.message : 'failed'));
    answers[name] = fault ?? 'ok';
    if (fault !== null) isWell = false;
  }
  return { status: isWell ? 'ok' : 'unavailable', checks: answers };
}

/** An HTTP server with `/livez` (the process runs) and `/readyz` (200 when all checks pass, otherwise 503). */
export function createHealthServer(options: { host: string; port: number; checks: HealthChecks }): Service & {
  address(): AddressInfo | null;
} {
  const server: Server = createServer((request, response) => {
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.url === '/livez') return answer(200, { status: 'ok' });
    if (request.url !== '/readyz') return answer(404, { message: 'Not Found' });
    askHealth(options.checks)
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
