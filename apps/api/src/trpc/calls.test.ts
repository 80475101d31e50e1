import type { CallRecord } from '@parley/contracts';
import { recordCallEvent } from '@parley/core';
import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openBrowser, type Browser } from '../../test/browser.ts';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import { signInOperator, signInUser } from '../../test/signed-in.ts';

const database = useTestDatabase();
let live: LiveApi;
let browser: Browser;
let assistantId: number;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  browser = await signInOperator(live);
  const assistants = await browser.trpc.assistants.list.query();
  assistantId = assistants.find((assistant) => assistant.type === 'outbound')?.id ?? 0;
});

afterAll(() => live.stop());

/** A subscription whose rows can be awaited one by one. */
function watchCalls(trpc: Browser['trpc']) {
  const rows: CallRecord[] = [];
  const started = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<never>();
  let notify = Promise.withResolvers<void>();
  const subscription = trpc.calls.changes.subscribe(undefined, {
    onStarted: () => started.resolve(),
    onData(row) {
      rows.push(row);
      notify.resolve();
      notify = Promise.withResolvers<void>();
    },
    onError: (error) => failed.reject(error),
  });
  failed.promise.catch(() => undefined);
  return {
    rows,
    started: Promise.race([started.promise, failed.promise]),
    async until(isWanted: (row: CallRecord) => boolean): Promise<CallRecord> {
      for (;;) {
        const found = rows.find(isWanted);
        if (found) return found;
        await Promise.race([notify.promise, failed.promise]);
      }
    },
    stop: () => subscription.unsubscribe(),
  };
}

test('a placed call appears on the live feed and is updated there', async () => {
  const socket = browser.openSocket();
  const feed = watchCalls(socket.trpc);
  await feed.started;
  // The feed begins with the first poll after its start; a call that is placed at once must not be missed.
  const { call_id } = await browser.trpc.calls.place.mutate({
    assistant_id: assistantId,
    phone_number: '+12025550181',
  });
  expect(await feed.until((row) => row.id === call_id)).toMatchObject({
    status: 'initiated',
    type: 'outbound',
  });
  await recordCallEvent(live.core, {
    callId: call_id,
    event: 'ringing',
    at: new Date(live.core.clock.now()),
  });
  expect(await feed.until((row) => row.status === 'ringing')).toMatchObject({ id: call_id });
  feed.stop();
  await socket.close();
});

test("a user receives no changes of other users' calls", async () => {
  const { userId } = await live.addUser('Onlooker');
  const onlooker = await signInUser(live, userId);
  const sockets = [onlooker.openSocket(), browser.openSocket()];
  const theirs = watchCalls(sockets[0]?.trpc ?? onlooker.trpc);
  const ours = watchCalls(sockets[1]?.trpc ?? browser.trpc);
  await Promise.all([theirs.started, ours.started]);
  const { call_id } = await browser.trpc.calls.place.mutate({
    assistant_id: assistantId,
    phone_number: '+12025550182',
  });
  await ours.until((row) => row.id === call_id);
  await recordCallEvent(live.core, {
    callId: call_id,
    event: 'ringing',
    at: new Date(live.core.clock.now()),
  });
  await ours.until((row) => row.id === call_id && row.status === 'ringing');
  expect(theirs.rows).toEqual([]);
  theirs.stop();
  ours.stop();
  await Promise.all(sockets.map((socket) => socket.close()));
});

test('a subscription without a session is refused', async () => {
  const stranger = openBrowser(live.url);
  const socket = stranger.openSocket();
  const feed = watchCalls(socket.trpc);
  await expect(feed.started).rejects.toMatchObject({ data: { httpStatus: 401 } });
  feed.stop();
  await socket.close();
});

test('a socket carries live rows only', async () => {
  const socket = browser.openSocket();
  await expect(socket.trpc.assistants.list.query()).rejects.toMatchObject({ data: { httpStatus: 403 } });
  await socket.close();
});

test.each([
  ['from a page of another origin', '/trpc', 'https://evil.example', 403],
  ['to an unknown path', '/other', undefined, 404],
  ['to talk without a running voice process', '/talk?ticket=x', undefined, 503],
])('a socket %s is refused', async (_name, path, origin, status) => {
  const headers = { cookie: `parley_session=${browser.cookie()}` };
  const socket = new WebSocket(live.url.replace('http', 'ws') + path, {
    origin: origin ?? live.url,
    headers,
  });
  const answered = await new Promise<number>((resolve) => {
    socket.once('unexpected-response', (_request, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    socket.once('error', () => resolve(0));
  });
  expect(answered).toBe(status);
});

test('the list of calls filters, and one call is shown in full', async () => {
  const { call_id } = await browser.trpc.calls.place.mutate({
    assistant_id: assistantId,
    phone_number: '+12025550183',
    variables: { name: 'Ada' },
  });
  const page = await browser.trpc.calls.list.query({ phone_number: '+12025550183', status: 'initiated' });
  expect(page).toMatchObject({ total: 1, current_page: 1, data: [{ id: call_id }] });
  expect(await browser.trpc.calls.get.query({ id: call_id })).toMatchObject({
    input_variables: { name: 'Ada' },
  });
});

test('a call from the browser gets a ticket for one socket', async () => {
  const started = await browser.trpc.calls.startWebCall.mutate({ assistant_id: assistantId });
  expect(started.path).toMatch(/^\/talk\?ticket=[\w%.-]+$/);
  expect(await browser.trpc.calls.get.query({ id: started.call_id })).toMatchObject({
    type: 'web',
    client_phone_number: '',
  });
});

test('a call from the browser may have a draft and variables, which are not stored in the assistant', async () => {
  const before = await browser.trpc.assistants.get.query({ id: assistantId });
  const started = await browser.trpc.calls.startWebCall.mutate({
    assistant_id: assistantId,
    draft: { initial_message: 'From the draft, {{name}}' },
    variables: { name: 'Ada' },
  });
  expect(await browser.trpc.calls.get.query({ id: started.call_id })).toMatchObject({
    type: 'web',
    input_variables: { name: 'Ada' },
    events: [{ type: 'initiated' }, { type: 'draft_used', detail: { settings: ['initial_message'] } }],
  });
  expect(await browser.trpc.assistants.get.query({ id: assistantId })).toEqual(before);
});

test.each([
  ['of the values', { name: '', speech_speed: 9 }],
  ['of the references', { voice_id: 999_999, folder_id: 999_999 }],
])('faults %s of a draft are those of saving it', async (_what, changes) => {
  const errorsOf = async (attempt: Promise<unknown>): Promise<unknown> => {
    const { data } = (await attempt.catch((error: unknown) => error)) as { data: { errors: unknown } };
    return data.errors;
  };
  const saving = await errorsOf(browser.trpc.assistants.update.mutate({ id: assistantId, changes }));
  const talking = await errorsOf(
    browser.trpc.calls.startWebCall.mutate({ assistant_id: assistantId, draft: changes }),
  );
  expect(Object.keys(Object(saving)).toSorted()).toEqual(Object.keys(changes).toSorted());
  expect(talking).toEqual(saving);
});

test("a draft does not open another user's assistant", async () => {
  const { userId } = await live.addUser('Curious');
  const other = await signInUser(live, userId);
  const attempt = other.trpc.calls.startWebCall.mutate({
    assistant_id: assistantId,
    draft: { name: 'Mine' },
  });
  await expect(attempt).rejects.toMatchObject({ data: { code: 'NOT_FOUND' } });
});

test('all values of the assistant form are in one answer', async () => {
  const lookups = await browser.trpc.lookups.all.query();
  expect(lookups.voices.length).toBeGreaterThan(0);
  expect(lookups.models.length).toBeGreaterThan(0);
  expect(lookups.languages).toContainEqual(expect.objectContaining({ name: 'English', iso_2: 'en' }));
  expect(lookups.phone_numbers).toContainEqual(expect.objectContaining({ type_label: 'SIP' }));
});
