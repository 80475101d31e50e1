import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';

const database = useTestDatabase();
let live: LiveApi;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
});

afterAll(() => live.stop());

test.each(['/api/user/me', '/api/nothing', '/docs', '/nothing'])(
  '%s forbids framing and content sniffing',
  async (path) => {
    const { headers } = await live.ask(path);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  },
);

test.each(['/api/user/me', '/api/nothing', '/API/user/me', '//api/user/me'])(
  'the answer of %s must not be stored',
  async (path) => {
    expect((await live.ask(path)).headers.get('cache-control')).toBe('no-store');
  },
);

test('the content policy of API answers allows nothing', async () => {
  const { headers } = await live.ask('/api/user/me');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
});
