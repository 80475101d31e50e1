import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { afterEach, expect, test } from 'vitest';
import { arrange, DIALOG } from '../../test/arrange.ts';
import { endDialog } from './end-dialog.ts';

const database = useTestDatabase();
const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

const JOB = { callId: 7, dialog: DIALOG };
const dropAll = statement('', 'delete from voice_processes');

async function setup() {
  const arrangement = await arrange(database.db);
  undo.push(arrangement.close);
  return arrangement;
}

test('a live process sends BYE to the far end', async () => {
  const { worker, voice } = await setup();
  await endDialog(worker, JOB);
  expect(voice.asked).toMatchObject([
    { method: 'POST', path: '/internal/dialogs/bye', body: { dialog: DIALOG } },
  ]);
});

test('the queue retries while no process is available or it does not answer', async () => {
  const { worker, voice } = await setup();
  await voice.close();
  await expect(endDialog(worker, JOB)).rejects.toThrow('unreachable');
  await database.db.query(dropAll);
  await expect(endDialog(worker, JOB)).rejects.toThrow('No voice process');
});
