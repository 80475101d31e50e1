import { readWav, tone, wavHeader } from '@parley/audio';
import { addRecordedPhrase, storePhrase, type CallPhrase } from '@parley/core';
import { statement } from '@parley/db';
import { ManualClock } from '@parley/runtime';
import {
  captureLog,
  createTestAssistant,
  createTestContext,
  createTestUser,
  useTestDatabase,
} from '@parley/testkit';
import { expect, test } from 'vitest';
import { RecordedSounds } from './recorded-sounds.ts';

const database = useTestDatabase();
const SAMPLES = 16_000;
const sound = tone({ hz: 440, sampleRateHz: 16_000, samples: SAMPLES });
const FILE = Buffer.concat([
  wavHeader({ channelCount: 1, sampleRateHz: 16_000, dataBytes: 2 * SAMPLES }),
  new Uint8Array(sound.buffer),
]);
const removeAll = statement('', 'delete from recorded_phrases');

async function setup(texts: readonly string[], limitBytes?: number) {
  const clock = new ManualClock();
  const { log, lines } = captureLog();
  // A copy, so that a test can make its own database fail.
  const core = createTestContext({ ...database.db }, { clock, log });
  const { identity } = await createTestUser(core);
  const { id: assistantId } = await createTestAssistant(core, identity);
  const phrases: CallPhrase[] = [];
  for (const text of texts) {
    const input = { text, file: FILE.toString('base64') };
    const { id } = await addRecordedPhrase(core, identity, { assistantId, input });
    await storePhrase(core, id, { sound: FILE, durationMs: 1000 });
    phrases.push({ id, text });
  }
  const recordings = new RecordedSounds(core, limitBytes).of(phrases);
  const soundOf = async (text: string, sampleRateHz = 8000) => recordings?.soundOf(text, sampleRateHz);
  return { clock, core, lines, recordings, soundOf };
}

test('an assistant without recordings has none', async () => {
  expect((await setup([])).recordings).toBeUndefined();
});

test('a sound has the rate of the line, and is kept for later calls', async () => {
  const { recordings, soundOf } = await setup(['Hello.', 'Goodbye.']);
  expect(recordings?.texts).toEqual(['Hello.', 'Goodbye.']);
  expect(await soundOf('Never recorded.')).toBeNull();
  const [narrow, wide] = [await soundOf('Hello.'), await soundOf('Hello.', 16_000)];
  expect(narrow?.length).toBe(SAMPLES / 2);
  expect(wide).toEqual(readWav(FILE).channels[0]);
  await database.db.query(removeAll);
  wide?.fill(0); // The call that received it may change it.
  expect(await soundOf('Hello.', 16_000)).toEqual(sound);
  expect(await soundOf('Hello.')).toEqual(narrow);
  expect(await soundOf('Goodbye.')).toBeNull();
});

test('what exceeds the memory of the process is read again', async () => {
  const texts = ['One.', 'Two.', 'Three.', 'Four.', 'Five.'];
  const { soundOf } = await setup(texts, 4 * SAMPLES);
  for (const text of texts) expect(await soundOf(text)).toHaveLength(SAMPLES / 2);
  await database.db.query(removeAll);
  const kept = await Promise.all(texts.map(async (text) => (await soundOf(text)) !== null));
  expect(kept).toEqual([false, true, true, true, true]);
});

test('calls that begin together read a sound once', async () => {
  const { core, soundOf } = await setup(['Hello.']);
  let reads = 0;
  core.db.query = async (...input) => {
    reads += 1;
    return database.db.query(...input);
  };
  const sounds = await Promise.all([soundOf('Hello.'), soundOf('Hello.'), soundOf('Hello.')]);
  expect(reads).toBe(1);
  expect(new Set(sounds)).toHaveLength(3);
  expect(sounds.map((samples) => samples?.length)).toEqual([8000, 8000, 8000]);
});

test('a database that fails or does not answer within a second leaves the sentence to the voice', async () => {
  const { clock, core, lines, soundOf } = await setup(['Hello.']);
  core.db.query = async () => Promise.reject(new Error('The connection is lost'));
  expect(await soundOf('Hello.')).toBeNull();
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  core.db.query = async (...input) => {
    await answered;
    return database.db.query(...input);
  };
  const late = soundOf('Hello.');
  await clock.advanceAsync(1000);
  expect(await late).toBeNull();
  expect(lines.filter(({ msg }) => msg === 'A recorded phrase could not be read')).toHaveLength(2);
  answer();
  expect(await soundOf('Hello.')).toHaveLength(SAMPLES / 2);
});
