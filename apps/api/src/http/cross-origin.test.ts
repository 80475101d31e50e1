import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';

const database = useTestDatabase();
const PAGE = 'https://crm.example';
let closed: LiveApi;
let named: LiveApi;
let open: LiveApi;

beforeAll(async () => {
  closed = await startLiveApi({ db: database.db });
  named = await startLiveApi({ db: database.db, settings: { CORS_ORIGINS: [PAGE, 'https://b.example'] } });
  open = await startLiveApi({ db: database.db, settings: { CORS_ORIGINS: ['*'] } });
});

afterAll(() => Promise.all([closed, named, open].map((live) => live.stop())));

const PREFLIGHT = { 'Access-Control-Request-Method': 'POST' };
const send = (live: LiveApi, path: string, options: { method?: string; origin: string; headers?: object }) =>
  fetch(`${live.url}${path}`, {
    method: options.method ?? 'GET',
    headers: { Origin: options.origin, ...options.headers },
  });
const allowed = ({ headers }: Response) => headers.get('access-control-allow-origin');

test('without the setting, no other origin is allowed', async () => {
  const answer = await send(closed, '/api/user/me', { origin: PAGE });
  expect([answer.status, allowed(answer)]).toEqual([401, null]);
  const preflight = await send(closed, '/api/user/me', {
    method: 'OPTIONS',
    origin: PAGE,
    headers: PREFLIGHT,
  });
  expect([preflight.status, allowed(preflight)]).toEqual([405, null]);
});

test('an origin of the list may read answers and their headers, errors included', async () => {
  const answer = await send(named, '/api/user/me', { origin: PAGE });
  expect([answer.status, allowed(answer)]).toEqual([401, PAGE]);
  expect(answer.headers.get('vary')).toContain('Origin');
  expect(answer.headers.get('access-control-expose-headers')).toContain('Retry-After');
});

test('a preflight request names methods and headers, and needs no token', async () => {
  const answer = await send(named, '/api/user/make_call', {
    method: 'OPTIONS',
    origin: PAGE,
    headers: PREFLIGHT,
  });
  expect([answer.status, allowed(answer)]).toEqual([204, PAGE]);
  expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
  expect(answer.headers.get('access-control-allow-headers')).toContain('Idempotency-Key, Last-Event-ID');
});

test.each(['https://evil.example', 'https://crm.example.evil.example', 'null'])(
  'the origin %s is not allowed by a list that does not contain it',
  async (origin) => expect(allowed(await send(named, '/api/user/me', { origin }))).toBeNull(),
);

test('* allows every origin, never with cookies', async () => {
  const answer = await send(open, '/api/user/me', { origin: 'https://any.example' });
  expect(allowed(answer)).toBe('*');
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
});

test('the admin app is not opened to other origins', async () => {
  expect(allowed(await send(open, '/trpc/session.me', { origin: PAGE }))).toBeNull();
});
