import { createDocument, createKnowledgebase, findDocument, searchKnowledge } from '@parley/core';
import { api } from '@parley/contracts';
import { User } from '@parley/db';
import { startWebhookReceiver, useTestDatabase, type WebhookAnswer } from '@parley/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { arrange } from '../../test/arrange.ts';
import { readDocument } from './read-document.ts';

const database = useTestDatabase();

async function setup({ role = 'operator' }: { role?: 'operator' | 'member' } = {}) {
  const { worker, core, identity, close } = await arrange(database.db);
  const server = await startWebhookReceiver();
  onTestFinished(async () => {
    await close();
    await server.close();
  });
  await core.db.transaction(({ em }) => em.nativeUpdate(User, { id: identity.userId }, { role }));
  const { id: knowledgebaseId } = await createKnowledgebase(core, identity, { name: 'Shop' });
  /** Adds a document and runs its job. */
  const read = async (body: Record<string, unknown>) => {
    const input = api.documents.create.body.parse({ name: 'Page', ...body });
    const { id } = await createDocument(core, identity, { knowledgebaseId, input });
    await readDocument(worker, { documentId: id });
    await readDocument(worker, { documentId: id });
    return findDocument(core, identity, { knowledgebaseId, id });
  };
  const textsOf = async (query: string) => {
    const about = { knowledgebaseId, userId: identity.userId, query, language: 'en' };
    return (await searchKnowledge(core, about)).map(({ content }) => content);
  };
  return { server, read, textsOf };
}

const PAGE: WebhookAnswer = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><title>Shop</title><nav>Menu parking</nav><script>parking()</script>
    <h2>Hours</h2><p>We open&nbsp;at <b>nine</b>.</p><ul><li>Monday<li>Friday</ul>
    <a href="/prices#top">Prices</a> <a href="https://other.example/">Other</a> <a href="#here">Here</a>`,
};

/** A PDF with one line of text. */
function pdfOf(line: string): string {
  const content = `BT /F1 24 Tf 72 720 Td (${line}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.4\n${body}trailer << /Root 1 0 R /Size 6 >>\n%%EOF`).toString('base64');
}

test('text, Markdown, HTML and PDF become passages', async () => {
  const { read, textsOf } = await setup();
  const sources = [
    { type: 'txt', file: Buffer.from('Caf\xe9 at nine', 'latin1').toString('base64') },
    { type: 'md', content: '# Delivery\n\nWithin two days.' },
    { type: 'html', content: '<h1>Returns</h1><p>Within a month.' },
    { type: 'pdf', file: pdfOf('Warranty of ten years') },
  ];
  for (const source of sources) expect(await read(source)).toMatchObject({ status: 'active', error: null });
  expect(await textsOf('cafe')).toEqual(['Café at nine']);
  expect(await textsOf('delivery')).toEqual(['# Delivery\n\nWithin two days.']);
  expect(await textsOf('returns')).toEqual(['# Returns\n\nWithin a month.']);
  expect(await textsOf('warranty')).toEqual(['Warranty of ten years']);
});

test('a page is read without its menu and scripts, with the pages of its site that it links to', async () => {
  const { server, read, textsOf } = await setup();
  server.answerNext({ status: 302, headers: { location: '/shop' }, body: '' }, PAGE, {
    status: 200,
    headers: { 'content-type': 'text/plain' },
    body: 'Bread costs two dollars.',
  });
  const record = await read({ type: 'website', url: server.url, relative_links_limit: '5' });
  expect(record).toMatchObject({ status: 'active', error: null });
  expect(server.requests.map(({ path }) => path)).toEqual(['/hook', '/shop', '/prices']);
  expect(await textsOf('open')).toEqual([
    expect.stringMatching(/^## Hours\n\nWe open at nine\.\n\n- Monday\n- Friday/),
  ]);
  expect(await textsOf('bread')).toEqual([expect.stringContaining('Bread costs two dollars.')]);
  expect(await textsOf('parking')).toEqual([]);
});

test.each<[string, WebhookAnswer, string]>([
  ['an error', { status: 404, body: '' }, 'The server answered with the status 404.'],
  [
    'another type',
    { status: 200, headers: { 'content-type': 'application/pdf' }, body: '%PDF' },
    'It is not a web page but application/pdf. Upload it as a file.',
  ],
  ['no text', { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>' }, 'It contains no text.'],
])('a website with %s fails with a reason', async (_name, answer, reason) => {
  const { server, read } = await setup();
  server.answerNext(answer);
  const { status, error } = await read({ type: 'website', links: [{ link: server.url }] });
  expect(status).toBe('failed');
  expect(error).toContain(reason);
});

test('a member reaches public addresses only', async () => {
  const { server, read } = await setup({ role: 'member' });
  expect(await read({ type: 'website', url: server.url })).toMatchObject({
    status: 'failed',
    error: `${server.url}: The address is not public, and this server does not allow others.`,
  });
  expect(server.requests).toEqual([]);
});

test('a file that is no PDF fails with a reason', async () => {
  const { read } = await setup();
  expect(await read({ type: 'pdf', file: Buffer.from('hello').toString('base64') })).toMatchObject({
    status: 'failed',
    error: 'It is not a PDF that can be read.',
  });
});
