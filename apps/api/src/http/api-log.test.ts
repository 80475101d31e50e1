import { randomUUID } from 'node:crypto';
import { statement } from '@parley/db';
import { ManualClock } from '@parley/runtime';
import { captureLog, createTestContext, newAssistant, useTestDatabase } from '@parley/testkit';
import type { Request, Response } from 'express';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startLiveApi, type LiveApi, type LiveApiOptions } from '../../test/live-api.ts';
import { ApiLog } from './api-log.ts';

const database = useTestDatabase();
const started: LiveApi[] = [];

const readRows = statement<Row>(
  '',
  `select method, path, operation, object_id, status, code, is_complete, request_id, network_address, count
   from api_requests order by id`,
);
const readText = statement<{ text: string }>('', 'select to_jsonb(r)::text as text from api_requests r');
const firstUser = statement<{ id: number }>('', 'select min(id) as id from users');

interface Row {
  method: string;
  path: string;
  operation: string;
  objectId: number | null;
  status: number;
  code: string | null;
  isComplete: boolean;
  requestId: string;
  networkAddress: string;
  count: number;
}

beforeEach(async () => {
  await database.db.query(statement('', 'truncate api_requests'));
});
afterEach(async () => {
  for (const live of started.splice(0)) await live.stop();
});

async function setup(settings: LiveApiOptions['settings'] = {}) {
  const live = await startLiveApi({ db: database.db, settings });
  started.push(live);
  /** What is stored once the api has stopped. */
  const rows = async () => {
    started.splice(0);
    await live.stop();
    return database.db.query(readRows);
  };
  return { live, rows };
}

describe('over HTTP', () => {
  test('requests of tokens are stored with operation, status, code and the request id of the answer', async () => {
    const { live, rows } = await setup();
    const made = await live.ask('/api/user/assistant', { method: 'POST', body: newAssistant() });
    const { id } = (made.body as { data: { id: number } }).data;
    const read = await live.ask(`/api/user/assistant/${id}`);
    const missing = await live.ask('/api/user/calls/4915112345678');
    const invalid = await live.ask('/api/user/lead', { method: 'POST', body: {} });
    const common = {
      isComplete: true,
      count: 1,
      networkAddress: expect.stringContaining('127.0.0.1') as string,
    };
    const idOf = ({ headers }: typeof made) => headers.get('x-request-id');
    expect(await rows()).toMatchObject([
      { ...common, method: 'POST', path: '/api/user/assistant', objectId: null, status: made.status },
      {
        ...common,
        method: 'GET',
        operation: 'assistants.get',
        objectId: id,
        status: 200,
        code: null,
        requestId: idOf(read),
      },
      {
        ...common,
        path: '/api/user/calls/:id',
        operation: 'calls.get',
        objectId: null,
        status: 404,
        code: 'not_found',
        requestId: idOf(missing),
      },
      {
        ...common,
        operation: 'leads.create',
        status: 422,
        code: 'validation_failed',
        requestId: idOf(invalid),
      },
    ]);
  });

  test('no number and no text of a request is stored', async () => {
    const { live, rows } = await setup();
    const number = '4915112345678';
    await live.ask(`/api/user/calls?phone_number=%2B${number}`);
    await live.ask(`/api/user/calls/${number}`);
    await live.ask(`/api/user/lead/${number}`, { method: 'PUT', body: { variables: { name: 'Lovelace' } } });
    await live.ask(`/api/user/nowhere/${number}`);
    await live.ask('/api/user/do-not-call', { method: 'POST', body: { phone_number: `+${number}` } });
    expect((await rows()).length).toBeGreaterThanOrEqual(3);
    const stored = (await database.db.query(readText)).map(({ text }) => text).join('\n');
    expect(stored).not.toContain('15112345678');
    expect(stored).not.toContain('Lovelace');
    expect(stored).not.toContain(live.token);
  });

  test('a request without a valid token is not stored', async () => {
    const { live, rows } = await setup();
    for (const token of [null, 'wrong']) {
      await live.ask('/api/user/me', { token });
      await live.ask('/mcp', { method: 'POST', token, body: {} });
    }
    await live.ask('/livez');
    expect(await rows()).toEqual([]);
  });

  test('rate-limited requests of a token are one entry a minute', async () => {
    const { live, rows } = await setup({ RATE_LIMIT: 2 });
    const answers = [];
    for (let count = 0; count < 6; count++) answers.push((await live.ask('/api/user/me')).status);
    const limited = answers.filter((status) => status === 429).length;
    expect(limited).toBeGreaterThan(0);
    const stored = (await rows()).filter(({ status }) => status === 429);
    expect(stored.reduce((sum, { count }) => sum + count, 0)).toBe(limited);
    // Two where a minute began in between.
    expect(stored.length).toBeLessThanOrEqual(2);
  });

  test('a tool of the MCP server is stored with its operation and its error', async () => {
    const { live, rows } = await setup();
    const use = (name: string, input: object) =>
      live.ask('/mcp', {
        method: 'POST',
        headers: { accept: 'application/json, text/event-stream' },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } },
      });
    await use('list_voices', {});
    await use('get_call', { id: 999_999 });
    await use('a tool of a stranger', {});
    expect(await rows()).toMatchObject([
      { path: '/mcp', operation: expect.stringMatching(/^lookups\./) as string, status: 200, code: null },
      { path: '/mcp', operation: 'calls.get', status: 200, code: 'not_found', objectId: null },
      { path: '/mcp', operation: 'mcp', status: 200 },
    ]);
  });

  test('the list over REST finds a request by its id, and members find their own only', async () => {
    const { live } = await setup();
    const { token } = await live.addUser(`member-${randomUUID()}`);
    const asked = await live.ask('/api/user/me', { token });
    const requestId = asked.headers.get('x-request-id');
    const find = async (by: string) =>
      (await live.ask(`/api/user/api-log?request_id=${requestId}`, { token: by })).body;
    await expect
      .poll(() => find(token))
      .toMatchObject({ data: [{ request_id: requestId, operation: 'users.me' }] });
    expect(await find(live.token)).toMatchObject({ data: [{ request_id: requestId }] });
    const other = await live.addUser(`member-${randomUUID()}`);
    expect(await find(other.token)).toMatchObject({ data: [], next_cursor: null });
    const wrong = await live.ask('/api/user/api-log?request_id=x');
    expect(wrong).toMatchObject({ status: 422, body: { errors: { request_id: [expect.any(String)] } } });
  });
});

describe('while Postgres does not answer', () => {
  /** A log on a clock that stands still and a database that can be away. */
  async function withDatabase() {
    const clock = new ManualClock(Date.UTC(2026, 0, 1, 12, 0, 30));
    const { log, lines } = captureLog();
    const failure: { error: Error | null } = { error: null };
    const query: typeof database.db.query = (...given) =>
      failure.error ? Promise.reject(failure.error) : database.db.query(...given);
    const apiLog = new ApiLog(createTestContext({ ...database.db, query }, { clock, log }));
    const [user] = await database.db.query(firstUser);
    const observe = (status = 200, code?: string) =>
      apiLog.observe(
        {
          requestId: randomUUID(),
          userId: user?.id ?? 0,
          tokenId: 1,
          method: 'GET',
          route: '/api/user/me',
          status,
          durationMs: 1,
          isComplete: true,
        },
        {
          request: { params: {}, ip: '192.0.2.1' } as unknown as Request,
          response: { locals: {}, getHeader: () => code } as unknown as Response,
        },
      );
    const pass = async (ms: number) => {
      clock.advance(ms);
      await apiLog.settled();
    };
    const stored = async () => (await database.db.query(readRows)).length;
    return { apiLog, clock, lines, failure, observe, pass, stored };
  }
  const away = () => Object.assign(new Error('connection lost'), { code: '57P01' });

  test('entries wait, and are stored once it answers', async () => {
    const { apiLog, failure, observe, pass, stored, lines } = await withDatabase();
    failure.error = away();
    for (let count = 0; count < 3; count++) observe();
    await pass(1000);
    await pass(1000);
    expect(await stored()).toBe(0);
    failure.error = null;
    observe();
    await pass(1000);
    expect(await stored()).toBe(4);
    expect(apiLog.dropped).toBe(0);
    expect(lines.filter(({ msg }) => msg === 'The API log could not be written')).toHaveLength(1);
  });

  test('the oldest are dropped and counted when too many wait', async () => {
    const { apiLog, failure, observe, pass, stored } = await withDatabase();
    failure.error = away();
    for (let count = 0; count < 10_500; count++) observe();
    expect(apiLog.dropped).toBe(1000);
    await pass(1000);
    failure.error = null;
    await pass(1000);
    expect(await stored()).toBe(9500);
  });

  test('entries that Postgres refuses are dropped, and later ones are stored', async () => {
    const { apiLog, failure, observe, pass, stored } = await withDatabase();
    failure.error = Object.assign(new Error('refused'), { code: '22P02' });
    observe();
    await pass(1000);
    failure.error = null;
    observe();
    await pass(1000);
    expect([await stored(), apiLog.dropped]).toEqual([1, 1]);
  });

  test('a stop stores what waits, also the rate-limited requests of the minute, and leaves no timer', async () => {
    const { apiLog, clock, observe, pass } = await withDatabase();
    observe(429, 'rate_limited');
    observe(429, 'rate_limited');
    await pass(1000);
    expect(await database.db.query(readRows)).toEqual([]);
    observe();
    await apiLog.stop();
    await apiLog.stop();
    observe();
    expect(await database.db.query(readRows)).toMatchObject([
      { status: 200, count: 1 },
      { status: 429, count: 2 },
    ]);
    expect([clock.pendingTimers(), apiLog.dropped]).toEqual([0, 1]);
  });

  test('the rate-limited requests of a minute are stored when it is over', async () => {
    const { observe, pass } = await withDatabase();
    for (let count = 0; count < 5; count++) observe(429, 'rate_limited');
    await pass(60_000);
    observe(429, 'rate_limited');
    await pass(1000);
    expect(await database.db.query(readRows)).toMatchObject([{ status: 429, count: 5 }]);
  });
});
