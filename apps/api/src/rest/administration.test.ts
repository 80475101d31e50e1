import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api, errorText, metadataOf, routesOf } from '@parley/contracts';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import {
  administrationRequests,
  makeAdministration,
  type Administration,
} from '../../test/administration.ts';
import { startLiveApi, type LiveApi, type TestRequest } from '../../test/live-api.ts';

const database = useTestDatabase();
let live: LiveApi;
let things: Administration;
let member: { userId: number; token: string };

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  things = await makeAdministration(live);
  member = await live.addUser('Member');
});

afterAll(() => live.stop());

const post = (body?: unknown, headers?: Record<string, string>): TestRequest => ({
  method: 'POST',
  body,
  ...(headers && { headers }),
});

const TRUNKS = '/api/user/phone-numbers/sip-trunks';
const NUMBERS = '/api/user/phone-numbers';
const PROVIDERS = '/api/user/providers';
const TOKENS = '/api/user/tokens';
const USERS = '/api/user/users';
const PRICES = '/api/user/prices';
const CONSENTS = '/api/user/consents';
const DO_NOT_CALL = '/api/user/do-not-call';

const trunk = { name: 'Carrier', host: 'sip.carrier.example' };
const provider = { name: 'Cloud', base_url: 'https://cloud.example/v1' };
const user = { name: 'Ann', email: 'ann@parley.example' };

describe('written fields are validated one by one', () => {
  test.each<[string, string, unknown, string, string]>([
    ['POST', TOKENS, {}, 'name', 'The name field is required.'],
    ['POST', TOKENS, { name: ' ' }, 'name', 'The name field is required.'],
    ['POST', TOKENS, { name: 'x'.repeat(256) }, 'name', 'The name must not be greater than 255 characters.'],
    ['POST', TOKENS, { name: 'x', scopes: [] }, 'scopes', 'The scopes field is required.'],
    ['POST', TOKENS, { name: 'x', scopes: 'read' }, 'scopes', 'The scopes must be an array.'],
    ['POST', TOKENS, { name: 'x', scopes: ['all'] }, 'scopes.0', 'The selected scopes.0 is invalid.'],
    ['POST', TOKENS, { name: 'x', expires_at: 'soon' }, 'expires_at', 'The expires at format is invalid.'],
    [
      'POST',
      TOKENS,
      { name: 'x', expires_at: '2027-02-30T00:00:00Z' },
      'expires_at',
      'The expires at format is invalid.',
    ],
    [
      'POST',
      TOKENS,
      { name: 'x', expires_at: '2027-02-03 00:00' },
      'expires_at',
      'The expires at format is invalid.',
    ],
    [
      'POST',
      TOKENS,
      { name: 'x', expires_at: '2001-01-01T00:00:00Z' },
      'expires_at',
      'The expires at must be a date after now.',
    ],
    ['POST', USERS, { email: 'a@b' }, 'name', 'The name field is required.'],
    ['POST', USERS, { name: 'x' }, 'email', 'The email field is required.'],
    ['POST', USERS, { name: 'x', email: 'x' }, 'email', 'The email must be a valid email address.'],
    ['POST', USERS, { ...user, email: 'First@Parley.example' }, 'email', 'The email has already been taken.'],
    ['POST', USERS, { ...user, role: 'boss' }, 'role', 'The selected role is invalid.'],
    ['POST', USERS, { ...user, timezone: 'Mars' }, 'timezone', 'The timezone must be a valid timezone.'],
    [
      'POST',
      USERS,
      { ...user, default_country: 'QQ' },
      'default_country',
      'The selected default country is invalid.',
    ],
    [
      'POST',
      USERS,
      { ...user, password: 'short' },
      'password',
      'The password must have 8 to 1000 characters.',
    ],
    ['POST', NUMBERS, { sip_trunk_id: 1 }, 'phone_number', 'The phone number field is required.'],
    [
      'POST',
      NUMBERS,
      { phone_number: '+12025550123' },
      'sip_trunk_id',
      'The sip trunk id field is required.',
    ],
    ['POST', NUMBERS, { phone_number: 'x', sip_trunk_id: 1 }, 'phone_number', 'Invalid phone number'],
    [
      'POST',
      NUMBERS,
      { phone_number: '+12025550123', sip_trunk_id: 99_999 },
      'sip_trunk_id',
      'The selected sip trunk id is invalid.',
    ],
    [
      'POST',
      NUMBERS,
      { phone_number: '+12025550100', sip_trunk_id: 1 },
      'phone_number',
      'The phone number has already been taken.',
    ],
    [
      'POST',
      NUMBERS,
      { phone_number: '+12025550123', sip_trunk_id: 1, type_label: 'Fax' },
      'type_label',
      'The selected type label is invalid.',
    ],
    ['POST', TRUNKS, { host: 'x.example' }, 'name', 'The name field is required.'],
    ['POST', TRUNKS, { name: 'x' }, 'host', 'The host field is required.'],
    ['POST', TRUNKS, { ...trunk, host: 'a b' }, 'host', 'The host format is invalid.'],
    ['POST', TRUNKS, { ...trunk, host: 'sip:x.example' }, 'host', 'The host format is invalid.'],
    ['POST', TRUNKS, { ...trunk, host: '999.1.1.1' }, 'host', 'The host format is invalid.'],
    ['POST', TRUNKS, { ...trunk, port: 0 }, 'port', 'The port must be between 1 and 65535.'],
    ['POST', TRUNKS, { ...trunk, port: 65_536 }, 'port', 'The port must be between 1 and 65535.'],
    ['POST', TRUNKS, { ...trunk, transport: 'sctp' }, 'transport', 'The selected transport is invalid.'],
    ['POST', TRUNKS, { ...trunk, reach: 'all' }, 'reach', 'The selected reach is invalid.'],
    ['POST', TRUNKS, { ...trunk, max_calls: 0 }, 'max_calls', 'The max calls must be between 1 and 10000.'],
    ['POST', TRUNKS, { ...trunk, max_cps: 1001 }, 'max_cps', 'The max cps must be between 1 and 1000.'],
    [
      'POST',
      TRUNKS,
      { ...trunk, rtp_timeout_seconds: 4 },
      'rtp_timeout_seconds',
      'The rtp timeout seconds must be between 5 and 3600.',
    ],
    ['POST', TRUNKS, { ...trunk, username: 'a\r\nVia: x' }, 'username', 'The username format is invalid.'],
    [
      'POST',
      TRUNKS,
      { ...trunk, registrar: 'pbx.example:0' },
      'registrar',
      'The registrar format is invalid.',
    ],
    [
      'POST',
      TRUNKS,
      { ...trunk, register_expires: 59 },
      'register_expires',
      'The register expires must be between 60 and 3600.',
    ],
    [
      'POST',
      TRUNKS,
      { ...trunk, username: '1001', registers: true },
      'password',
      'The password field is required when registers is true.',
    ],
    [
      'POST',
      TRUNKS,
      { ...trunk, password: 'secret', registers: true },
      'username',
      'The username field is required when registers is true.',
    ],
    ['POST', TRUNKS, { ...trunk, caller_number: '1' }, 'caller_number', 'Invalid phone number'],
    [
      'POST',
      TRUNKS,
      { ...trunk, is_shared: 'maybe' },
      'is_shared',
      'The is shared field must be true or false.',
    ],
    ['POST', PROVIDERS, { base_url: 'https://x.example' }, 'name', 'The name field is required.'],
    ['POST', PROVIDERS, { name: 'x' }, 'base_url', 'The base url field is required.'],
    [
      'POST',
      PROVIDERS,
      { ...provider, base_url: 'ftp://x' },
      'base_url',
      'The base url must be a valid URL.',
    ],
    ['POST', PROVIDERS, { ...provider, api_key: 'a\nb' }, 'api_key', 'The api key format is invalid.'],
    ['POST', PROVIDERS, { ...provider, models: 'x' }, 'models', 'The models must be an array.'],
    [
      'POST',
      PROVIDERS,
      { ...provider, models: [{}] },
      'models.0.name',
      'The models.0.name field is required.',
    ],
    [
      'POST',
      PROVIDERS,
      { ...provider, models: [{ name: 'a' }, { name: 'a' }] },
      'models.1.name',
      'The models.1.name field has a duplicate value.',
    ],
    [
      'POST',
      PROVIDERS,
      { ...provider, models: [{ name: 'Scripted dialogue (built in)' }] },
      'models',
      'A model or voice with this name exists already.',
    ],
    [
      'PUT',
      PRICES,
      { sip_trunks: [{ sip_trunk_id: 99_999, per_minute: 1 }] },
      'sip_trunks.0.sip_trunk_id',
      'The selected sip_trunks.0.sip_trunk_id is invalid.',
    ],
    [
      'PUT',
      PRICES,
      { sip_trunks: [{ sip_trunk_id: 1 }] },
      'sip_trunks.0.per_minute',
      'The sip_trunks.0.per_minute field is required.',
    ],
    [
      'PUT',
      PRICES,
      { providers: [{ provider_id: 1, per_minute: -1 }] },
      'providers.0.per_minute',
      'The providers.0.per_minute must be between 0 and 10000.',
    ],
    [
      'PUT',
      PRICES,
      { providers: [{ provider_id: 1, per_minute: 0.1234567 }] },
      'providers.0.per_minute',
      'The providers.0.per_minute format is invalid.',
    ],
    ['POST', DO_NOT_CALL, {}, 'phone_number', 'The phone number field is required.'],
    ['POST', DO_NOT_CALL, { phone_number: '12' }, 'phone_number', 'Invalid phone number'],
    ['POST', CONSENTS, { phone_number: '+12025550194' }, 'source', 'The source field is required.'],
    ['POST', CONSENTS, { phone_number: '12', source: 'Form' }, 'phone_number', 'Invalid phone number'],
    [
      'POST',
      CONSENTS,
      { phone_number: '+12025550194', source: 'Form', consented_at: '2999-01-01T00:00:00Z' },
      'consented_at',
      'The consented at field must not be in the future.',
    ],
    ['DELETE', DO_NOT_CALL, {}, 'phone_number', 'The phone number field is required.'],
  ])('%s %s %j: %s', async (method, path, body, field, text) => {
    const answer = await live.ask(path, { method, body });
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({ message: errorText.invalidData, errors: { [field]: [text] } });
  });

  test.each([
    ['a NUL byte', 'a\0b'],
    ['half a surrogate pair', 'a\ud800b'],
  ])('%s in a name is refused', async (_name, name) => {
    for (const [path, body] of [
      [TOKENS, {}],
      [TRUNKS, trunk],
      [PROVIDERS, provider],
      [USERS, user],
    ] as const) {
      expect((await live.ask(path, post({ ...body, name }))).status, path).toBe(422);
    }
  });
});

test('a token may expire at the last possible instant, and no later', async () => {
  const ask = (expiry: string) => live.ask(TOKENS, post({ name: 'Old', expires_at: expiry }));
  expect((await ask('9999-12-31T23:59:59Z')).status).toBe(201);
  expect((await ask('9999-12-31T23:59:59-01:00')).status).toBe(422);
  expect((await ask('0000-01-01T00:00:00Z')).status).toBe(422);
});

describe('authorisation', () => {
  const administrative = routesOf(api)
    .filter(({ group }) =>
      /^(tokens|users|phoneNumbers|sipTrunks|providers|prices|doNotCall|consents)$/.test(group),
    )
    .map(({ group, name, route }) => ({ id: `${group}.${name}`, ...metadataOf(route) }))
    .filter(({ scope }) => scope !== null);

  test.each(administrative)(
    '$id needs the scope "$scope", and the role $role',
    async ({ id, scope, role }) => {
      const { path, request } = administrationRequests(() => things)[id]?.() ?? { path: `none for ${id}` };
      const others = (['read', 'write', 'call'] as const).filter((other) => other !== scope);
      const { token } = await live.addUser(`Without-${id}`, others);
      const narrow = await live.ask(path, { ...request, token });
      expect([narrow.status, narrow.body]).toEqual([
        403,
        { message: `This token lacks the scope "${scope}".` },
      ]);
      if (role === undefined) return;
      const asMember = await live.ask(path, { ...request, token: member.token });
      expect([asMember.status, asMember.body]).toEqual([403, { message: 'This needs the role "operator".' }]);
    },
  );

  test("another user's resources answer like missing ones", async () => {
    const paths = (id: (thing: keyof Administration) => number): [string, string, unknown?][] => [
      ['DELETE', `${TOKENS}/${id('tokenId')}`],
      ['DELETE', `${NUMBERS}/${id('numberId')}`],
      ['PUT', `${TRUNKS}/${id('trunkId')}`, { name: 'Mine' }],
      ['DELETE', `${TRUNKS}/${id('trunkId')}`],
      ['POST', NUMBERS, { phone_number: '+12025552998', sip_trunk_id: id('trunkId') }],
    ];
    const theirs = paths((thing) => things[thing]);
    const missing = paths(() => 999_999);
    for (const [index, [method, path, body]] of theirs.entries()) {
      const [, otherPath = '', otherBody] = missing[index] ?? [];
      const one = await live.ask(path, { method, body, token: member.token });
      const other = await live.ask(otherPath, { method, body: otherBody, token: member.token });
      expect([one.status, one.text], path).toEqual([other.status, other.text]);
      expect(one.status, path).toBe(method === 'POST' ? 422 : 404);
    }
    for (const path of [TOKENS, NUMBERS, TRUNKS, DO_NOT_CALL, CONSENTS]) {
      const { text } = await live.ask(path, { token: member.token });
      expect(text, path).not.toContain('Carrier');
    }
  });

  test('a member may create trunks, except to the private network', async () => {
    const { token } = member;
    const refused = await live.ask(TRUNKS, { ...post({ ...trunk, host: '127.0.0.1' }), token });
    expect(refused.body).toMatchObject({ errors: { host: ['The selected host is invalid.'] } });
    const made = await live.ask(TRUNKS, { ...post(trunk), token });
    expect(made.status).toBe(201);
    const { id } = (made.body as { data: { id: number } }).data;
    const number = { phone_number: '+12025552990', sip_trunk_id: id };
    expect((await live.ask(NUMBERS, { ...post(number), token })).status).toBe(201);
    const shared = await live.ask(NUMBERS, {
      ...post({ phone_number: '+12025552991', sip_trunk_id: 1 }),
      token,
    });
    expect([shared.status, shared.body]).toEqual([403, { message: 'This needs the role "operator".' }]);
  });
});

describe('tokens', () => {
  const make = async (body: unknown, headers?: Record<string, string>, token = live.token) => {
    const answer = await live.ask(TOKENS, { ...post(body, headers), token });
    return { answer, ...(answer.body as { data: { id: number; token: string } }).data };
  };

  test('a revoked token is refused at once, on every node', async () => {
    const otherNode = await startLiveApi({ db: database.db });
    try {
      const { id, token } = await make({ name: 'Short-lived' });
      for (const node of [live, otherNode]) expect((await node.ask(USERS, { token })).status).toBe(200);
      await live.ask(`${TOKENS}/${id}`, { method: 'DELETE' });
      for (const node of [live, otherNode]) {
        const answer = await node.ask(USERS, { token });
        expect([answer.status, answer.body]).toEqual([401, { message: 'Unauthenticated.' }]);
      }
    } finally {
      await otherNode.stop();
    }
  });

  test('a repeated request with a key creates one token, whose text is returned once and not stored', async () => {
    const headers = { 'idempotency-key': 'one token please' };
    const first = await make({ name: 'Once' }, headers);
    const again = await make({ name: 'Once' }, headers);
    expect(first.token).toMatch(/^parley_/);
    expect(again.answer.body).toEqual({
      ...(first.answer.body as object),
      data: { ...(first.answer.body as { data: object }).data, token: null },
    });
    const list = (await live.ask(TOKENS)).body as { name: string; last_used_at: string | null }[];
    expect(list.filter(({ name }) => name === 'Once')).toHaveLength(1);
    expect((await live.ask('/api/user/me', { token: first.token })).status).toBe(200);
  });

  test('a token with few scopes cannot create one with more scopes', async () => {
    const { token } = await make({ name: 'Writer', scopes: ['write'] });
    const wider = await live.ask(TOKENS, { ...post({ name: 'x', scopes: ['read', 'write'] }), token });
    expect([wider.status, wider.body]).toEqual([403, { message: 'This token lacks the scope "read".' }]);
    const same = await make({ name: 'Same' }, undefined, token);
    expect(same.answer.body).toMatchObject({ data: { scopes: ['write'] } });
  });
});

test('creating with a key happens once', async () => {
  const creates: [string, unknown][] = [
    [USERS, { name: 'Once', email: 'once@parley.example' }],
    [TRUNKS, { ...trunk, name: 'Once' }],
    [NUMBERS, { phone_number: '+12025552980', sip_trunk_id: things.trunkId }],
    [PROVIDERS, { ...provider, name: 'Once', models: [{ name: 'Once' }] }],
    [DO_NOT_CALL, { phone_number: '+12025550197' }],
  ];
  for (const [path, body] of creates) {
    const headers = { 'idempotency-key': `once ${path}` };
    const [first, again] = [
      await live.ask(path, post(body, headers)),
      await live.ask(path, post(body, headers)),
    ];
    expect([first.status, again.status], path).toEqual([201, 201]);
    expect(again.text, path).toBe(first.text);
  }
});

test('secrets are never returned', async () => {
  const secret = 'swordfish-secret';
  await live.ask(TRUNKS, post({ ...trunk, username: 'u', password: secret }));
  await live.ask(PROVIDERS, post({ ...provider, api_key: secret }));
  for (const path of [TRUNKS, PROVIDERS]) {
    const answer = await live.ask(path);
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain(secret);
    expect(answer.text).not.toContain('sealed');
  }
});

test('a number that is assigned to an assistant cannot be deleted', async () => {
  const number = await live.ask(
    NUMBERS,
    post({ phone_number: '+12025552970', sip_trunk_id: things.trunkId }),
  );
  const { id } = (number.body as { data: { id: number } }).data;
  await live.ask('/api/user/assistant', post(newAssistant({ phone_number_id: id })));
  const answer = await live.ask(`${NUMBERS}/${id}`, { method: 'DELETE' });
  expect([answer.status, answer.body]).toEqual([
    409,
    { message: 'This phone number is assigned to the assistant "Anna".' },
  ]);
});

test('a trunk that registers shows its registration', async () => {
  const account = { username: '1001', password: 'secret', registers: true, registrar: 'sbc.example:5080' };
  const made = await live.ask(TRUNKS, post({ ...trunk, ...account }));
  const registration = {
    state: 'registering',
    sip_status: null,
    reason: null,
    since: null,
    expires_at: null,
  };
  const shown = { registers: true, registrar: 'sbc.example:5080', register_expires: 300, registration };
  expect([made.status, made.body]).toMatchObject([201, { data: shown }]);
  const { id } = (made.body as { data: { id: number } }).data;
  const read = async () => ((await live.ask(TRUNKS)).body as { id: number }[]).find((each) => each.id === id);
  expect(await read()).toMatchObject(shown);
  await live.ask(`${TRUNKS}/${id}`, { method: 'PUT', body: { registers: false } });
  expect(await read()).toMatchObject({ registers: false, registration: null });
});

test('the test trunk is listed and cannot be deleted', async () => {
  const list = (await live.ask(TRUNKS)).body as { id: number; is_test: boolean; is_shared: boolean }[];
  const line = list.find(({ is_test: isTest }) => isTest);
  expect(line).toMatchObject({ is_shared: true });
  const answer = await live.ask(`${TRUNKS}/${line?.id}`, { method: 'DELETE' });
  expect([answer.status, answer.body]).toEqual([
    409,
    { message: 'The test line is built in: it can be neither changed nor removed.' },
  ]);
});

test('a number on the do-not-call list is not called until it is removed', async () => {
  const assistants = (await live.ask('/api/user/assistants/outbound')).body as { id: number }[];
  const call = () =>
    live.ask('/api/user/make_call', post({ phone_number: '+12025550196', assistant_id: assistants[0]?.id }));
  await live.ask(DO_NOT_CALL, post({ phone_number: '+1 202 555 0196' }));
  expect((await call()).status).toBe(422);
  const listed = await live.ask(`${DO_NOT_CALL}?phone_number=0196`);
  expect(listed.body).toMatchObject({ total: 1, per_page: 15, data: [{ phone_number: '+12025550196' }] });
  const remove = { method: 'DELETE', body: { phone_number: '+12025550196' } };
  expect((await live.ask(DO_NOT_CALL, remove)).status).toBe(200);
  expect((await live.ask(DO_NOT_CALL, remove)).body).toEqual({
    message: 'Number not found on the do-not-call list',
  });
  expect((await call()).status).toBe(200);
});

test('a record of consent is listed until it is removed', async () => {
  const record = { source: 'Web form', text: 'I agree.', consented_at: '2026-01-30T16:20:00+01:00' };
  const added = await live.ask(CONSENTS, post({ phone_number: '+1 202 555 0193', ...record }));
  const stored = {
    phone_number: '+12025550193',
    source: 'Web form',
    text: 'I agree.',
    consented_at: '2026-01-30T15:20:00.000000Z',
  };
  expect(added).toMatchObject({ status: 201, body: { message: 'Consent recorded', data: stored } });
  const listed = await live.ask(`${CONSENTS}?phone_number=+12025550193`);
  expect(listed.body).toMatchObject({ total: 1, data: [stored] });
  const remove = { method: 'DELETE', body: { phone_number: '+12025550193' } };
  expect((await live.ask(CONSENTS, remove)).status).toBe(200);
  expect((await live.ask(CONSENTS, remove)).body).toEqual({
    message: 'No record of consent for this number',
  });
});

test('a live call cannot be deleted; one that was hung up before it was dialed can be deleted permanently', async () => {
  const assistants = (await live.ask('/api/user/assistants/outbound')).body as { id: number }[];
  const body = { phone_number: '+12025550195', assistant_id: assistants[0]?.id };
  const { call_id: id } = (await live.ask('/api/user/make_call', post(body))).body as { call_id: number };
  const path = `/api/user/calls/${id}`;
  const refused = await live.ask(path, { method: 'DELETE' });
  expect([refused.status, refused.body]).toEqual([
    409,
    { message: 'The call is live. Hang it up before you delete it.' },
  ]);
  expect((await live.ask(path, { method: 'DELETE', token: member.token })).status).toBe(404);
  await live.ask(`${path}/hang-up`, post());
  const deleted = await live.ask(path, { method: 'DELETE' });
  expect([deleted.status, deleted.body]).toEqual([200, { message: 'Call deleted successfully' }]);
  expect((await live.ask(path)).status).toBe(404);
});
