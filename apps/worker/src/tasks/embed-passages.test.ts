/** Embeddings of a knowledge base, made by the job and used by a search, with a simulated provider that misbehaves. */
import {
  changeKnowledgebase,
  createDocument,
  createEmbedder,
  createKnowledgebase,
  createProvider,
  deleteKnowledgebase,
  findKnowledgebase,
  searchHybrid,
  setPrices,
  storeDocument,
} from '@parley/core';
import { newProviderBody, priceListBody } from '@parley/contracts';
import { statement } from '@parley/db';
import { ManualClock, systemClock, type Clock } from '@parley/runtime';
import { OpenAiSimulator, type OpenAiSimulatorOptions } from '@parley/speech/fakes';
import { useTestDatabase } from '@parley/testkit';
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { arrange, takeJobs, waitingJobs } from '../../test/arrange.ts';
import { embedPassagesTask } from './embed-passages.ts';

const database = useTestDatabase();

/** Cars and automobiles are the same, and far from bread. */
const SUBJECTS = [/car|automobile|vehicle/i, /bread|loaf|bake/i, /train|rail/i];
const meaningOf = (text: string): number[] => [
  ...SUBJECTS.map((subject) => (subject.test(text) ? 1 : 0)),
  ...Array.from({ length: 13 }, (_, place) => ((text.codePointAt(place % text.length) ?? 0) % 7) / 100),
];

const countEmbeddings = statement<{ codes: number; vectors: number }>(
  '',
  `select (select count(*) from chunk_codes where knowledgebase_id = $1) as codes,
     (select count(*) from chunk_vectors v join document_chunks c on c.id = v.chunk_id
        join documents d on d.id = c.document_id where d.knowledgebase_id = $1) as vectors`,
);

async function setup({
  clock = systemClock,
  ...options
}: Partial<OpenAiSimulatorOptions> & { clock?: Clock } = {}) {
  const { worker, core, identity, close } = await arrange(database.db, { clock });
  const provider = new OpenAiSimulator({ clock: systemClock, embed: meaningOf, ...options });
  await provider.start();
  onTestFinished(async () => {
    await close();
    await provider.stop();
  });
  const suffix = randomUUID().slice(0, 8);
  const account = await createProvider(
    core,
    identity,
    newProviderBody.parse({
      name: `Embeddings ${suffix}`,
      base_url: provider.baseUrl,
      embedding_models: [
        { name: `one ${suffix}`, wire_name: 'one' },
        { name: `two ${suffix}`, wire_name: 'two' },
      ],
    }),
  );
  const [first, second] = account.embedding_models.map(({ id }) => id);
  const base = await createKnowledgebase(core, identity, { name: 'Shop', embedding_model_id: first });
  const add = async (...texts: string[]) => {
    const input = { name: 'Page', type: 'md' as const, content: 'x' };
    const { id } = await createDocument(core, identity, { knowledgebaseId: base.id, input });
    await storeDocument(core, id, { text: texts.map((text, at) => `# ${at}\n\n${text}`).join('\n\n') });
    return id;
  };
  const work = () => embedPassagesTask(worker, { knowledgebaseId: base.id });
  const record = () => findKnowledgebase(core, identity, base.id);
  const waiting = () => waitingJobs(core.db, 'embed_passages', { knowledgebaseId: base.id });
  const search = async (query: string, embedder = worker.embedder) =>
    searchHybrid(
      core,
      { knowledgebaseId: base.id, userId: identity.userId, query, language: 'en' },
      embedder,
    );
  return {
    worker,
    core,
    identity,
    provider,
    account,
    first,
    second,
    base,
    add,
    work,
    record,
    waiting,
    search,
  };
}

test('passages are embedded and found by their meaning', async () => {
  const { identity, core, account, provider, add, work, record, search, waiting, first } = await setup();
  const priced = { provider_id: account.id, per_million_input_tokens: 2 };
  await setPrices(core, identity, priceListBody.parse({ providers: [priced] }));
  await add(
    'We rent every automobile by the day.',
    'A loaf costs two dollars.',
    'The railway station is near.',
  );
  expect(await record()).toMatchObject({
    embedding_status: 'processing',
    chunks_count: 3,
    embedding_tokens: 0,
  });
  expect(await waiting()).toHaveLength(1);
  await work();
  await work();
  const { body, path } = await provider.request(0);
  expect([path, body['model'], (body['input'] as string[]).length]).toEqual(['/v1/embeddings', 'one', 3]);
  expect(provider.requests).toHaveLength(1);
  expect(await record()).toMatchObject({
    embedding_model_id: first,
    embedding_status: 'active',
    embedding_error: null,
    embedded_chunks_count: 3,
    embedding_tokens: 26,
    embedding_cost: 0.000052,
  });
  const found = await search('Which cars do you have?');
  expect(found.by).toBe('words-and-meaning');
  expect(found.passages[0]?.content).toContain('automobile');
  expect(found.used).toMatchObject({
    stage: 'embedding',
    unit: 'input_token',
    quantity: 6,
    llmModelId: first,
  });
  const both = await search('Where is the station for trains?');
  expect(both.passages[0]?.content).toContain('station');
});

test('another model embeds all passages again, and none removes the embeddings', async () => {
  const { core, identity, base, provider, second, add, work, record, search } = await setup();
  await add('A car.', 'A bread.');
  await work();
  const change = (embedding_model_id: number | null | undefined) =>
    changeKnowledgebase(core, identity, { id: base.id, changes: { embedding_model_id } });
  expect(await change(second)).toMatchObject({ embedding_status: 'processing', embedded_chunks_count: 0 });
  await work();
  expect(provider.requests.map(({ body }) => body['model'])).toEqual(['one', 'two']);
  expect(await record()).toMatchObject({ embedding_status: 'active', embedded_chunks_count: 2 });
  expect(await core.db.query(countEmbeddings, [base.id])).toEqual([{ codes: 2, vectors: 2 }]);
  expect(await change(null)).toMatchObject({ embedding_status: 'off', embedding_model_id: null });
  await work();
  expect(await core.db.query(countEmbeddings, [base.id])).toEqual([{ codes: 0, vectors: 0 }]);
  expect(await search('vehicle')).toMatchObject({ by: 'words', passages: [] });
});

test.each([
  [
    'refuses the key',
    { type: 'status', status: 401, message: 'no' },
    'The provider refuses its key (status 401).',
  ],
  ['is overloaded', { type: 'status', status: 429, message: 'later' }, 'status 429'],
  ['fails', { type: 'status', status: 500, message: 'oops' }, 'The provider answered with the status 500.'],
  ['ends early', { type: 'unfinished', after: 0 }, 'contains no embeddings that can be used'],
  ['breaks the connection', { type: 'cut', after: 0 }, 'contains no embeddings that can be used'],
] as const)('a provider that %s is asked again later', async (_name, fault, reason) => {
  const { provider, add, work, record, core, waiting } = await setup();
  await add('A car.');
  await takeJobs(core.db);
  provider.failNext(fault);
  await work();
  const failed = await record();
  expect(failed).toMatchObject({ embedding_status: 'failed', embedded_chunks_count: 0 });
  expect(failed.embedding_error).toContain(reason);
  expect(await waiting()).toHaveLength(1);
  await work();
  expect(await record()).toMatchObject({ embedding_status: 'active', embedding_error: null });
});

test.each([
  ['too few numbers', () => [1, 2]],
  ['only zeros', () => Array.from({ length: 16 }, () => 0)],
  ['other lengths for other texts', (text: string) => Array.from({ length: text.length + 8 }, () => 1)],
])('embeddings with %s are refused', async (_name, embed) => {
  const { add, work, record } = await setup({ embed });
  await add('A car.', 'A long train.');
  await work();
  expect((await record()).embedding_error).toContain('contains no embeddings that can be used');
});

test('a search goes by words alone while the provider is slow, and soon asks it again', async () => {
  const clock = new ManualClock();
  const { core, provider, add, work, search } = await setup({ clock });
  await add('We rent every automobile by the day.', 'A loaf costs two dollars.');
  await work();
  const embedder = createEmbedder({ clock, log: core.log });
  onTestFinished(() => embedder.close());
  provider.failNext({ type: 'stall', after: 0 });
  const slow = search('the loaf', embedder);
  await provider.request(1);
  clock.advance(500);
  expect(await slow).toMatchObject({ by: 'words-only', used: null, passages: [{ position: 1 }] });
  expect(await search('the loaf', embedder)).toMatchObject({ by: 'words-only' });
  expect(provider.requests).toHaveLength(2);
  clock.advance(15_000);
  expect(await search('the loaf', embedder)).toMatchObject({ by: 'words-and-meaning' });
});

test('an account embeds a limited number of passages in a day', async () => {
  const clock = new ManualClock();
  const { worker, add, work, record, waiting, core } = await setup({ clock });
  worker.embeddingsPerDay = 3;
  await add('A car.', 'A bread.');
  await work();
  await add('A train.', 'A loaf.');
  await takeJobs(core.db);
  await work();
  expect(await record()).toMatchObject({
    embedding_status: 'failed',
    embedding_error: 'The account has embedded 3 passages today. The rest follows tomorrow.',
    embedded_chunks_count: 2,
  });
  const [job] = await waiting();
  expect(job?.runAt.toISOString()).toMatch(/T00:00:00\.000Z$/);
  clock.advance((job?.runAt.getTime() ?? 0) - clock.now());
  await work();
  expect(await record()).toMatchObject({ embedding_status: 'active', embedded_chunks_count: 4 });
});

test('two runs of the job at once store each passage once, and a deleted base ends them', async () => {
  const { core, identity, base, add, work, record } = await setup();
  await add(...Array.from({ length: 70 }, (_, at) => `Room ${at} has a car.`));
  await Promise.all([work(), work()]);
  expect(await record()).toMatchObject({ embedding_status: 'active', embedded_chunks_count: 70 });
  expect(await core.db.query(countEmbeddings, [base.id])).toEqual([{ codes: 70, vectors: 70 }]);
  await deleteKnowledgebase(core, identity, base.id);
  await work();
  expect(await core.db.query(countEmbeddings, [base.id])).toEqual([{ codes: 0, vectors: 0 }]);
});

test('a model that holds conversations embeds nothing, and providers without embeddings offer none', async () => {
  const { core, identity } = await setup();
  await expect(
    createKnowledgebase(core, identity, { name: 'Shop', embedding_model_id: 1 }),
  ).rejects.toMatchObject({
    fields: { embedding_model_id: ['The selected embedding model id is invalid.'] },
  });
  const body = { name: 'Speech', kind: 'deepgram', embedding_models: [{ name: 'x' }] };
  await expect(createProvider(core, identity, newProviderBody.parse(body))).rejects.toMatchObject({
    fields: { embedding_models: ['Providers of this kind have no embedding models.'] },
  });
});
