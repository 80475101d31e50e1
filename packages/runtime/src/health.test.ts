import { describe, expect, it } from 'vitest';
import { createHealthServer, type HealthChecks } from './health.ts';

async function ask(checks: HealthChecks, path: string): Promise<{ status: number; body: unknown }> {
  const server = createHealthServer({ host: '127.0.0.1', port: 0, checks });
  await server.start();
  const response = await fetch(`http://127.0.0.1:${server.address()?.port}${path}`);
  const body: unknown = await response.json();
  await server.stop();
  await server.stop();
  return { status: response.status, body };
}

describe('the health server', () => {
  it('is ready when every check answers null', async () => {
    expect(await ask({ database: () => null }, '/readyz')).toEqual({
      status: 200,
      body: { status: 'ok', checks: { database: 'ok' } },
    });
  });

  it('is alive but not ready while a check fails or throws', async () => {
    const checks: HealthChecks = {
      database: () => Promise.reject(new Error('connection refused')),
      lease: () => 'lost',
    };
    expect(await ask(checks, '/readyz')).toEqual({
      status: 503,
      body: { status: 'unavailable', checks: { database: 'connection refused', lease: 'lost' } },
    });
    expect((await ask(checks, '/livez')).status).toBe(200);
  });
});
