import { createDocument, createKnowledgebase, findDocument, searchKnowledge } from '@parley/core';
import { api } from '@parley/contracts';
import { User } from '@parley/db';
import { startWebhookReceiver, useTestDatabase, type WebhookAnswer } from '@parley/testkit';
import { crc32 } from 'node:zlib';
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

/** An archive with stored parts. `claimedBytes`: the size that its directory states for each of them. */
function zipOf(parts: Readonly<Record<string, string>>, claimedBytes?: number): Buffer {
  const locals: Buffer[] = [];
  const headers: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(parts)) {
    const data = Buffer.from(text);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(claimedBytes ?? data.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u{3}\u{4}'), fields, Buffer.from(name), data]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    headers.push(Buffer.concat([Buffer.from('PK\u{1}\u{2}\u{14}\0'), fields, place, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(headers);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(headers.length, 4);
  end.writeUInt16LE(headers.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directory, Buffer.from('PK\u{5}\u{6}'), end]);
}

/** A Word document with this body, and with a declaration before it. */
function docxOf(
  body: string,
  { prolog = '', claimedBytes }: { prolog?: string; claimedBytes?: number } = {},
) {
  const types = 'http://schemas.openxmlformats.org/package/2006/content-types';
  const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument';
  const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${types}"><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${relations}"><Relationship Id="r1" Type="${office}" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `${prolog}<w:document xmlns:w="${word}"><w:body>${body}</w:body></w:document>`,
    'word/styles.xml': `<w:styles xmlns:w="${word}"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
    'word/_rels/document.xml.rels': `<Relationships xmlns="${relations}"><Relationship Id="r2" Type="${office.replace('officeDocument', 'styles').replace('relationships/officeDocument', 'relationships/styles')}" Target="styles.xml"/></Relationships>`,
  };
  return zipOf(parts, claimedBytes).toString('base64');
}
const paragraph = (text: string, style = ''): string =>
  `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;

test('the text of a Word document has its headings', async () => {
  const { read, textsOf } = await setup();
  const file = docxOf(paragraph('Parking', 'Heading1') + paragraph('Behind the house &amp; free.'));
  expect(await read({ type: 'docx', file })).toMatchObject({ status: 'active', error: null });
  expect(await textsOf('parking')).toEqual(['# Parking\n\nBehind the house & free.']);
});

test.each<[string, string, string]>([
  ['is no archive', Buffer.from('hello').toString('base64'), 'It is not a Word document that can be read.'],
  [
    'has no text part',
    zipOf({ 'a.txt': 'hello' }).toString('base64'),
    'It is not a Word document that can be read.',
  ],
  [
    'unpacks to more than it may',
    docxOf(paragraph('x'), { claimedBytes: 100 * 1024 * 1024 }),
    'Unpacked it is larger than 200 MiB.',
  ],
  [
    'states wrong sizes',
    docxOf(paragraph('x'), { claimedBytes: 5 }),
    'It is not a Word document that can be read.',
  ],
  [
    'has more parts than it may',
    zipOf(Object.fromEntries(Array.from({ length: 5001 }, (_, at) => [`p${at}`, '']))).toString('base64'),
    'It has more than 5000 parts.',
  ],
])('a Word document that %s fails with a reason', async (_name, file, error) => {
  const { read } = await setup();
  expect(await read({ type: 'docx', file })).toMatchObject({ status: 'failed', error });
});

test('entities of a Word document read no file and do not multiply', async () => {
  const { read, textsOf } = await setup();
  const prolog = `<!DOCTYPE d [<!ENTITY f SYSTEM "file:///etc/hostname"><!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>`;
  const record = await read({ type: 'docx', file: docxOf(paragraph('Safe &f; &b;'), { prolog }) });
  expect(record.characters_count).toBeLessThan(30);
  for (const text of await textsOf('safe')) expect(text).not.toContain('aaaa');
});

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

test('a page whose elements are nested without end fails with a reason', async () => {
  const { read } = await setup();
  const nested = (depth: number) => `${'<b>'.repeat(depth)}Nested`;
  expect(await read({ type: 'html', content: nested(1000) })).toMatchObject({ status: 'active' });
  expect(await read({ type: 'html', content: nested(3000) })).toMatchObject({
    status: 'failed',
    error: 'More than 2000 of its elements are open at the same time.',
  });
  // Void elements, and those that others close, are not open.
  const flat = '<br><li>One'.repeat(3000);
  expect(await read({ type: 'html', content: flat })).toMatchObject({ status: 'active' });
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

test('a page and further ones that are named are read, each once; only the first one is followed', async () => {
  const { server, read, textsOf } = await setup();
  const plain = { status: 200, headers: { 'content-type': 'text/plain' } };
  const html = { status: 200, headers: { 'content-type': 'text/html' } };
  server.answerNext(
    { ...html, body: '<p>Start <a href="/prices">Prices</a> <a href="/team">Team</a>' },
    { ...plain, body: 'Bread costs two dollars.' },
    { ...html, body: '<p>Terms <a href="/fine-print">Fine print</a>' },
    { ...plain, body: 'Ann bakes.' },
  );
  const links = ['/prices', '/terms', '/hook'].map((path) => ({ link: new URL(path, server.url).href }));
  const record = await read({ type: 'website', url: server.url, links, relative_links_limit: 5 });
  expect(record).toMatchObject({ status: 'active', error: null });
  expect(server.requests.map(({ path }) => path)).toEqual(['/hook', '/prices', '/terms', '/team']);
  expect(await textsOf('bread')).toHaveLength(1);
  expect(await textsOf('bakes')).toHaveLength(1);
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
