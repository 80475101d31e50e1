/** A stranger with a whole IPv6 network (/64): every limit for network addresses counts its addresses together. */
import { once } from 'node:events';
import { TALK_PATH, WIDGET_TALK_PATH } from '@parley/contracts';
import { ManualClock } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import { CARRIER_REQUESTS_PER_MINUTE } from '../carriers/carrier-calls.ts';
import { TRPC_PATH } from '../trpc/mount.ts';
import { WIDGET_CALLS_PER_MINUTE, WIDGET_REQUESTS_PER_MINUTE } from '../widget/widget-pages.ts';

const database = useTestDatabase();
const RATE_LIMIT = 3;
/** Requests at the same time: one limit is 3,000. */
const AT_ONCE = 50;
const UUID = '5b1c3f0e-7d0d-4d33-9a53-7e8b1c9a2f10';
let live: LiveApi;

beforeAll(async () => {
  const settings = { RATE_LIMIT, TRUST_PROXY: 'loopback' };
  live = await startLiveApi({ db: database.db, core: { clock: new ManualClock() }, settings });
});

afterAll(() => live.stop());

/** The beginnings of addresses of networks that no other test uses. */
const networks = (function* () {
  for (let number = 1; ; number++) yield `2001:db8:0:${number.toString(16)}`;
})();

type Ask = (headers: Record<string, string>) => Promise<number>;

const get =
  (path: string, token: string | null = null, method = 'GET'): Ask =>
  async (headers) =>
    (await live.ask(path, { method, headers, token })).status;

/** @returns the status, 101 for a WebSocket that opened */
const open =
  (path: string): Ask =>
  async (headers) => {
    const socket = new WebSocket(live.url.replace('http', 'ws') + path, { origin: live.url, headers });
    socket.on('error', () => undefined);
    const opened = once(socket, 'open').then(() => 101);
    const refused = once(socket, 'unexpected-response') as Promise<[unknown, { statusCode: number }]>;
    const status = await Promise.race([opened, refused.then(([, { statusCode }]) => statusCode)]);
    socket.terminate();
    return status;
  };

test.each<[string, number, Ask]>([
  ['failed authentications', RATE_LIMIT, get('/api/user/me', 'parley_wrong')],
  ['unknown paths', RATE_LIMIT, get('/api/nothing')],
  ['files of the admin app', RATE_LIMIT, get('/call-files/export')],
  ['procedures without a session', RATE_LIMIT, get(`${TRPC_PATH}/session.me`)],
  ['sockets of the admin app', RATE_LIMIT, open(TRPC_PATH)],
  ['sockets of calls from a browser', RATE_LIMIT, open(`${TALK_PATH}?ticket=none`)],
  ['pages with a widget', WIDGET_REQUESTS_PER_MINUTE, get(`/widget/assistants/${UUID}`)],
  ['calls of a widget', WIDGET_CALLS_PER_MINUTE, get(`/widget/assistants/${UUID}/calls`, null, 'POST')],
  ['sockets of a widget', WIDGET_CALLS_PER_MINUTE, open(`${WIDGET_TALK_PATH}?ticket=none`)],
  ['requests of carriers', CARRIER_REQUESTS_PER_MINUTE, get('/carriers/1/calls', null, 'POST')],
])('%s', { timeout: 300_000 }, async (_what, limit, ask) => {
  const network = networks.next().value;
  const from = (address: string) => ask({ 'x-forwarded-for': address });
  for (let first = 0; first < limit; first += AT_ONCE) {
    const addresses = Array.from({ length: Math.min(AT_ONCE, limit - first) }, (_, index) => first + index);
    const statuses = addresses.map((number) => from(`${network}::${number.toString(16)}`));
    expect(await Promise.all(statuses)).not.toContain(429);
  }
  expect(await from(`${network}:1::1`)).toBe(429);
  expect(await from(`${networks.next().value}::1`)).not.toBe(429);
});
