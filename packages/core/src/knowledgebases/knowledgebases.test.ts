import { api, createAssistantBody, updateAssistantBody, type NewDocument } from '@parley/contracts';
import { statement } from '@parley/db';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { makeContext, makeUser, waitingJobs } from '../../test/arrange.ts';
import { overlapping } from '../../test/overlapping.ts';
import { createAssistant } from '../assistants/create-assistant.ts';
import { deleteAssistant } from '../assistants/delete-assistant.ts';
import { updateAssistant } from '../assistants/update-assistant.ts';
import { MAX_PROMPT_CHARACTERS } from '../knowledge/knowledge-of-assistant.ts';
import { searchKnowledge } from '../knowledge/search-knowledge.ts';
import { createDocument, deleteDocument, findDocument, listDocuments, MAX_UNREAD } from './documents.ts';
import {
  changeKnowledgebase,
  createKnowledgebase,
  deleteKnowledgebase,
  findKnowledgebase,
  listKnowledgebases,
  MAX_KNOWLEDGEBASES,
} from './knowledgebases.ts';
import { findDocumentToRead, MAX_DOCUMENT_CHARACTERS, storeDocument } from './read-document.ts';

const database = useTestDatabase();

const documentsInTurn = statement<{ id: number }>(
  '',
  `select (j.payload->>'documentId')::int as id from graphile_worker._private_jobs j
   join graphile_worker._private_tasks t on t.id = j.task_id
   where t.identifier = 'read_document' and j.payload->>'documentId' = any ($1) order by j.priority, j.run_at, j.id`,
);
const countSources = statement<{ count: number }>(
  '',
  'select count(*) from document_sources where document_id = $1',
);

async function setup() {
  const { ctx } = makeContext(database.db);
  const user = await makeUser(ctx);
  const base = await createKnowledgebase(ctx, user, { name: 'Shop' });
  const aim = (id: number) => ({ knowledgebaseId: base.id, id });
  const add = async (body: Record<string, unknown>) => {
    const input: NewDocument = api.documents.create.body.parse({ name: 'Page', ...body });
    return createDocument(ctx, user, { knowledgebaseId: base.id, input });
  };
  /** A document whose text was read. */
  const addText = async (content: string, name = 'Page') => {
    const { id } = await add({ name, type: 'md', content });
    await storeDocument(ctx, id, { text: content });
    return findDocument(ctx, user, aim(id));
  };
  const search = async (query: string, language = 'en') => {
    const found = await searchKnowledge(ctx, {
      knowledgebaseId: base.id,
      userId: user.userId,
      query,
      language,
    });
    return found.map(({ content }) => content);
  };
  const addAssistant = (fields: Record<string, unknown>) =>
    createAssistant(ctx, user, createAssistantBody.parse(newAssistant(fields)));
  return { ctx, user, base, aim, add, addText, search, addAssistant };
}

describe('a knowledge base', () => {
  it('is listed with what it contains and who uses it', async () => {
    const { ctx, user, base, addText, add, addAssistant } = await setup();
    expect(base).toMatchObject({ status: 'empty', documents_count: 0, description: null });
    await addText('We open at nine.');
    await addAssistant({ knowledgebase_id: base.id });
    expect(await listKnowledgebases(ctx, user)).toMatchObject([
      { status: 'active', documents_count: 1, assistants_count: 1, characters_count: 16 },
    ]);
    const { id } = await add({ type: 'txt', content: 'x' });
    expect(await findKnowledgebase(ctx, user, base.id)).toMatchObject({ status: 'processing' });
    await storeDocument(ctx, id, { failure: 'It cannot be read.' });
    const changes = { name: 'Store', description: 'All of it' };
    expect(await changeKnowledgebase(ctx, user, { id: base.id, changes })).toMatchObject({
      ...changes,
      status: 'failed',
    });
  });

  it('is invisible to other users, also for assistants', async () => {
    const { ctx, base, addText } = await setup();
    const { id } = await addText('We open at nine.');
    const other = await makeUser(ctx);
    const missing = { kind: 'not-found' };
    await expect(findKnowledgebase(ctx, other, base.id)).rejects.toMatchObject(missing);
    await expect(deleteKnowledgebase(ctx, other, base.id)).rejects.toMatchObject(missing);
    await expect(listDocuments(ctx, other, base.id)).rejects.toMatchObject(missing);
    const aim = { knowledgebaseId: base.id, id };
    await expect(findDocument(ctx, other, aim)).rejects.toMatchObject(missing);
    await expect(deleteDocument(ctx, other, aim)).rejects.toMatchObject(missing);
    const body = createAssistantBody.parse(newAssistant({ knowledgebase_id: base.id }));
    await expect(createAssistant(ctx, other, body)).rejects.toMatchObject({
      fields: { knowledgebase_id: ['The selected knowledgebase id is invalid.'] },
    });
    const question = { knowledgebaseId: base.id, userId: other.userId, query: 'open', language: 'en' };
    expect(await searchKnowledge(ctx, question)).toEqual([]);
  });

  it('cannot be deleted while an assistant uses it', async () => {
    const { ctx, user, base, addText, search, addAssistant } = await setup();
    await addText('We open at nine.');
    const assistant = await addAssistant({ knowledgebase_id: base.id, assistant_name: 'Ada' });
    await expect(deleteKnowledgebase(ctx, user, base.id)).rejects.toMatchObject({
      kind: 'conflict',
      message: 'This knowledge base is used by the assistant "Ada". Remove it from them first.',
    });
    await deleteAssistant(ctx, user, assistant.id);
    await deleteKnowledgebase(ctx, user, base.id);
    expect(await search('open')).toEqual([]);
  });

  it('is refused above the maximum of an account', async () => {
    const { ctx, user } = await setup();
    for (let made = 1; made < MAX_KNOWLEDGEBASES; made += 1)
      await createKnowledgebase(ctx, user, { name: String(made) });
    await expect(createKnowledgebase(ctx, user, { name: 'More' })).rejects.toMatchObject({
      fields: { name: ['An account has at most 50 knowledge bases.'] },
    });
  });
});

describe('a document', () => {
  it('that is too long fails before it is divided into passages', async () => {
    const { ctx, user, aim, add } = await setup();
    const { id } = await add({ type: 'txt', content: 'x' });
    await storeDocument(ctx, id, { text: '# a\n'.repeat(MAX_DOCUMENT_CHARACTERS / 4 + 1) });
    expect(await findDocument(ctx, user, aim(id))).toMatchObject({
      status: 'failed',
      error: 'Its text is longer than 2000000 characters.',
      characters_count: 0,
    });
  });

  it('is refused while too many of the user wait to be read', async () => {
    const { ctx, user, add } = await setup();
    for (let added = 0; added < MAX_UNREAD; added += 1) await add({ type: 'txt', content: 'x' });
    const other = await createKnowledgebase(ctx, user, { name: 'Other' });
    const input = { name: 'Page', type: 'txt' as const, content: 'x' };
    const create = createDocument(ctx, user, { knowledgebaseId: other.id, input });
    await expect(create).rejects.toMatchObject({ kind: 'conflict' });
  });

  it('is refused while too many wait also when another knowledge base gets one at the same time', async () => {
    const { ctx, user, add } = await setup();
    for (let added = 0; added < MAX_UNREAD - 1; added += 1) await add({ type: 'txt', content: 'x' });
    const [one, other] = [
      await createKnowledgebase(ctx, user, { name: 'One' }),
      await createKnowledgebase(ctx, user, { name: 'Other' }),
    ];
    const input = { name: 'Page', type: 'txt' as const, content: 'x' };
    const create = (core: typeof ctx, { id }: { id: number }) =>
      createDocument(core, user, { knowledgebaseId: id, input });
    const second = await overlapping(
      ctx,
      (joined) => create(joined, one),
      () => create(ctx, other),
    );
    expect(second).toMatchObject({ kind: 'conflict' });
  });

  it('is read before those of a user who has added many', async () => {
    const [many, few] = [await setup(), await setup()];
    const ids: number[] = [];
    for (const { add } of [many, many, many, few]) ids.push((await add({ type: 'txt', content: 'x' })).id);
    const [first, second, third, other] = ids;
    const turns = await many.ctx.db.query(documentsInTurn, [ids.map(String)]);
    expect(turns.map(({ id }) => id)).toEqual([first, other, second, third]);
  });

  it('is read by a job, and its file is not kept afterwards', async () => {
    const { ctx, user, aim, add } = await setup();
    const { id, status } = await add({
      type: 'txt',
      file: Buffer.from('We open at nine.').toString('base64'),
    });
    expect(status).toBe('processing');
    expect(await waitingJobs(ctx, 'read_document', { documentId: id })).toBe(1);
    const found = await findDocumentToRead(ctx, id);
    expect(Buffer.from(found?.content ?? []).toString()).toBe('We open at nine.');
    await storeDocument(ctx, id, { text: 'We open at nine.' });
    await storeDocument(ctx, id, { text: 'A second run changes nothing.' });
    expect(await findDocument(ctx, user, aim(id))).toMatchObject({
      status: 'active',
      error: null,
      characters_count: 16,
      chunks_count: 1,
    });
    expect(await findDocumentToRead(ctx, id)).toBeNull();
    expect(await ctx.db.query(countSources, [id])).toEqual([{ count: 0 }]);
  });

  it('without text fails with a reason', async () => {
    const { ctx, user, aim, add } = await setup();
    const { id } = await add({ type: 'pdf', file: 'AAAA' });
    await storeDocument(ctx, id, { text: '' });
    expect(await findDocument(ctx, user, aim(id))).toMatchObject({
      status: 'failed',
      error: 'It contains no text.',
    });
  });

  it('that is deleted is not found any more, and its job does nothing', async () => {
    const { ctx, user, aim, add, addText, search } = await setup();
    const { id } = await addText('We open at nine.');
    const unread = await add({ type: 'txt', content: 'We close at five.' });
    for (const one of [id, unread.id]) await deleteDocument(ctx, user, aim(one));
    await storeDocument(ctx, unread.id, { text: 'We close at five.' });
    expect(await search('open close')).toEqual([]);
  });
});

describe('a search', () => {
  it('finds inflected words of the language, and ranks rare words higher', async () => {
    const { addText, search } = await setup();
    await addText('The opening of the shop is at nine.');
    await addText('The shop sells bread.');
    await addText('Deliveries of the shop leave at noon.');
    expect(await search('When do you open the shop?')).toMatchObject([
      'The opening of the shop is at nine.',
      expect.any(String),
      expect.any(String),
    ]);
    expect((await search('Is it delivered? delivery'))[0]).toContain('Deliveries');
    expect(await search('the')).toHaveLength(3);
    expect(await search('parking')).toEqual([]);
    expect(await search(`?!' " \\ :* & |`)).toEqual([]);
  });

  it('finds words without their accents, in any language', async () => {
    const { addText, search } = await setup();
    await addText('Öffnungszeiten: 9 bis 17 Uhr.');
    await addText('営業時間は九時からです。');
    expect(await search('offnungszeit', 'de')).toHaveLength(1);
    expect(await search('営業時間', 'ja')).toEqual(['営業時間は九時からです。']);
  });

  it('ranks by common words too among thousands of passages', async () => {
    const { addText, search } = await setup();
    const section = (text: string, index: number): string => `# Room ${index}\n\n${text}`;
    const page = (text: string): string =>
      Array.from({ length: 1300 }, (_, index) => section(text, index)).join('\n\n');
    const { chunks_count: chunks } = await addText(page('A bed, towels and soap.'));
    expect(chunks).toBe(1300);
    await addText(page('A bed and blankets.'));
    await addText('The balcony has a table.');
    await addText('The bed on the balcony has towels.');
    expect(await search('balcony with bed and towels')).toEqual([
      'The bed on the balcony has towels.',
      'The balcony has a table.',
    ]);
    const common = await search('bed towels');
    expect(common).toHaveLength(5);
    for (const content of common) expect(content).toMatch(/bed.*towels/);
    expect(await search('bed')).toHaveLength(5);
  });

  it('stays within its knowledge base', async () => {
    const { ctx, user, addText, search } = await setup();
    const other = await createKnowledgebase(ctx, user, { name: 'Other' });
    const input = { name: 'Page', type: 'txt' as const, content: 'We open at ten.' };
    const { id } = await createDocument(ctx, user, { knowledgebaseId: other.id, input });
    await storeDocument(ctx, id, { text: input.content });
    await addText('We open at nine.');
    expect(await search('open')).toEqual(['We open at nine.']);
  });
});

describe('the mode prompt', () => {
  const LONG = 'word '.repeat(MAX_PROMPT_CHARACTERS / 5 + 1);
  const TOO_LONG = {
    fields: {
      knowledgebase_mode: [
        `The documents of this knowledge base have ${LONG.length} characters. A prompt takes at most 20000; use function_call.`,
      ],
    },
  };

  it('is refused for a large knowledge base, in both orders of changes', async () => {
    const { ctx, user, base, addText, addAssistant } = await setup();
    await addText(LONG);
    const both = { knowledgebase_id: base.id, knowledgebase_mode: 'prompt' };
    await expect(addAssistant(both)).rejects.toMatchObject(TOO_LONG);
    const { id } = await addAssistant({ knowledgebase_mode: 'prompt' });
    const update = (body: Record<string, unknown>) =>
      updateAssistant(ctx, user, { id, changes: updateAssistantBody.parse(body) });
    await expect(update({ knowledgebase_id: base.id })).rejects.toMatchObject(TOO_LONG);
    await update({ knowledgebase_mode: 'function_call', knowledgebase_id: base.id });
    await expect(update({ knowledgebase_mode: 'prompt' })).rejects.toMatchObject(TOO_LONG);
  });

  it('keeps a document out that would make the prompt too long', async () => {
    const { base, addText, addAssistant } = await setup();
    await addAssistant({ knowledgebase_id: base.id, knowledgebase_mode: 'prompt' });
    expect(await addText('Short.')).toMatchObject({ status: 'active' });
    expect(await addText(LONG)).toMatchObject({
      status: 'failed',
      error: 'An assistant has this knowledge base in its prompt, which takes at most 20000 characters.',
    });
  });
});
