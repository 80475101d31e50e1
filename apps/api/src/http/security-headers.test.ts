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

test.each([
  ['to a request', {}],
  ['to a request without a token', { token: null }],
  ['to another method', { method: 'GET', body: undefined }],
])('the answer of the MCP server %s must not be stored', async (_what, request) => {
  const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const headers = { accept: 'application/json, text/event-stream' };
  const answer = await live.ask('/mcp', { method: 'POST', headers, body: listTools, ...request });
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

test('the content policy of API answers allows nothing', async () => {
  const { headers } = await live.ask('/api/user/me');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
});
