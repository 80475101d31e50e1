import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorCodes, type ErrorCode } from '@parley/contracts';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { startLiveApi, type LiveApi, type TestRequest } from '../../test/live-api.ts';

const database = useTestDatabase();
let live: LiveApi;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
});

afterAll(() => live.stop());

const MAKE_CALL = '/api/user/make_call';
const CREATE = '/api/user/assistant';

const post = (body?: unknown, headers?: Record<string, string>): TestRequest => ({
  method: 'POST',
  body,
  ...(headers && { headers }),
});

describe('the table of errors', () => {
  test.each<[string, string, TestRequest, number, unknown]>([
    ['no token', '/api/user/me', { token: null }, 401, { message: 'Unauthenticated.' }],
    ['a wrong token', '/api/user/me', { token: 'parley_wrong' }, 401, { message: 'Unauthenticated.' }],
    [
      'a token in another scheme',
      '/api/user/me',
      { token: null, headers: { authorization: 'Basic eDp5' } },
      401,
      { message: 'Unauthenticated.' },
    ],
    [
      'a wrong token with a wrong body',
      CREATE,
      { ...post('{'), token: 'x' },
      401,
      { message: 'Unauthenticated.' },
    ],
    ['an unknown path', '/api/user/nothing', {}, 404, { message: 'Not Found' }],
    ['a missing call', '/api/user/calls/999999', {}, 404, { message: 'Call not found' }],
    ['a call with text for an id', '/api/user/calls/last', {}, 404, { message: 'Call not found' }],
    ['a call with a fraction for an id', '/api/user/calls/1.5', {}, 404, { message: 'Call not found' }],
    [
      'a call with an id out of all bounds',
      '/api/user/calls/99999999999999999999',
      {},
      404,
      { message: 'Call not found' },
    ],
    ['an address that cannot be decoded', '/api/user/calls/%E0%A4%A', {}, 404, { message: 'Not Found' }],
    [
      'hanging up a missing call',
      '/api/user/calls/999999/hang-up',
      post(),
      404,
      { message: 'Call not found' },
    ],
    ['a missing assistant', '/api/user/assistant/999999', {}, 404, { message: 'Assistant not found' }],
    [
      'invalid JSON',
      CREATE,
      post('{"assistant_name":'),
      400,
      { message: 'The request body is not valid JSON.' },
    ],
    [
      'a form',
      MAKE_CALL,
      post('phone_number=1', { 'content-type': 'application/x-www-form-urlencoded' }),
      415,
      { message: 'The request body must be JSON (Content-Type: application/json).' },
    ],
    [
      'JSON in an odd charset',
      MAKE_CALL,
      post('{}', { 'content-type': 'application/json; charset=latin1' }),
      415,
      { message: 'The request body must be JSON (Content-Type: application/json).' },
    ],
    [
      'a body that is too large',
      CREATE,
      post(newAssistant({ system_prompt: 'x'.repeat(1024 * 1024) })),
      413,
      { message: 'The request body must not be larger than 1 MiB.' },
    ],
    [
      'a call without its fields',
      MAKE_CALL,
      post({}),
      422,
      {
        message: 'The given data was invalid.',
        errors: {
          phone_number: ['The phone number field is required.'],
          assistant_id: ['The assistant id field is required.'],
        },
      },
    ],
    [
      'a call without a body',
      MAKE_CALL,
      post(),
      422,
      {
        message: 'The given data was invalid.',
        errors: {
          phone_number: ['The phone number field is required.'],
          assistant_id: ['The assistant id field is required.'],
        },
      },
    ],
    [
      'a call by a missing assistant',
      MAKE_CALL,
      post({ phone_number: '+12025550150', assistant_id: 999_999 }),
      404,
      { message: 'Assistant not found' },
    ],
    [
      'a call to an invalid number',
      MAKE_CALL,
      post({ phone_number: '123', assistant_id: 1 }),
      422,
      { message: 'The given data was invalid.', errors: { phone_number: ['Invalid phone number'] } },
    ],
    [
      'an assistant with a missing voice',
      CREATE,
      post(newAssistant({ voice_id: 999 })),
      422,
      { message: 'Validation failed', errors: { voice_id: ['The selected voice id is invalid.'] } },
    ],
    [
      'an assistant with invalid references',
      CREATE,
      post(newAssistant({ language: 'Klingon', llm_model: 'gpt-99', phone_number_id: 999 })),
      422,
      {
        message: 'Validation failed',
        errors: {
          language: ['The selected language is invalid.'],
          llm_model: ['The selected llm model is invalid.'],
          phone_number_id: ['The selected phone number id is invalid.'],
        },
      },
    ],
    [
      'an active webhook without an address',
      CREATE,
      post(newAssistant({ is_webhook_active: true })),
      422,
      {
        message: 'Validation failed',
        errors: { webhook_url: ['The webhook url field is required when is webhook active is true.'] },
      },
    ],
    [
      'a page before the first',
      '/api/user/assistants/get?page=0',
      {},
      422,
      { message: 'The given data was invalid.', errors: { page: ['The page must be at least 1.'] } },
    ],
    [
      'a page size above the maximum',
      '/api/user/calls?per_page=101',
      {},
      422,
      {
        message: 'The given data was invalid.',
        errors: { per_page: ['The per page must be between 1 and 100.'] },
      },
    ],
    [
      'an invalid status',
      '/api/user/calls?status=happy',
      {},
      422,
      { message: 'The given data was invalid.', errors: { status: ['The selected status is invalid.'] } },
    ],
    [
      'an invalid mode',
      '/api/user/assistants/voices?mode=loud',
      {},
      422,
      { message: 'The given data was invalid.', errors: { mode: ['The selected mode is invalid.'] } },
    ],
  ])('%s', async (...[, path, request, status, body]) => {
    const answer = await live.ask(path, request);
    expect(answer.body).toEqual(body);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-request-id')).toBeTruthy();
    const code = answer.headers.get('x-error-code') as ErrorCode;
    expect(errorCodes[code].status).toBe(status);
    expect(answer.headers.get('link')).toBe(`</docs/errors#${code}>; rel="help"`);
  });
});

test.each<[ErrorCode, string, TestRequest]>([
  ['unauthenticated', '/api/user/me', { token: null }],
  ['not_found', '/api/user/calls/999999', {}],
  ['method_not_allowed', '/api/user/me', { method: 'DELETE' }],
  ['validation_failed', MAKE_CALL, post({})],
  ['unknown_fields', '/api/leads/1', { method: 'PUT', body: { nothing: 1 } }],
])('the code %s is in a header, beside the body that the reference fixes', async (code, path, request) => {
  const answer = await live.ask(path, request);
  expect(answer.headers.get('x-error-code')).toBe(code);
  expect(answer.body).not.toHaveProperty('code');
});

test('the code of a missing scope differs from that of a missing role', async () => {
  const reader = await live.addUser('Reader', ['read']);
  const writing = await live.ask(CREATE, { ...post({}), token: reader.token });
  const listing = await live.ask('/api/user/users', { token: reader.token });
  expect(writing.headers.get('x-error-code')).toBe('missing_scope');
  expect(listing.headers.get('x-error-code')).toBe('missing_role');
});

test('a handler that answers with an error itself has a code too', async () => {
  const created = await live.ask('/api/user/campaigns', post({ name: 'Inbound', assistant_id: 1 }));
  const { id } = (created.body as { data: { id: number } }).data;
  await live.ask('/api/user/assistant/1', { method: 'PUT', body: { status: 'inactive' } });
  const answer = await live.ask(
    '/api/user/campaigns/update-status',
    post({ campaign_id: id, action: 'start' }),
  );
  await live.ask('/api/user/assistant/1', { method: 'PUT', body: { status: 'active' } });
  expect(answer.status).toBe(422);
  expect(answer.headers.get('x-error-code')).toBe('not_possible');
});

test('a number that no trunk can reach is an error of its field', async () => {
  const answer = await live.ask(MAKE_CALL, post({ phone_number: '+4915123456789', assistant_id: 1 }));
  expect(answer.status).toBe(422);
  expect(answer.body).toMatchObject({
    errors: { phone_number: [expect.stringContaining('No configured trunk can reach this number.')] },
  });
});

test('401 names the authentication scheme', async () => {
  const answer = await live.ask('/api/user/me', { token: null });
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
});

test.each([
  ['DELETE', MAKE_CALL, 'POST'],
  ['PUT', '/api/user/calls', 'GET, HEAD'],
  ['PATCH', '/api/user/calls/1', 'GET, HEAD, DELETE'],
  ['POST', '/api/user/me', 'GET, HEAD'],
])('%s on %s is 405 and names %s', async (method, path, allow) => {
  const answer = await live.ask(path, { method });
  expect(answer.status).toBe(405);
  expect(answer.headers.get('allow')).toBe(allow);
  expect(answer.body).toEqual({ message: 'Method Not Allowed' });
});

test.each<[string, 'read' | 'write' | 'call', string, TestRequest]>([
  ['reading', 'write', '/api/user/calls', {}],
  ['writing', 'read', CREATE, post({})],
  ['calling', 'write', MAKE_CALL, post({})],
])('%s requires its scope, with any body', async (what, granted, path, request) => {
  const { token } = await live.addUser(`Narrow${what}`, [granted]);
  const answer = await live.ask(path, { ...request, token });
  expect(answer.status).toBe(403);
  expect(answer.body).toEqual({
    message: expect.stringMatching(/^This token lacks the scope "(read|write|call)"\.$/) as string,
  });
});

test('a token with any scope may read its user', async () => {
  const { token } = await live.addUser('Caller', ['call']);
  expect((await live.ask('/api/user/me', { token })).body).toEqual({
    name: 'Caller',
    email: 'caller@parley.example',
    total_balance: 0,
  });
});

test("another user's resources answer like missing ones", async () => {
  const stranger = await live.addUser('Stranger');
  const created = await live.ask(CREATE, post(newAssistant()));
  const id = (created.body as { data: { id: number } }).data.id;
  const placed = await live.ask(MAKE_CALL, post({ phone_number: '+12025550151', assistant_id: id }));
  const callId = (placed.body as { call_id: number }).call_id;
  const numbers = await live.ask('/api/user/assistants/phone-numbers');
  const numberId = (numbers.body as { id: number }[])[0]?.id;

  const pairs: [string, (thing: number) => { path: string; request?: TestRequest }, number][] = [
    ['assistant', (thing) => ({ path: `/api/user/assistant/${thing}` }), id],
    ['call', (thing) => ({ path: `/api/user/calls/${thing}` }), callId],
    ['hang-up', (thing) => ({ path: `/api/user/calls/${thing}/hang-up`, request: post() }), callId],
    [
      'make_call',
      (thing) => ({ path: MAKE_CALL, request: post({ phone_number: '+12025550152', assistant_id: thing }) }),
      id,
    ],
    [
      'phone number',
      (thing) => ({ path: CREATE, request: post(newAssistant({ phone_number_id: thing })) }),
      numberId ?? 0,
    ],
  ];
  for (const [name, request, foreign] of pairs) {
    const answers = [request(foreign), request(888_888)].map((one) =>
      live.ask(one.path, { ...one.request, token: stranger.token }),
    );
    const [theirs, missing] = await Promise.all(answers);
    expect(theirs?.status, name).toBe(name === 'phone number' ? 422 : 404);
    expect(theirs?.status, name).toBe(missing?.status);
    expect(theirs?.text, name).toBe(missing?.text);
  }
  expect((await live.ask('/api/user/assistants', { token: stranger.token })).body).toEqual([]);
  expect(
    (await live.ask(`/api/user/calls?assistant_id=${id}`, { token: stranger.token })).body,
  ).toMatchObject({ total: 0 });
});
