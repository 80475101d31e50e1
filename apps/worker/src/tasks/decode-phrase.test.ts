import { readFileSync } from 'node:fs';
import {
  addRecordedPhrase,
  copyAssistant,
  deleteRecordedPhrase,
  findPhraseSound,
  listRecordedPhrases,
} from '@parley/core';
import { readWav } from '@parley/audio';
import { createTestAssistant, useTestDatabase } from '@parley/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { arrange } from '../../test/arrange.ts';
import { decodePhrase } from './decode-phrase.ts';

const database = useTestDatabase();
const MP3 = readFileSync(new URL('../../test/tone-440-hz.mp3', import.meta.url)).toString('base64');

async function setup() {
  const { worker, core, identity, close } = await arrange(database.db);
  onTestFinished(close);
  const { id: assistantId } = await createTestAssistant(core, identity, {
    initial_message: 'Good morning. This is Anna.',
  });
  /** Adds a recording and runs its job twice. */
  const record = async (text: string, file = MP3) => {
    const { id } = await addRecordedPhrase(core, identity, { assistantId, input: { text, file } });
    await decodePhrase(worker, { phraseId: id });
    await decodePhrase(worker, { phraseId: id });
    return id;
  };
  const list = (id = assistantId) => listRecordedPhrases(core, identity, id);
  return { core, identity, assistantId, record, list };
}

test('an uploaded sound becomes the recording of its sentence, and replaces an earlier one', async () => {
  const { core, identity, assistantId, record, list } = await setup();
  await record('Good morning! This is Anna');
  const id = await record('good morning. this is anna.');
  const { data, sentences } = await list();
  expect(data).toMatchObject([{ id, status: 'active', error: null }]);
  expect(sentences).toContainEqual({
    text: 'Good morning. This is Anna.',
    used_for: 'initial_message',
    is_recorded: true,
    recorded_phrase_ids: [id],
  });
  expect(sentences).toContainEqual(expect.objectContaining({ used_for: 'standard', is_recorded: false }));
  const sound = readWav(await findPhraseSound(core, identity, { assistantId, id }));
  expect(sound.sampleRateHz).toBe(16_000);
  expect(sound.channels[0]?.length).toBe(Math.round(((data[0]?.duration_ms ?? 0) * 16_000) / 1000));
});

test('a sound that cannot be decoded fails with a reason, and the earlier recording stays', async () => {
  const { record, list } = await setup();
  const id = await record('Hello.');
  const failed = await record('Hello.', Buffer.from('no sound').toString('base64'));
  expect((await list()).data).toMatchObject([
    { id: failed, status: 'failed', error: 'It is not a WAV, MP3 or Ogg Opus file.' },
    { id, status: 'active' },
  ]);
});

test('a copy of an assistant has its recordings, which are then its own', async () => {
  const { core, identity, assistantId, record, list } = await setup();
  const id = await record('Hello.');
  const copy = await copyAssistant(core, identity, { id: assistantId, name: 'Copy' });
  await deleteRecordedPhrase(core, identity, { assistantId, id });
  expect((await list()).data).toEqual([]);
  const { data } = await list(copy.id);
  expect(data).toMatchObject([{ text: 'Hello.', status: 'active' }]);
  const aim = { assistantId: copy.id, id: data[0]?.id ?? 0 };
  expect((await findPhraseSound(core, identity, aim)).length).toBeGreaterThan(1000);
});
