import { buffer } from 'node:stream/consumers';
import { useTestDatabase } from '@parley/testkit';
import { afterEach, expect, test } from 'vitest';
import { arrange } from '../../test/arrange.ts';
import { removeRecording } from './remove-recording.ts';

const database = useTestDatabase();
const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

test('the file of a deleted call is removed, and a second run succeeds', async () => {
  const { worker, close } = await arrange(database.db);
  undo.push(close);
  const { recordings } = worker.core;
  for (const key of ['2026/01/1.wav', '2026/01/2.wav']) {
    const writer = await recordings.createWriter(key);
    await writer.write(Buffer.from(key), 0);
    await writer.close();
  }
  await removeRecording(worker, { key: '2026/01/1.wav' });
  await removeRecording(worker, { key: '2026/01/1.wav' });
  expect(await recordings.size('2026/01/1.wav')).toBeNull();
  expect((await buffer(recordings.open('2026/01/2.wav'))).toString()).toBe('2026/01/2.wav');
});
