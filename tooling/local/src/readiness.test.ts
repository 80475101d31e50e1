import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@parley/runtime';
import { afterEach, expect, test } from 'vitest';
import { waitUntilReady } from './readiness.ts';

const undo: (() => unknown)[] = [];
afterEach(() => {
  for (const step of undo.splice(0)) step();
});

/** A process whose `/readyz` answers with these statuses, the last one for ever. */
async function setup(statuses: number[]): Promise<string> {
  const server = createServer((_, response) => {
    const status = statuses.length > 1 ? statuses.shift() : statuses[0];
    response.writeHead(status ?? 500).end('database: away');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  undo.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const PATIENT = { limitMs: 20_000, clock: systemClock, signal: new AbortController().signal };

test('waiting ends when all are ready', async () => {
  const urls = { api: await setup([503, 503, 200]), worker: await setup([200]) };
  expect(await waitUntilReady({ ...PATIENT, urls })).toEqual({});
});

test('a process that is not ready in time is named with its response', async () => {
  const urls = { api: await setup([200]), worker: await setup([503]), voice: 'http://127.0.0.1:1' };
  expect(await waitUntilReady({ ...PATIENT, urls, limitMs: 100 })).toEqual({
    worker: 'database: away',
    voice: 'does not answer yet',
  });
});

test('waiting can be given up', async () => {
  const urls = { voice: 'http://127.0.0.1:1' };
  expect(await waitUntilReady({ ...PATIENT, urls, signal: AbortSignal.abort() })).toHaveProperty('voice');
});
