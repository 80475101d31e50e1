/**
 * What was begun with a token, a session or a ticket ends with it: requests whose body arrives after the revocation, and
 * tickets for WebSockets that nobody has used yet.
 */
import { once } from 'node:events';
import { createServer, request as requestHttp, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  changeUserAccount,
  deleteAssistant,
  placeWebCall,
  placeWidgetCall,
  registerVoiceProcess,
  revokeToken,
  updateAssistant,
  type Identity,
} from '@parley/core';
import { statement } from '@parley/db';
import { pause, systemClock } from '@parley/runtime';
import { createTestAssistant, useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { startLiveApi, type LiveApi } from '../test/live-api.ts';
import { signInUser } from '../test/signed-in.ts';

const database = useTestDatabase();
const ORIGIN = 'https://shop.example';
/** Longer than the time for which a check counts, and long enough for a busy machine to make the first one. */
const LATE_MS = 6000;
let live: LiveApi;
let voice: Server;
let operator: Identity;
let names = 0;

beforeAll(async () => {
  voice = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  voice.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (client) => client.send('hello'));
  });
  voice.listen(0, '127.0.0.1');
  await once(voice, 'listening');
  const url = `http://127.0.0.1:${(voice.address() as AddressInfo).port}`;
  live = await startLiveApi({ db: database.db, settings: { VOICE_URL: url } });
  const first = statement<{ id: number }>('', `select id from users where email = $1`);
  const [row] = await database.db.query(first, [live.email]);
  operator = { userId: row?.id ?? 0, role: 'operator', scopes: 'all', tokenId: null, timezone: 'UTC' };
});

afterAll(async () => {
  await live.stop();
  voice.closeAllConnections();
  voice.close();
});

/** A user with a token, a browser and an assistant, as which nobody else acts. */
async function arrangePerson() {
  const { userId, token } = await live.addUser(`Person${(names += 1)}`);
  const identity: Identity = { userId, role: 'member', scopes: 'all', tokenId: null, timezone: 'UTC' };
  const browser = await signInUser(live, userId);
  const tokenIds = statement<{ id: number }>('', 'select id from api_tokens where user_id = $1');
  const [tokenRow] = await database.db.query(tokenIds, [userId]);
  const assistant = await createTestAssistant(live.core, identity, {
    widget_settings: { allowed_origins: [ORIGIN] },
  });
  const campaign = await live.ask('/api/user/campaigns', {
    method: 'POST',
    token,
    body: { name: 'Spring', assistant_id: assistant.id },
  });
  const campaignId = (campaign.body as { data: { id: number } }).data.id;
  return { userId, token, identity, browser, tokenId: tokenRow?.id ?? 0, assistant, campaignId };
}

type Person = Awaited<ReturnType<typeof arrangePerson>>;

const change = (person: Person, changes: Record<string, unknown>) =>
  changeUserAccount(live.core, operator, { id: person.userId, ...changes });
const withdrawals = {
  nothing: async () => {},
  'token revoked': (person: Person) => revokeToken(live.core, person.identity, person.tokenId),
  'user disabled': (person: Person) => change(person, { is_disabled: true }),
  'user demoted': (person: Person) => change(person, { role: 'member' }),
  'session ended': (person: Person) => person.browser.trpc.session.signOut.mutate(),
  'assistant deleted': ({ identity, assistant }: Person) =>
    deleteAssistant(live.core, identity, assistant.id),
  'origin removed': ({ identity, assistant }: Person) =>
    updateAssistant(live.core, identity, {
      id: assistant.id,
      changes: { widget_settings: { allowed_origins: ['https://other.example'] } },
    }),
} as const;
type Withdrawal = keyof typeof withdrawals;

interface SlowRequest {
  path: (person: Person) => string;
  headers: (person: Person) => Record<string, string>;
  body: string;
  /** SQL: whether it has acted for the user. */
  traces: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const bearer = ({ token }: Person) => ({ authorization: `Bearer ${token}` });
const cookie = ({ browser }: Person) => ({ cookie: `parley_session=${browser.cookie()}`, origin: live.url });
const TOKENS = `select count(*)::int as count from api_tokens where user_id = $1 and name = 'Second'`;
const LEADS = `select count(*)::int as count from leads l join campaigns c on c.id = l.campaign_id where c.user_id = $1`;
const requests: Record<string, SlowRequest> = {
  'a request of the API': {
    path: () => '/api/user/tokens',
    headers: (person) => ({ ...JSON_TYPE, ...bearer(person) }),
    body: '{"name":"Second"}',
    traces: TOKENS,
  },
  'a file for the API': {
    path: ({ campaignId }) => `/api/user/campaigns/${campaignId}/leads/import`,
    headers: (person) => ({ 'content-type': 'text/csv', ...bearer(person) }),
    body: 'phone\n+12025550142\n',
    traces: LEADS,
  },
  'a request of the admin app': {
    path: () => '/trpc/tokens.create',
    headers: (person) => ({ ...JSON_TYPE, ...cookie(person) }),
    body: '{"name":"Second"}',
    traces: TOKENS,
  },
  'a file of the admin app': {
    path: ({ campaignId }) => `/lead-files/${campaignId}`,
    headers: (person) => ({ 'content-type': 'text/csv', ...cookie(person) }),
    body: 'phone\n+12025550142\n',
    traces: LEADS,
  },
  'a request of an operator': {
    path: () => '/api/user/users',
    headers: (person) => ({ ...JSON_TYPE, ...bearer(person) }),
    body: '{"name":"Invited","email":"invited@parley.example"}',
    traces: '',
  },
};

/** Sends the head and a part of the body, waits, withdraws, and sends the rest. @returns the status */
async function sendSlowly(person: Person, name: string, withdrawal: Withdrawal): Promise<number> {
  const { path, headers, body } = requests[name] ?? expect.unreachable();
  const request = requestHttp(live.url + path(person), { method: 'POST', headers: headers(person) });
  const answered = once(request, 'response');
  request.write(body.slice(0, 8));
  await pause(systemClock, LATE_MS);
  await withdrawals[withdrawal](person);
  request.end(body.slice(8));
  const [response] = (await answered) as [{ statusCode: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

describe('a request whose body arrives late', () => {
  test.concurrent.each<[string, Withdrawal, number]>([
    ['a request of the API', 'nothing', 201],
    ['a request of the API', 'token revoked', 401],
    ['a request of the API', 'user disabled', 401],
    ['a file for the API', 'nothing', 200],
    ['a file for the API', 'token revoked', 401],
    ['a file for the API', 'user disabled', 401],
    ['a request of the admin app', 'nothing', 200],
    ['a request of the admin app', 'session ended', 401],
    ['a request of the admin app', 'user disabled', 401],
    ['a file of the admin app', 'nothing', 200],
    ['a file of the admin app', 'session ended', 401],
    ['a file of the admin app', 'user disabled', 401],
  ])('%s, %s: %i', async (name, withdrawal, expected) => {
    const person = await arrangePerson();
    expect(await sendSlowly(person, name, withdrawal)).toBe(expected);
    const traces = statement<{ count: number }>('', requests[name]?.traces ?? '');
    const [row] = await database.db.query(traces, [person.userId]);
    expect(row?.count).toBe(withdrawal === 'nothing' ? 1 : 0);
  });

  test.concurrent('a request of an operator who has become a member meanwhile is refused', async () => {
    const person = await arrangePerson();
    await change(person, { role: 'operator' });
    expect(await sendSlowly(person, 'a request of an operator', 'user demoted')).toBe(403);
  });
});

/** @returns the status of the handshake; 101 when the voice process was reached */
async function join(path: string, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(live.url.replace('http', 'ws') + path, { headers });
  socket.on('error', () => undefined);
  const refused = once(socket, 'unexpected-response') as Promise<[unknown, { statusCode: number }]>;
  const opened = once(socket, 'message').then(() => 101);
  const status = await Promise.race([opened, refused.then(([, { statusCode }]) => statusCode)]);
  socket.terminate();
  return status;
}

const visitor = { origin: ORIGIN };

async function widgetTicket({ assistant }: Person): Promise<string> {
  // Its lease lasts for seconds only.
  await registerVoiceProcess(live.core, { url: '', sipAddress: '', capacity: 100 });
  const input = { uuid: assistant.uuid, origin: ORIGIN, visitor: crypto.randomUUID(), isAllowed: () => true };
  return (await placeWidgetCall(live.core, input)).ticket;
}

async function ownTicket({ identity, assistant }: Person): Promise<string> {
  return (await placeWebCall(live.core, identity, { assistantId: assistant.id })).ticket;
}

describe('a ticket for a call in the browser', () => {
  test.each<[Withdrawal, number]>([
    ['nothing', 101],
    ['session ended', 401],
    ['user disabled', 401],
  ])('of a user of the admin app, %s: %i', async (withdrawal, expected) => {
    const person = await arrangePerson();
    const ticket = await ownTicket(person);
    const headers = cookie(person);
    await withdrawals[withdrawal](person);
    expect(await join(`/talk?ticket=${ticket}`, headers)).toBe(expected);
  });

  test.each<[Withdrawal, number]>([
    ['nothing', 101],
    ['origin removed', 403],
  ])('of a visitor of a web page, %s: %i', async (withdrawal, expected) => {
    const person = await arrangePerson();
    const ticket = await widgetTicket(person);
    await withdrawals[withdrawal](person);
    expect(await join(`/widget/talk?ticket=${ticket}`, visitor)).toBe(expected);
  });

  test('is good for the one to whom it was given only, and on the path of its kind', async () => {
    const [person, other] = [await arrangePerson(), await arrangePerson()];
    const [own, widget] = [await ownTicket(person), await widgetTicket(person)];
    expect(await join(`/talk?ticket=${own}`, cookie(other))).toBe(403);
    expect(await join(`/talk?ticket=${own}`, { origin: live.url })).toBe(401);
    expect(await join(`/widget/talk?ticket=${own}`, visitor)).toBe(403);
    expect(await join(`/talk?ticket=${widget}`, cookie(person))).toBe(403);
    expect(await join(`/widget/talk?ticket=${widget}`, { origin: 'https://other.example' })).toBe(403);
  });

  test('the call of a page of the admin app ends soon after its session', async () => {
    const person = await arrangePerson();
    const address = `${live.url.replace('http', 'ws')}/talk?ticket=${await ownTicket(person)}`;
    const socket = new WebSocket(address, { headers: cookie(person) });
    await once(socket, 'message');
    const closed = once(socket, 'close');
    await withdrawals['session ended'](person);
    await closed;
  });
});
