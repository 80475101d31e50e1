import { api, keyingOf, routesOf } from '@parley/contracts';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  createParleyClient,
  eachPage,
  eachRecordByCursor,
  eachRecord,
  isParleyError,
  ParleyConnectionError,
  ParleyError,
  type ParleyOptions,
} from './index.ts';

interface Reply {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A client whose requests are recorded and answered by `replies` in turn; the last one is repeated. */
function setup(replies: (Reply | Error)[] = [{}], options: Partial<ParleyOptions> = {}) {
  const requests: Request[] = [];
  const waits: number[] = [];
  const shared: ParleyOptions = {
    baseUrl: 'https://parley.example/',
    token: 'parley_test',
    fetch: async (url, init) => {
      requests.push(new Request(url, init));
      const reply = replies[Math.min(requests.length, replies.length) - 1] ?? {};
      if (reply instanceof Error) throw reply;
      const { status = 200, body = {}, headers = {} } = reply;
      return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
    },
    wait: async (milliseconds) => void waits.push(milliseconds),
    ...options,
  };
  return {
    parley: createParleyClient(shared),
    answers: createParleyClient({ ...shared, errors: 'return' }),
    requests,
    waits,
  };
}

test.each([
  '',
  'parley.example',
  '/api',
  'ftp://parley.example',
  'https://a:b@parley.example',
  'https://p.example?x=1',
])('the baseUrl "%s" is refused before the first request', (baseUrl) =>
  expect(() => setup([{}], { baseUrl })).toThrow(/^baseUrl must/),
);

test.each(['', ' ', 'parley_a b', 'parley_a\n', 'parley_é'])(
  'the token "%s" is refused, and not repeated',
  (token) => {
    expect(() => setup([{}], { token })).toThrow(
      /^token must be an API token: printable characters without spaces$/,
    );
  },
);

const call = { phone_number: '+12025550142', assistant_id: 7 };

test.each(routesOf(api).map((endpoint) => ({ ...endpoint, id: `${endpoint.group}.${endpoint.name}` })))(
  '$id asks its path with its method, and carries a key where keys are honoured',
  async ({ group, name, route }) => {
    const { parley, requests } = setup();
    const groups = parley as unknown as Record<string, Record<string, (input: object) => Promise<unknown>>>;
    const names = [...route.path.matchAll(/:(\w+)/g)].map(([, parameter]) => [parameter, 5] as const);
    await groups[group]?.[name]?.({ params: Object.fromEntries(names) });
    const [request] = requests;
    expect(request?.method).toBe(route.method);
    expect(request?.url).toBe(`https://parley.example${route.path.replace(/:\w+/g, '5')}`);
    expect(request?.headers.get('authorization')).toBe('Bearer parley_test');
    expect(request?.headers.has('idempotency-key')).toBe(keyingOf(route) !== 'none');
  },
);

test('a body is sent as JSON, filters as the query, and undefined values are omitted', async () => {
  const { parley, requests } = setup();
  await parley.calls.make({ body: call });
  expect(requests[0]?.headers.get('content-type')).toBe('application/json');
  expect(await requests[0]?.json()).toEqual(call);
  await parley.calls.list({ query: { phone_number: '+1 202', page: 2, status: undefined } });
  expect(requests[1]?.url).toBe('https://parley.example/api/user/calls?phone_number=%2B1+202&page=2');
  expect(requests[1]?.headers.has('content-type')).toBe(false);
});

test('path parameters are escaped, and a path before /api is kept', async () => {
  const { parley, requests } = setup([{}], { baseUrl: 'https://example.com/parley' });
  await parley.calls.get({ params: { id: '../me?' } });
  expect(requests[0]?.url).toBe('https://example.com/parley/api/user/calls/..%2Fme%3F');
});

test('a response has status, body and request id', async () => {
  const { parley } = setup([{ body: { name: 'Ada' }, headers: { 'x-request-id': 'abc' } }]);
  expect(await parley.users.me()).toMatchObject({ status: 200, body: { name: 'Ada' }, requestId: 'abc' });
});

test('an error response is thrown with message, errors by field and request id', async () => {
  const errors = { phone_number: ['Invalid phone number'] };
  const { parley } = setup([
    { status: 422, body: { message: 'No', errors }, headers: { 'x-request-id': 'abc' } },
  ]);
  const error = await parley.calls.make({ body: call }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ParleyError);
  expect(error).toMatchObject({ status: 422, message: 'No', errors, requestId: 'abc' });
  expect(isParleyError(error, 422)).toBe(true);
  expect(isParleyError(error, 404)).toBe(false);
});

test('an error response of a proxy has a message too', async () => {
  const { parley } = setup([{ status: 504, body: '<h1>Gateway</h1>' }], { retries: 0 });
  await expect(parley.users.me()).rejects.toMatchObject({
    message: 'The server answered with status 504.',
    errors: {},
    body: '<h1>Gateway</h1>',
  });
});

test('error responses are returned with errors: return', async () => {
  const { answers } = setup([{ status: 404, body: { message: 'Call not found' } }]);
  const answer = await answers.calls.get({ params: { id: 1 } });
  expect(answer).toMatchObject({ status: 404, body: { message: 'Call not found' } });
});

test('a request whose response was lost is repeated with the same key', async () => {
  const { parley, requests, waits } = setup([
    new TypeError('reset'),
    { status: 409, body: { message: 'A request with this Idempotency-Key is still running.' } },
    { body: { call_id: 5 } },
  ]);
  const { body } = await parley.calls.make({ body: call });
  expect(body.call_id).toBe(5);
  const keys = requests.map((request) => request.headers.get('idempotency-key'));
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(keys).size).toBe(1);
  expect(waits).toHaveLength(2);
});

test('every request has its own key, unless one is given', async () => {
  const { parley, requests } = setup();
  await parley.calls.make({ body: call });
  await parley.calls.make({ body: call });
  await parley.calls.make({ body: call }, { idempotencyKey: 'order-12' });
  const keys = requests.map((request) => request.headers.get('idempotency-key'));
  expect(new Set(keys).size).toBe(3);
  expect(keys[2]).toBe('order-12');
});

test('a request that is not GET and has no key is sent once', async () => {
  const { parley, requests } = setup([new TypeError('reset')]);
  await expect(
    parley.campaigns.forecast({
      params: { id: 1 },
      body: { answer_rate: 0.5, average_duration_seconds: 60 },
    }),
  ).rejects.toThrow(ParleyConnectionError);
  expect(requests).toHaveLength(1);
});

test.each([
  { name: 'in seconds', headers: { 'retry-after': '3' } },
  {
    name: "as a date, by the server's own clock",
    headers: { date: 'Wed, 21 Oct 2015 07:28:00 GMT', 'retry-after': 'Wed, 21 Oct 2015 07:28:03 GMT' },
  },
])('Retry-After is waited for, $name', async ({ headers }) => {
  const { parley, waits } = setup([{ status: 429, headers }, {}]);
  await parley.users.me();
  expect(waits).toEqual([3000]);
});

test('after the last retry the error is thrown with its Retry-After', async () => {
  const { parley, requests } = setup([{ status: 429, headers: { 'retry-after': '1' } }], { retries: 3 });
  await expect(parley.users.me()).rejects.toMatchObject({ status: 429, retryAfterSeconds: 1 });
  expect(requests).toHaveLength(4);
});

test('a request can be aborted, also between tries', async () => {
  const controller = new AbortController();
  const { parley, requests } = setup([{ status: 503 }], {
    wait: async (_milliseconds, signal) => {
      controller.abort(new Error('enough'));
      signal?.throwIfAborted();
    },
  });
  await expect(parley.users.me({}, { signal: controller.signal })).rejects.toThrow('enough');
  expect(requests).toHaveLength(1);
});

/** Pages as the api returns them; `pages` are lists of ids. */
function pagesOf(pages: number[][]): Reply[] {
  return pages.map((ids, index) => ({
    body: {
      data: ids.map((id) => ({ id })),
      current_page: index + 1,
      next_page_url: index + 1 < pages.length ? `https://elsewhere.example/?page=${index + 2}` : null,
    },
  }));
}

test('pages are read to the last one, with the filters kept', async () => {
  const { parley, requests } = setup(pagesOf([[9, 8], [7, 6], [5]]));
  const sizes: number[] = [];
  for await (const page of eachPage(parley.calls.list, { status: 'completed', per_page: 2 }))
    sizes.push(page.data.length);
  expect(sizes).toEqual([2, 2, 1]);
  expect(requests[2]?.url).toBe('https://parley.example/api/user/calls?status=completed&per_page=2&page=3');
});

test('a record that moved to the next page is yielded once', async () => {
  const { parley } = setup(pagesOf([[9, 8], [8, 7], [7]]));
  const ids: number[] = [];
  for await (const record of eachRecord(parley.calls.list)) ids.push(record.id);
  expect(ids).toEqual([9, 8, 7]);
});

test('a cursor is followed to the end of the list, with the filters kept', async () => {
  const replies = [
    { body: { data: [{ id: 9 }, { id: 8 }], per_page: 2, next_cursor: 'WzEsOF0' } },
    { body: { data: [{ id: 7 }], per_page: 2, next_cursor: null } },
  ];
  const { parley, requests } = setup(replies);
  const ids: number[] = [];
  for await (const call of eachRecordByCursor(parley.calls.list, { status: 'completed', per_page: 2 }))
    ids.push(call.id);
  expect(ids).toEqual([9, 8, 7]);
  expect(requests.map(({ url }) => new URL(url).search)).toEqual([
    '?status=completed&per_page=2&cursor=',
    '?status=completed&per_page=2&cursor=WzEsOF0',
  ]);
});

test('a list that arrives in chunks is joined', async () => {
  const pieces = ['[{"id":', '1},{"i', 'd":2}', ']'].map((piece) => new TextEncoder().encode(piece));
  const { parley } = setup([], { fetch: async () => new Response(ReadableStream.from(pieces)) });
  expect((await parley.leads.list()).body).toEqual([{ id: 1 }, { id: 2 }]);
});

test('a loop that stops early requests no further page', async () => {
  const { parley, requests } = setup(pagesOf([[9], [8]]));
  for await (const record of eachRecord(parley.leads.list, { campaign_id: 3 })) if (record.id) break;
  expect(requests).toHaveLength(1);
});

test('events of a call, which last as long as the call, have no time limit', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  onTestFinished(() => timeout.mockRestore());
  const { parley } = setup([{ body: 'event: end\ndata: {}\n\n' }]);
  expect((await parley.calls.events({ params: { id: 5 } })).body).toBe('event: end\ndata: {}\n\n');
  expect(timeout).not.toHaveBeenCalled();
  await parley.calls.list();
  expect(timeout).toHaveBeenCalledOnce();
});
