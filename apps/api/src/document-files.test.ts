import { afterAll, beforeAll, expect, test } from 'vitest';
import { useTestDatabase } from '@parley/testkit';
import { MAX_FILE_BYTES } from '@parley/contracts';
import type { Browser } from '../test/browser.ts';
import { startLiveApi, type LiveApi } from '../test/live-api.ts';
import { signInOperator } from '../test/signed-in.ts';

const database = useTestDatabase();
let live: LiveApi;
let browser: Browser;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  browser = await signInOperator(live);
});

afterAll(() => live.stop());

async function makeBase(): Promise<number> {
  return (await browser.trpc.knowledgebases.create.mutate({ name: 'Menu' })).id;
}

function send(path: string, headers: Record<string, string> = {}, body = 'Soup of the day') {
  return live.ask(path, {
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

test('a signed-in page uploads a file, sees it in the list and deletes it', async () => {
  const id = await makeBase();
  const sent = await send(`/document-files/${id}?name=Starters&type=txt`);
  expect(sent).toMatchObject({ status: 200, body: { name: 'Starters', type: 'txt', status: 'processing' } });
  const [document] = await browser.trpc.documents.list.query({ id });
  expect(document).toMatchObject({ name: 'Starters' });
  expect(await browser.trpc.knowledgebases.get.query({ id })).toMatchObject({ documents_count: 1 });
  await browser.trpc.documents.remove.mutate({ knowledgebase_id: id, id: document?.id ?? 0 });
  expect(await browser.trpc.documents.list.query({ id })).toEqual([]);
});

test('a knowledge base is renamed, gets a website and is deleted', async () => {
  const id = await makeBase();
  await browser.trpc.knowledgebases.update.mutate({ id, changes: { name: 'Wines' } });
  const draft = { name: 'Site', type: 'website' as const, url: 'https://example.com/' };
  expect(await browser.trpc.documents.create.mutate({ id, draft })).toMatchObject({
    links: [{ link: 'https://example.com/' }],
  });
  expect(await browser.trpc.knowledgebases.get.query({ id })).toMatchObject({ name: 'Wines' });
  await browser.trpc.knowledgebases.remove.mutate({ id });
  expect((await browser.trpc.knowledgebases.list.query()).map((base) => base.id)).not.toContain(id);
});

test('a file without a session, from another origin or for an unknown knowledge base is not read', async () => {
  const id = await makeBase();
  const path = `/document-files/${id}?name=a&type=txt`;
  expect((await send(path, { cookie: 'parley_session=unknown' })).status).toBe(401);
  expect((await send(path, { origin: 'https://elsewhere.example' })).status).toBe(403);
  expect((await send('/document-files/987654321?name=a&type=txt')).status).toBe(404);
  expect((await send('/document-files/x?name=a&type=txt')).status).toBe(404);
  expect(await browser.trpc.documents.list.query({ id })).toEqual([]);
});

test('faults of a file are reported', async () => {
  const path = `/document-files/${await makeBase()}`;
  expect(await send(`${path}?name=a&type=xlsx`)).toMatchObject({
    status: 422,
    body: { errors: { type: [expect.any(String)] } },
  });
  expect((await send(`${path}?name=a&type=txt`, {}, '')).status).toBe(422);
  expect((await send(`${path}?name=a&type=txt`, { 'content-type': 'text/csv' })).status).toBe(415);
  const tooLarge = await send(`${path}?name=a&type=txt`, {}, 'x'.repeat(MAX_FILE_BYTES + 1));
  expect(tooLarge.status).toBe(413);
});
