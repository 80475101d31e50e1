/**
 * `npm run bench:knowledge`: a look-up in a knowledge base of 100,000 passages by their words, and one by words and meaning,
 * beside a select of one row by its primary key in the same run. The words follow Zipf's law, as those of languages do: a
 * question has common and rare ones. Embeddings are made up: passages of 2,000 subjects, 1,536 numbers each. The provider
 * answers at once, so that the time is that of this installation alone. `-- --passages 10000` uses fewer. The exit code is 1
 * when the goal is missed.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  bootstrapFirstUser,
  bytesOf,
  changeKnowledgebase,
  codeOf,
  createCoreContext,
  createKnowledgebase,
  createProvider,
  diskStorage,
  searchHybrid,
  searchKnowledge,
  similarity,
  type CoreContext,
  type Embedder,
  type EmbeddingModel,
  type Identity,
} from '@parley/core';
import { newProviderBody } from '@parley/contracts';
import { migrate, openDatabase, statement } from '@parley/db';
import { startEmbeddedPostgres } from '@parley/db/embedded';
import { silentLog, systemClock } from '@parley/runtime';
import { exitWith } from './exit-with.ts';
import { quantile } from './spread.rules.ts';

const GOAL_P95_MS = 80;
const PASSAGES_PER_DOCUMENT = 1000;
/** Passages that one statement inserts. */
const BATCH = 2000;
const PASSAGE_CHARACTERS = 900;
const VOCABULARY = 50_000;
const QUESTIONS = 300;
const WARM_UP = 30;

const selectOne = statement<{ id: number }>(
  'bench_select_document',
  'select id from documents where id = $1',
);
const insertDocuments = statement(
  'bench_insert_documents',
  `insert into documents (user_id, knowledgebase_id, name, type, status, links, characters, chunks, created_at, updated_at)
   select $1, $2, 'Document ' || n, 'txt', 'active', '[]', 0, $4, now(), now() from generate_series(1, $3::int) n`,
);
/** The columns of `insert_document_chunks` of the product, for the passages of several documents. */
const insertChunks = statement(
  'bench_insert_chunks',
  `insert into document_chunks (document_id, position, content, terms)
   select d.id, (c.n - 1) % $4::int, c.content,
     array_to_tsvector(array(select $1::bigint || '/' || w from unnest(string_to_array(c.content, ' ')) w))
   from unnest($2::text[]) with ordinality as c (content, n)
   join (
     select id, row_number() over (order by id) - 1 as place from documents where knowledgebase_id = $1::bigint
   ) d on d.place = ($3::int + c.n - 1) / $4::int`,
);
/** Building an index at the end takes a fraction of the time that it takes to keep it up to date. */
const dropIndex = statement('bench_drop_terms_index', 'drop index document_chunks_terms_index');
const createIndex = statement(
  'bench_create_terms_index',
  'create index document_chunks_terms_index on document_chunks using gin (terms) with (fastupdate = off)',
);
const moreMemory = statement('bench_index_memory', "set local maintenance_work_mem = '512MB'");
const noTimeLimit = statement('bench_index_time', 'set local statement_timeout = 0');
const analyze = statement('bench_analyze_chunks', 'analyze document_chunks');

/** The same numbers in every run. */
function randomNumbers(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The vocabulary; small ranks are common. */
const WORDS = Array.from(
  { length: VOCABULARY },
  (_, rank) => `w${rank.toString(26).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '')}`,
);
const wordOf = (rank: number): string => WORDS[rank] ?? '';

const zipf = (random: () => number): number => Math.floor(VOCABULARY ** random());

function passage(random: () => number): string {
  const words: string[] = [];
  for (let length = 0; length < PASSAGE_CHARACTERS; length += (words.at(-1)?.length ?? 0) + 1)
    words.push(wordOf(zipf(random)));
  return words.join(' ');
}

/** Six words, at least one of them rare. */
function question(random: () => number): string {
  const common = Array.from({ length: 5 }, () => wordOf(zipf(random)));
  return [...common, wordOf(1000 + Math.floor(random() * 20_000))].join(' ');
}

const NUMBERS = 1536;
const SUBJECTS = 2000;
/** How much a passage differs from its subject. */
const SPREAD = 0.8;
const TOP = 5;
const RECALL_QUESTIONS = 50;

/** The middle of each subject. */
const MIDDLES = Array.from({ length: SUBJECTS }, (_, subject) => {
  const own = randomNumbers(subject + 1);
  return Float32Array.from({ length: NUMBERS }, () => own() - 0.5);
});

/** An embedding of a subject, near the others of the same one. */
function embeddingOf(subject: number, random: () => number): Float32Array {
  const middle = MIDDLES[subject] ?? new Float32Array(NUMBERS);
  return middle.map((value) => value + SPREAD * (random() - 0.5));
}

const insertCodes = statement(
  'bench_insert_codes',
  `insert into chunk_codes (chunk_id, knowledgebase_id, llm_model_id, code)
   select e.id, $1, $2, e.code::bit(512) from unnest($3::bigint[], $4::text[]) as e (id, code)`,
);
const insertVectors = statement(
  'bench_insert_vectors',
  `insert into chunk_vectors (chunk_id, vector)
   select e.id, decode(e.vector, 'hex') from unnest($1::bigint[], $2::text[]) as e (id, vector)`,
);
const selectChunks = statement<{ id: number }>(
  'bench_select_chunks',
  `select c.id from document_chunks c join documents d on d.id = c.document_id
   where d.knowledgebase_id = $1 and c.id > $2 order by c.id limit ${BATCH}`,
);
const analyzeCodes = statement('bench_analyze_codes', 'analyze chunk_codes');

interface Embedded {
  embedder: Embedder;
  /** The embeddings as they are stored, by the id of the passage. */
  stored: Map<number, Uint8Array>;
}

/** Gives every passage an embedding; the model of the knowledge base is one of a provider that needs no network. */
async function embedAll(core: CoreContext, identity: Identity, knowledgebaseId: number): Promise<Embedded> {
  const random = randomNumbers(7);
  const provider = await createProvider(
    core,
    identity,
    newProviderBody.parse({
      name: 'Benchmark',
      base_url: 'http://127.0.0.1:9/v1',
      embedding_models: [{ name: 'benchmark' }],
    }),
  );
  const modelId = provider.embedding_models[0]?.id ?? 0;
  await changeKnowledgebase(core, identity, {
    id: knowledgebaseId,
    changes: { embedding_model_id: modelId },
  });
  const stored = new Map<number, Uint8Array>();
  for (let last = 0; ;) {
    const ids = (await core.db.query(selectChunks, [knowledgebaseId, last])).map(({ id }) => id);
    if (ids.length === 0) break;
    last = ids.at(-1) ?? 0;
    const vectors = ids.map(() => embeddingOf(Math.floor(random() * SUBJECTS), random));
    const bytes = vectors.map(bytesOf);
    for (const [place, id] of ids.entries()) stored.set(id, bytes[place] ?? new Uint8Array());
    await core.db.query(insertCodes, [knowledgebaseId, modelId, ids, vectors.map(codeOf)]);
    await core.db.query(insertVectors, [ids, bytes.map((one) => one.toString('hex'))]);
  }
  await core.db.query(analyzeCodes);
  const questions = randomNumbers(11);
  const embed = async () => {
    const vector = embeddingOf(Math.floor(questions() * SUBJECTS), questions);
    return { vectors: [vector], tokens: 8, isEstimated: false };
  };
  return { embedder: { embed, embedQuestion: embed, close: async () => {} }, stored };
}

/** The share of the nearest passages, according to a comparison with all of them, that a search finds among its first 20. */
async function recall(
  core: CoreContext,
  { embedder, stored }: Embedded,
  about: { knowledgebaseId: number; userId: number },
): Promise<number> {
  let found = 0;
  for (let asked = 0; asked < RECALL_QUESTIONS; asked += 1) {
    const outcome = await embedder.embedQuestion({} as EmbeddingModel, '');
    const vector = 'vectors' in outcome ? outcome.vectors[0] : undefined;
    if (!vector) continue;
    const nearest = [...stored]
      .map(([id, bytes]) => ({ id, score: similarity(vector, bytes) }))
      .toSorted((one, other) => other.score - one.score)
      .slice(0, TOP);
    const fixed: Embedder = { ...embedder, embedQuestion: async () => outcome };
    // No word of the question is in a passage: the meaning alone decides.
    const answer = await searchHybrid(core, { ...about, query: 'zzz', language: 'en' }, fixed);
    const ids = new Set(answer.passages.map(({ id }) => id));
    found += nearest.filter(({ id }) => ids.has(id)).length;
  }
  return found / (RECALL_QUESTIONS * TOP);
}

async function seed(core: CoreContext, identity: Identity, passages: number): Promise<number> {
  const random = randomNumbers();
  const { id } = await createKnowledgebase(core, identity, { name: 'Benchmark' });
  const documents = Math.ceil(passages / PASSAGES_PER_DOCUMENT);
  await core.db.query(insertDocuments, [identity.userId, id, documents, PASSAGES_PER_DOCUMENT]);
  await core.db.query(dropIndex);
  for (let made = 0; made < passages; made += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, passages - made) }, () => passage(random));
    await core.db.query(insertChunks, [id, batch, made, PASSAGES_PER_DOCUMENT]);
  }
  await core.db.transaction(async (tx) => {
    await tx.query(noTimeLimit);
    await tx.query(moreMemory);
    await tx.query(createIndex);
  });
  await core.db.query(analyze);
  return id;
}

/** Milliseconds of each run. */
async function times(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const measured: number[] = [];
  for (let run = 0; run < count + WARM_UP; run += 1) {
    const startMs = systemClock.monotonic();
    await work();
    if (run >= WARM_UP) measured.push(systemClock.monotonic() - startMs);
  }
  return measured;
}

async function measure(core: CoreContext, passages: number): Promise<boolean> {
  const { user } = await bootstrapFirstUser(core, { email: 'bench@parley.example' });
  const identity: Identity = {
    userId: user.id,
    role: 'operator',
    tokenId: null,
    scopes: 'all',
    timezone: 'UTC',
  };
  const startMs = systemClock.monotonic();
  const knowledgebaseId = await seed(core, identity, passages);
  const seconds = Math.round((systemClock.monotonic() - startMs) / 1000);
  const random = randomNumbers();
  let answered = 0;
  const lookUps = await times(QUESTIONS, async () => {
    const asked = { knowledgebaseId, userId: user.id, query: question(random), language: 'en' };
    answered += Number((await searchKnowledge(core, asked)).length > 0);
  });
  const embedded = await embedAll(core, identity, knowledgebaseId);
  const hybrid = await times(QUESTIONS, async () => {
    const asked = { knowledgebaseId, userId: user.id, query: question(random), language: 'en' };
    await searchHybrid(core, asked, embedded.embedder);
  });
  const share = await recall(core, embedded, { knowledgebaseId, userId: user.id });
  const single = await times(QUESTIONS, () => core.db.query(selectOne, [1]));
  const p95 = Math.max(quantile(lookUps, 0.95), quantile(hybrid, 0.95));
  const ratio = quantile(lookUps, 0.5) / quantile(single, 0.5);
  const shown = (value: number): string => value.toFixed(1);
  const describe = (measured: number[]): string =>
    `p50 ${shown(quantile(measured, 0.5))} ms, p95 ${shown(quantile(measured, 0.95))} ms, slowest ${shown(Math.max(...measured))} ms`;
  process.stdout.write(
    [
      `${passages} passages, stored in ${seconds} s`,
      `${answered} of ${QUESTIONS + WARM_UP} questions found passages`,
      `by words: ${describe(lookUps)}`,
      `by words and meaning: ${describe(hybrid)}`,
      `of the ${TOP} nearest passages a search by meaning finds ${Math.round(share * 100)} %`,
      `one row by its key: p50 ${quantile(single, 0.5).toFixed(2)} ms; a look-up by words takes ${Math.round(ratio)} times as long`,
      p95 <= GOAL_P95_MS ? 'The goal is met.' : `The goal of ${GOAL_P95_MS} ms (p95) is missed.`,
      '',
    ].join('\n'),
  );
  return p95 <= GOAL_P95_MS;
}

async function run(): Promise<void> {
  const { values } = parseArgs({ options: { passages: { type: 'string', default: '100000' } } });
  const folder = await mkdtemp(join(tmpdir(), 'parley-knowledge-'));
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: silentLog });
  try {
    await migrate(postgres.url);
    const db = openDatabase({ url: postgres.url, log: silentLog });
    const core = createCoreContext({
      db,
      clock: systemClock,
      log: silentLog,
      secretKey: 'the secret key of a benchmark on this machine',
      recordings: diskStorage(join(folder, 'recordings')),
    });
    if (!(await measure(core, Number(values.passages)))) process.exitCode = 1;
    await db.close();
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

run().catch(exitWith);
