import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { expect, test } from 'vitest';
import { arrange } from '../../test/arrange.ts';
import { overlapping } from '../../test/overlapping.ts';
import { copyAssistant } from './copy-assistant.ts';
import { storePhrase } from './decode-phrase.ts';
import { addRecordedPhrase, listRecordedPhrases } from './recorded-phrases.ts';

const database = useTestDatabase();
const MINUTE_MS = 60_000;

const phrasesInTurn = statement<{ id: number }>(
  '',
  `select (j.payload->>'phraseId')::int as id from graphile_worker._private_jobs j
   join graphile_worker._private_tasks t on t.id = j.task_id
   where t.identifier = 'decode_phrase' and j.payload->>'phraseId' = any ($1) order by j.priority, j.run_at, j.id`,
);

async function setup() {
  const { ctx, identity, assistant } = await arrange(database.db);
  const add = async (text: string, durationMs: number) => {
    const input = { text, file: Buffer.from('a sound').toString('base64') };
    const { id } = await addRecordedPhrase(ctx, identity, { assistantId: assistant.id, input });
    await storePhrase(ctx, id, { sound: Buffer.from('decoded'), durationMs });
    return id;
  };
  const list = async () =>
    (await listRecordedPhrases(ctx, identity, assistant.id)).data.map(({ id, status }) => ({ id, status }));
  return { add, list };
}

test('the recordings of an assistant last 15 minutes; the one that is replaced does not count', async () => {
  const { add, list } = await setup();
  const long = await add('Good morning.', 14 * MINUTE_MS);
  const first = await add('Goodbye.', MINUTE_MS);
  const more = await add('One moment.', 1);
  expect(await list()).toEqual([
    { id: more, status: 'failed' },
    { id: first, status: 'active' },
    { id: long, status: 'active' },
  ]);
  const second = await add('goodbye', MINUTE_MS);
  expect(await list()).toEqual([
    { id: second, status: 'active' },
    { id: more, status: 'failed' },
    { id: long, status: 'active' },
  ]);
});

test('a sound is decoded before those of a user who has uploaded many', async () => {
  const many = await arrange(database.db);
  const few = await arrange(database.db);
  const ids: number[] = [];
  for (const { ctx, identity, assistant } of [many, many, many, few]) {
    const input = { text: `Sentence ${ids.length}.`, file: Buffer.from('a sound').toString('base64') };
    ids.push((await addRecordedPhrase(ctx, identity, { assistantId: assistant.id, input })).id);
  }
  const [first, second, third, other] = ids;
  const turns = await many.ctx.db.query(phrasesInTurn, [ids.map(String)]);
  expect(turns.map(({ id }) => id)).toEqual([first, other, second, third]);
});

test('at most 20 sounds of a user wait to be decoded, also when two assistants get one at the same time', async () => {
  const { ctx, identity, assistant } = await arrange(database.db);
  const other = await copyAssistant(ctx, identity, { id: assistant.id, name: 'Other' });
  const add = (core: typeof ctx, assistantId: number, text: string) => {
    const input = { text, file: Buffer.from('a sound').toString('base64') };
    return addRecordedPhrase(core, identity, { assistantId, input });
  };
  for (let added = 0; added < 19; added += 1) await add(ctx, assistant.id, `Sentence ${added}.`);
  const second = await overlapping(
    ctx,
    (joined) => add(joined, assistant.id, 'Goodbye.'),
    () => add(ctx, other.id, 'Goodbye.'),
  );
  expect(second).toMatchObject({ kind: 'conflict' });
});
