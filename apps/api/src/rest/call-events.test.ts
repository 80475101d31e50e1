import { once } from 'node:events';
import { connect } from 'node:net';
import { callEvent, callTurn, toolCall } from '@parley/contracts';
import { createToken, finishCall, recordCallEvent, recordCallNote } from '@parley/core';
import { statement } from '@parley/db';
import { ManualClock } from '@parley/runtime';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openEvents, type EventReader } from '../../test/event-reader.ts';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import { MAX_STREAMS } from './call-events.ts';

const database = useTestDatabase();
let live: LiveApi;
let lastNumber = 100;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
});

afterAll(() => live.stop());

const namesOf = (events: { event: string }[]): string[] => events.map(({ event }) => event);
const pathOf = (callId: number): string => `/api/user/calls/${callId}/events`;

function open(callId: number, headers: Record<string, string> = {}, api = live): Promise<EventReader> {
  return openEvents(api.url + pathOf(callId), { token: api.token, headers });
}

/** A call that waits to be dialed. */
async function placeCall(api = live, token = api.token): Promise<number> {
  const assistant = await api.ask('/api/user/assistant', { method: 'POST', body: newAssistant(), token });
  const { id } = (assistant.body as { data: { id: number } }).data;
  const body = { phone_number: `+12025550${lastNumber++}`, assistant_id: id };
  const { body: placed } = await api.ask('/api/user/make_call', { method: 'POST', body, token });
  return (placed as { call_id: number }).call_id;
}

const now = (): Date => new Date(live.core.clock.now());

const happen = (callId: number, event: 'ringing' | 'answered') =>
  recordCallEvent(live.core, { callId, event, at: now() });

const note = (callId: number, type: string) => recordCallNote(live.core, { callId, type, at: now() });

async function hangUp(callId: number): Promise<void> {
  await finishCall(live.core, {
    callId,
    event: 'customer-hung-up',
    at: now(),
    transcript: 'AI: Hello.\nCustomer: Hi.\nAI: Bye.',
    turns: [turn('bot', 'Hello.', 0), turn('human', 'Hi.\r\nIt is me.', 1000), turn('bot', 'Bye.', 3000)],
    toolCalls: [
      {
        name: 'look_up',
        arguments: { day: 'Monday' },
        startMs: 2000,
        durationMs: 5,
        isError: false,
        result: 'ok',
      },
    ],
    variables: {},
    recording: null,
    answeredBy: 'human',
    endedReason: 'customer_hung_up',
  });
}

function turn(sender: 'bot' | 'human', text: string, startMs: number) {
  const startedAtMs = live.core.clock.now() + startMs;
  return { sender, text, startedAtMs, startMs, endMs: startMs + 900, isInterrupted: false, latencyMs: {} };
}

async function finishedCall(): Promise<number> {
  const callId = await placeCall();
  await happen(callId, 'ringing');
  await happen(callId, 'answered');
  await note(callId, 'held');
  await hangUp(callId);
  return callId;
}

const WORDS = ['turn', 'turn', 'tool_call', 'turn'];
const END = ['customer-hung-up', 'evaluation_skipped', 'settled', 'end'];

describe('a call', () => {
  test('is sent from its beginning, then as it goes on, until its end', async () => {
    const callId = await placeCall();
    await happen(callId, 'ringing');
    const reader = await open(callId);
    expect(reader.status).toBe(200);
    expect(namesOf(await reader.until('ringing'))).toEqual(['initiated', 'ringing']);
    await happen(callId, 'answered');
    expect(await reader.next()).toMatchObject({ event: 'answered', data: { type: 'answered', detail: {} } });
    // A line of the timeline that does not change the record of the call.
    await note(callId, 'held');
    expect(await reader.next()).toMatchObject({ event: 'held' });
    await hangUp(callId);
    expect(namesOf(await reader.rest())).toEqual([...WORDS, ...END]);
  });

  test('that is over is sent at once, with what its own page shows', async () => {
    const callId = await finishedCall();
    const events = await (await open(callId)).rest();
    const { body } = await live.ask(`/api/user/calls/${callId}`);
    const call = body as { turns: object[]; tool_calls: object[]; events: object[] };
    const dataOf = (name: string) => events.filter(({ event }) => event === name).map(({ data }) => data);
    expect(dataOf('turn')).toEqual(call.turns);
    expect(dataOf('tool_call')).toEqual(call.tool_calls);
    expect(events.flatMap(({ id, data }) => (id === null ? [] : [data]))).toEqual(call.events);
    expect(events.at(-1)).toEqual({
      id: null,
      event: 'end',
      data: {
        call_id: callId,
        status: 'completed',
        outcome: 'talked',
        ended_by: 'customer',
        ended_reason: 'customer_hung_up',
      },
    });
  });

  test('has events as the contract says, with ascending numbers', async () => {
    const events = await (await open(await finishedCall())).rest();
    const numbers = events.flatMap(({ id }) => id ?? []);
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    expect(new Set(numbers).size).toBe(numbers.length);
    const schemas = { turn: callTurn, tool_call: toolCall };
    for (const { event, data } of events.slice(0, -1)) {
      const schema = event in schemas ? schemas[event as keyof typeof schemas] : callEvent;
      expect(schema.safeParse(data).error, event).toBeUndefined();
    }
  });

  test('with more events than one page holds is sent completely', async () => {
    const callId = await finishedCall();
    await database.db.query(addNotes, [callId, 250, 10]);
    expect((await (await open(callId)).rest()).length).toBe(250 + 4 + WORDS.length + END.length);
  });

  test('that is removed ends its streams with the next heartbeat', async () => {
    const { api, clock } = await manualApi();
    const callId = await placeCall(api);
    const reader = await open(callId, {}, api);
    await reader.until('initiated');
    await database.db.query(deleteCall, [callId]);
    expect(await advancing(clock, reader.rest())).toEqual([]);
  });
});

const addNotes = statement(
  '',
  `insert into call_events (call_id, call_created_at, id, at, type, detail)
   select c.id, c.created_at, nextval('call_event_ids'), now(), 'note', jsonb_build_object('x', repeat('x', $3::int))
   from calls c, generate_series(1, $2::int) where c.id = $1`,
);
const deleteCall = statement('', 'delete from calls where id = $1');

describe('Last-Event-ID', () => {
  test('resumes after an event, with what happened meanwhile', async () => {
    const callId = await placeCall();
    await happen(callId, 'ringing');
    const reader = await open(callId);
    const ringing = (await reader.until('ringing')).at(-1);
    reader.disconnect();
    await happen(callId, 'answered');
    const second = await open(callId, { 'last-event-id': String(ringing?.id) });
    expect(await second.next()).toMatchObject({ event: 'answered' });
    await hangUp(callId);
    expect(namesOf(await second.rest())).toEqual([...WORDS, ...END]);
  });

  test('before the hang-up repeats the words, after it does not', async () => {
    const callId = await finishedCall();
    const events = await (await open(callId)).rest();
    const idOf = (name: string) => String(events.find(({ event }) => event === name)?.id);
    const after = async (name: string) =>
      namesOf(await (await open(callId, { 'last-event-id': idOf(name) })).rest());
    expect(await after('held')).toEqual([...WORDS, ...END]);
    expect(await after('customer-hung-up')).toEqual(END.slice(1));
    expect(await after('settled')).toEqual(['end']);
  });

  test.each(['x', '-1', '1.5', '1e3', '1234567890123456', '1, 2'])('"%s" is refused', async (given) => {
    const answer = await live.ask(pathOf(await placeCall()), { headers: { 'last-event-id': given } });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ errors: { 'Last-Event-ID': [expect.stringContaining('integer')] } });
  });
});

describe('access', () => {
  test('needs a token, its scope, and a call of its user', async () => {
    const callId = await finishedCall();
    const { token } = await live.addUser('Stranger');
    const { token: writer } = await live.addUser('Writer', ['write', 'call']);
    const statusOf = async (path: string, given: string | null) =>
      (await live.ask(path, { token: given })).status;
    expect(await statusOf(pathOf(callId), null)).toBe(401);
    expect(await statusOf(pathOf(callId), token)).toBe(404);
    expect(await statusOf(pathOf(callId), writer)).toBe(403);
    expect(await statusOf(pathOf(999_999_999), live.token)).toBe(404);
    const { body } = await live.ask(pathOf(callId), { token });
    expect(body).toEqual({ message: 'Call not found' });
  });

  test('ends soon after the token was revoked', async () => {
    const { api, clock } = await manualApi();
    const { userId, token: own } = await api.addUser('Owner');
    const callId = await placeCall(api, own);
    const { id, token } = await createToken(api.core, { userId, name: 'Short', scopes: ['read'] });
    const reader = await openEvents(api.url + pathOf(callId), { token });
    await reader.until('initiated');
    await api.ask(`/api/user/tokens/${id}`, { method: 'DELETE', token: own });
    expect(await advancing(clock, reader.rest())).toEqual([]);
  });
});

describe('the connection', () => {
  test('is not compressed or cached, and HEAD has no body', async () => {
    const callId = await finishedCall();
    const reader = await open(callId, { 'accept-encoding': 'gzip, br' });
    expect(Object.fromEntries(reader.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(reader.headers.has('content-encoding')).toBe(false);
    await reader.rest();
    const head = await live.ask(pathOf(await placeCall()), { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '' });
  });

  test('carries a comment every 15 seconds', async () => {
    const { api, clock } = await manualApi();
    const reader = await open(await placeCall(api), {}, api);
    expect(await reader.nextBlock()).toBe('retry: 2000');
    await reader.next();
    const openedAtMs = clock.now();
    expect(await advancing(clock, reader.nextBlock())).toBe(': heartbeat');
    expect(clock.now() - openedAtMs).toBeGreaterThanOrEqual(15_000);
    expect(await advancing(clock, reader.nextBlock())).toBe(': heartbeat');
    expect(clock.now() - openedAtMs).toBeGreaterThanOrEqual(30_000);
  });

  test('leaves nothing behind when the client disconnects', async () => {
    const { api, clock } = await manualApi();
    const callId = await placeCall(api);
    const before = clock.pendingTimers();
    const readers = await Promise.all([open(callId, {}, api), open(callId, {}, api)]);
    for (const reader of readers) await reader.until('initiated');
    await advancing(clock, readers[0]?.nextBlock());
    for (const reader of readers) reader.disconnect();
    const query = vi.spyOn(database.db, 'query');
    onTestFinished(() => query.mockRestore());
    const { results } = query.mock;
    let answered = 0;
    // Until no timer is left and nothing is asked; an open stream has a timer or a query at any time.
    for (let quietTurns = 0; quietTurns < 10; quietTurns++) {
      await turnOf(clock, 250);
      if (results.length > answered || clock.pendingTimers() > before) quietTurns = 0;
      while (results.length > answered) {
        const asked = results.slice(answered).map(({ value }) => value as unknown);
        answered = results.length;
        await Promise.allSettled(asked);
        await turnOf(clock, 0);
      }
    }
    const [busy] = await database.db.query(countBusy);
    expect(busy?.count).toBe(0);
  });

  test('ends without the event `end` when the api stops', async () => {
    const api = await startLiveApi({ db: database.db });
    const reader = await open(await placeCall(api), {}, api);
    expect(namesOf(await reader.until('initiated'))).toEqual(['initiated']);
    const rest = reader.rest();
    await api.stop();
    expect(await rest).toEqual([]);
  });

  test('of a client that does not read stops the reading of events', async () => {
    const callId = await placeCall();
    await database.db.query(addNotes, [callId, 3000, 20_000]);
    await recordCallEvent(live.core, { callId, event: 'failed', at: now() });
    const query = vi.spyOn(database.db, 'query');
    onTestFinished(() => query.mockRestore());
    const pages = () => query.mock.calls.filter(([{ name }]) => name === 'read_call_events').length;
    const { port } = new URL(live.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      `GET ${pathOf(callId)} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${live.token}\r\n\r\n`,
    );
    await once(socket, 'readable');
    // While this client reads 60 MB, the other one has time for as much.
    expect((await (await open(callId)).rest()).length).toBe(3003);
    expect(pages()).toBeLessThan(31 + 15);
    socket.destroy();
  });
});

const countBusy = statement<{ count: number }>(
  '',
  `select count(*) as count from pg_stat_activity
   where datname = current_database() and state like 'idle in transaction%'`,
);

test('a user may have a limited number of streams, and a closed one makes room', async () => {
  const { token } = await live.addUser('Follower');
  const callId = await placeCall(live, token);
  const openOwn = () => openEvents(live.url + pathOf(callId), { token });
  const readers = await Promise.all(Array.from({ length: MAX_STREAMS }, openOwn));
  expect(readers.filter(({ status }) => status !== 200)).toEqual([]);
  const refused = await live.ask(pathOf(callId), { token });
  expect(refused.status).toBe(429);
  expect(refused.body).toEqual({
    message: expect.stringContaining('100 open event streams'),
    retry_after: 60,
  });
  expect(refused.headers.get('retry-after')).toBe('60');
  // The limits of users are separate.
  expect((await (await open(await finishedCall())).rest()).at(-1)).toMatchObject({ event: 'end' });
  readers[0]?.disconnect();
  let last = await openOwn();
  while (last.status === 429) last = await openOwn();
  expect(last.status).toBe(200);
  for (const reader of [...readers, last]) reader.disconnect();
});

/** An api whose time the test moves. */
async function manualApi() {
  const clock = new ManualClock(Date.now());
  const api = await startLiveApi({ db: database.db, core: { clock } });
  onTestFinished(() => api.stop());
  return { api, clock };
}

/** Moves the clock until the promise is settled. */
async function advancing<Value>(clock: ManualClock, promise: Promise<Value> | undefined) {
  const settled = Promise.allSettled([promise]).then(() => true);
  while (!(await Promise.race([settled, turnOf(clock, 250)])));
  return promise;
}

/** Moves the clock and gives pending work its turn. */
async function turnOf(clock: ManualClock, byMs: number): Promise<false> {
  clock.advance(byMs);
  return new Promise((resolve) => setImmediate(() => resolve(false)));
}
