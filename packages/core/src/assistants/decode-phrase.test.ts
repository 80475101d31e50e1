import { useTestDatabase } from '@parley/testkit';
import { expect, test } from 'vitest';
import { arrange } from '../../test/arrange.ts';
import { storePhrase } from './decode-phrase.ts';
import { addRecordedPhrase, listRecordedPhrases } from './recorded-phrases.ts';

const database = useTestDatabase();
const MINUTE_MS = 60_000;

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
