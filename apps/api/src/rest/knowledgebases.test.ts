/** Documents over REST, in the forms that existing clients send. */
import { findDocumentToRead } from '@parley/core';
import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';

const database = useTestDatabase();
let live: LiveApi;
let documents: string;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  const { body } = await live.ask('/api/user/knowledgebases', { method: 'POST', body: { name: 'Shop' } });
  documents = `/api/user/knowledgebases/${(body as { data: { id: number } }).data.id}/documents`;
});
afterAll(() => live.stop());

const idOf = ({ body }: { body: unknown }): number => (body as { data: { id: number } }).data.id;

/** Sends a form as a browser does. */
async function sendForm(form: FormData) {
  const request = new Request('http://parley.example', { method: 'POST', body: form });
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  return live.ask(documents, { method: 'POST', headers, body: await request.text() });
}

test('a file is accepted as a part of a form', async () => {
  const form = new FormData();
  form.set('name', 'Hours');
  form.set('type', 'txt');
  form.set('file', new File(['We open at nine – every day.'], 'hours.txt'));
  const answer = await sendForm(form);
  expect(answer.status, answer.text).toBe(201);
  expect(answer.body).toMatchObject({
    message: 'Document created successfully. Processing will begin shortly.',
    data: { name: 'Hours', type: 'txt', type_label: 'TXT', status: 'processing', status_label: 'Processing' },
  });
  const found = await findDocumentToRead(live.core, idOf(answer));
  expect(Buffer.from(found?.content ?? []).toString()).toBe('We open at nine – every day.');
});

test('a form that is none, and one at another endpoint, are refused', async () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const broken = await live.ask(documents, { method: 'POST', headers, body: 'nothing' });
  expect(broken).toMatchObject({ status: 400, body: { message: 'The request body is not a valid form.' } });
  const elsewhere = await live.ask('/api/user/tools', { method: 'POST', headers, body: '--x--' });
  expect(elsewhere.status).toBe(415);
});

test.each([
  ['many parts', '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(21), /20 parts/],
  [
    'a long head',
    `--x\r\n${'a: b\r\n'.repeat(2000)}content-disposition: form-data; name="a"\r\n\r\n`,
    /valid form/,
  ],
])('a form with %s is refused before it is read', async (_what, beginning, message) => {
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const ask = (body: string) => live.ask(documents, { method: 'POST', headers, body });
  const refused = { status: 400, body: { message: expect.stringMatching(message) as string } };
  expect(await ask(`${beginning}\r\n--x--\r\n`)).toMatchObject(refused);
  expect(await ask(`${beginning}\r\n--x and then anything`)).toMatchObject(refused);
});

test('web pages are named by url or links, with the fields of existing clients', async () => {
  const body = {
    name: 'Site',
    description: 'All pages',
    type: 'website',
    url: 'https://shop.example/',
    relative_links_limit: 10,
  };
  const answer = await live.ask(documents, { method: 'POST', body });
  expect(answer).toMatchObject({
    status: 201,
    body: { data: { description: 'All pages', links: [{ link: 'https://shop.example/' }] } },
  });
  expect(await findDocumentToRead(live.core, idOf(answer))).toMatchObject({ relativeLinksLimit: 10 });
  const single = await live.ask(`${documents}/${idOf(answer)}`);
  expect(single.body).toMatchObject({ data: { id: idOf(answer), type_label: 'Website', error: null } });
});

test.each<[Record<string, unknown>, Record<string, string>]>([
  [{ type: 'xlsx', file: 'AAAA' }, { type: 'The selected type is invalid.' }],
  [{ type: 'website' }, { url: 'The url field is required.' }],
  [{ type: 'website', url: 'ftp://shop.example/' }, { url: 'The url must be a valid URL.' }],
  [{ type: 'pdf' }, { file: 'The file field is required.' }],
  [{ type: 'pdf', file: 'no base64!' }, { file: 'The file format is invalid.' }],
  [
    { type: 'txt', content: 'x', url: 'https://shop.example/' },
    { url: 'The url field is for a website only.' },
  ],
  [
    { type: 'txt', content: 'x', file: 'AAAA' },
    { content: 'The content field must not be sent together with file.' },
  ],
  [{ type: 'txt', content: 'x', file: '' }, { file: 'The file field is required.' }],
  [{ type: 'txt', content: ' ', file: 'AAAA' }, { content: 'The content field is required.' }],
  [{ type: 'website', url: 'https://shop.example/', file: '' }, { file: 'The file field is required.' }],
])('%j is refused', async (fields, errors) => {
  const answer = await live.ask(documents, { method: 'POST', body: { name: 'Page', ...fields } });
  expect(answer.status).toBe(422);
  const expected = Object.fromEntries(Object.entries(errors).map(([field, text]) => [field, [text]]));
  expect((answer.body as { errors: unknown }).errors).toEqual(expected);
});
