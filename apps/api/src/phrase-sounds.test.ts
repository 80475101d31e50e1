import { MAX_SOUND_BYTES } from '@parley/contracts';
import { statement } from '@parley/db';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../test/browser.ts';
import { startLiveApi, type LiveApi } from '../test/live-api.ts';
import { signInOperator } from '../test/signed-in.ts';

const database = useTestDatabase();
const SOUND = 'RIFF, as far as this process knows';
/** What the job that decodes a sound leaves. */
const decode = statement(
  '',
  `update recorded_phrases set status = 'active', duration_ms = 900 where id = $1`,
);
let live: LiveApi;
let browser: Browser;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  browser = await signInOperator(live);
});

afterAll(() => live.stop());

async function makeAssistant(token = live.token): Promise<number> {
  const { body } = await live.ask('/api/user/assistant', { method: 'POST', token, body: newAssistant() });
  return (body as { data: { id: number } }).data.id;
}

interface Sending {
  headers?: Record<string, string>;
  body?: string;
  text?: string;
}

function send(assistantId: number | string, { headers = {}, body = SOUND, text = 'Hello.' }: Sending = {}) {
  return live.ask(`/phrase-sounds/${assistantId}?${new URLSearchParams({ text }).toString()}`, {
    method: 'POST',
    token: null,
    body,
    headers: {
      'content-type': 'application/octet-stream',
      cookie: `parley_session=${browser.cookie()}`,
      ...headers,
    },
  });
}

function hear(path: string, cookie = browser.cookie()): Promise<Response> {
  return fetch(`${live.url}/phrase-sounds/${path}`, { headers: { cookie: `parley_session=${cookie}` } });
}

async function record(assistantId: number): Promise<number> {
  const { status, body } = await send(assistantId);
  expect(status).toBe(200);
  return (body as { id: number }).id;
}

test('a signed-in page uploads a sound, hears it when it is decoded, and deletes it', async () => {
  const assistantId = await makeAssistant();
  const id = await record(assistantId);
  const { data } = await browser.trpc.recordedPhrases.list.query({ id: assistantId });
  expect(data).toMatchObject([{ id, text: 'Hello.', status: 'processing' }]);
  expect((await hear(`${assistantId}/${id}.wav`)).status).toBe(404);
  await database.db.query(decode, [id]);
  const heard = await hear(`${assistantId}/${id}.wav`);
  expect([heard.status, heard.headers.get('content-type')]).toEqual([200, 'audio/wav']);
  expect(heard.headers.get('cache-control')).toBe('private, no-cache');
  expect(await heard.text()).toBe(SOUND);
  await browser.trpc.recordedPhrases.remove.mutate({ id, assistant_id: assistantId });
  expect((await hear(`${assistantId}/${id}.wav`)).status).toBe(404);
});

test('a sound without a session, from another origin or for an unknown assistant is not read', async () => {
  const assistantId = await makeAssistant();
  const id = await record(assistantId);
  await database.db.query(decode, [id]);
  expect((await send(assistantId, { headers: { cookie: 'parley_session=unknown' } })).status).toBe(401);
  expect((await send(assistantId, { headers: { origin: 'https://elsewhere.example' } })).status).toBe(403);
  expect((await send(987_654_321)).status).toBe(404);
  expect((await send('x')).status).toBe(404);
  expect((await hear(`${assistantId}/${id}.wav`, 'unknown')).status).toBe(401);
  const unknown = ['987654321.wav', 'x.wav', `${id}.mp3`, `${id}`].map((name) => `${assistantId}/${name}`);
  for (const path of [...unknown, `987654321/${id}.wav`, `${await makeAssistant()}/${id}.wav`])
    expect((await hear(path)).status, path).toBe(404);
  expect((await browser.trpc.recordedPhrases.list.query({ id: assistantId })).data).toHaveLength(1);
});

test("another user's assistant looks like a missing one", async () => {
  const { token } = await live.addUser('Other');
  const assistantId = await makeAssistant(token);
  const added = await live.ask(`/api/user/assistants/${assistantId}/recorded-phrases`, {
    method: 'POST',
    token,
    body: { text: 'Hello.', file: Buffer.from(SOUND).toString('base64') },
  });
  const { id } = (added.body as { data: { id: number } }).data;
  await database.db.query(decode, [id]);
  const foreign = await send(assistantId);
  expect(foreign).toMatchObject({ status: 404, body: { message: 'Assistant not found' } });
  expect(foreign.body).toEqual((await send(987_654_321)).body);
  expect((await hear(`${assistantId}/${id}.wav`)).status).toBe(404);
  const remove = browser.trpc.recordedPhrases.remove.mutate({ id, assistant_id: assistantId });
  await expect(remove).rejects.toThrow('Recorded phrase not found');
  const list = browser.trpc.recordedPhrases.list.query({ id: assistantId });
  await expect(list).rejects.toThrow('Assistant not found');
});

test('faults of a sound are reported', async () => {
  const assistantId = await makeAssistant();
  expect(await send(assistantId, { text: 'Hello {{name}}.' })).toMatchObject({
    status: 422,
    body: { errors: { text: ['The text field must not contain variables.'] } },
  });
  expect(await send(assistantId, { body: '' })).toMatchObject({
    status: 422,
    body: { errors: { file: [expect.any(String)] } },
  });
  expect((await send(assistantId, { headers: { 'content-type': 'audio/wav' } })).status).toBe(415);
  expect((await send(assistantId, { body: 'x'.repeat(MAX_SOUND_BYTES + 1) })).status).toBe(413);
  expect((await browser.trpc.recordedPhrases.list.query({ id: assistantId })).data).toEqual([]);
});
