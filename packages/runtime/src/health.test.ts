import { describe, expect, it } from 'vitest';
import { captureLog } from '@parley/testkit';
import { ManualClock, systemClock } from './clock.ts';
import { createHealthCheck, createHealthServer, type HealthChecks } from './health.ts';
import { silentLog } from './log.ts';

async function ask(checks: HealthChecks, path: string): Promise<{ status: number; body: unknown }> {
  const server = createHealthServer({
    host: '127.0.0.1',
    port: 0,
    checks,
    clock: systemClock,
    log: silentLog,
  });
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
      body: { status: 'unavailable', checks: { database: 'failed', lease: 'lost' } },
    });
    expect((await ask(checks, '/livez')).status).toBe(200);
  });
});

describe('a health check', () => {
  it('that throws is reported as failed; its error is only in the log', async () => {
    const { log, lines } = captureLog();
    const fault = new Error('password authentication failed for user "parley" at 10.0.0.5');
    const report = await createHealthCheck(
      { database: async () => Promise.reject(fault) },
      { clock: new ManualClock(), log },
    )();
    expect(report).toEqual({ status: 'unavailable', checks: { database: 'failed' } });
    expect(lines).toMatchObject([{ check: 'database', err: { message: fault.message } }]);
  });

  it('that does not answer within two seconds has failed', async () => {
    const clock = new ManualClock();
    const never = new Promise<null>(() => undefined);
    const checks: HealthChecks = { database: async () => never, lease: () => null };
    const report = createHealthCheck(checks, { clock, log: silentLog })();
    await clock.advanceAsync(2_000, 1_000);
    expect(await report).toEqual({ status: 'unavailable', checks: { database: 'failed', lease: 'ok' } });
    expect(clock.pendingTimers()).toBe(0);
  });

  it('runs once for all who ask at the same time, and again for the next', async () => {
    let runs = 0;
    const database = async (): Promise<null> => {
      runs += 1;
      await Promise.resolve();
      return null;
    };
    const askHealth = createHealthCheck({ database }, { clock: new ManualClock(), log: silentLog });
    await Promise.all(Array.from({ length: 100 }, askHealth));
    expect(runs).toBe(1);
    expect(await askHealth()).toEqual({ status: 'ok', checks: { database: 'ok' } });
    expect(runs).toBe(2);
  });
});
