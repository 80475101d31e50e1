import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import { signInOperator } from '../../test/signed-in.ts';

const database = useTestDatabase();
let live: LiveApi;
let browser: Browser;
let id: number;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  browser = await signInOperator(live);
  id = (await browser.trpc.assistants.list.query())[0]?.id ?? 0;
});

afterAll(() => live.stop());

test('the admin app changes an assistant and sees the record as it is now', async () => {
  const before = await browser.trpc.assistants.get.query({ id });
  const changes = { assistant_name: 'Renamed', max_call_duration: '90' };
  const changed = await browser.trpc.assistants.update.mutate({ id, changes });
  expect(changed).toEqual({ ...before, name: 'Renamed', max_duration: 90, updated_at: changed.updated_at });
  expect(await browser.trpc.assistants.get.query({ id })).toEqual(changed);
});

test('faults name their fields', async () => {
  const wrong = browser.trpc.assistants.update.mutate({ id, changes: { voice_id: 999_999 } });
  await expect(wrong).rejects.toMatchObject({
    data: {
      code: 'UNPROCESSABLE_CONTENT',
      errors: { voice_id: ['The selected voice id is invalid.'] },
    },
  });
});

test('faults of the values name the fields of the form, without the wrapper of the changes', async () => {
  const results = [{ name: 'a b', type: 'bool' as const, description: 'x' }];
  const wrong = browser.trpc.assistants.update.mutate({
    id,
    changes: { name: '', post_call_schema: results },
  });
  await expect(wrong).rejects.toMatchObject({
    data: {
      errors: {
        name: ['The name field is required.'],
        'post_call_schema.0.name': ['The post_call_schema.0.name format is invalid.'],
      },
    },
  });
});

test('the admin app shows which speech recognition an assistant uses', async () => {
  const understood = await browser.trpc.assistants.recognition.query({ id });
  expect(understood).toEqual({ by: 'no-voice-process', isByLoudness: false, voiceMismatch: null });
  await expect(browser.trpc.assistants.recognition.query({ id: 0 })).rejects.toMatchObject({
    data: { code: 'NOT_FOUND' },
  });
});

test('the admin app deletes an assistant, once', async () => {
  const made = await browser.trpc.assistants.list.query();
  const last = made.at(-1)?.id ?? 0;
  await browser.trpc.assistants.remove.mutate({ id: last });
  expect((await browser.trpc.assistants.list.query()).map((one) => one.id)).not.toContain(last);
  await expect(browser.trpc.assistants.remove.mutate({ id: last })).rejects.toMatchObject({
    data: { code: 'NOT_FOUND' },
    message: 'Assistant not found',
  });
});
