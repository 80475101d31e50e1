import { addProvider, listProviders } from '@parley/core';
import { startWebhookReceiver, useTestDatabase } from '@parley/testkit';
import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { arrange, takeJobs, waitingJobs } from '../../test/arrange.ts';
import { createTaskList } from '../task-list.ts';

const database = useTestDatabase();
const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

const json = (body: unknown, status = 200) => ({ status, body: JSON.stringify(body) });
const page = (...names: string[]) =>
  json({ data: names.map((name) => ({ id: `id-${name}`, name })), has_more: false });

/** A Cartesia account whose provider is a server of the test, and the task as the job queue runs it. */
async function setup() {
  const arrangement = await arrange(database.db);
  const server = await startWebhookReceiver();
  undo.push(arrangement.close, () => server.close());
  const { worker, core, identity } = arrangement;
  server.answerNext(page());
  const { id } = await addProvider(core, {
    name: `Cartesia ${randomUUID().slice(0, 8)}`,
    kind: 'cartesia',
    baseUrl: new URL(server.url).origin,
    apiKey: 'key',
    models: [],
    voices: [],
  });
  const task = createTaskList(worker)['refresh_provider_voices'];
  const run = async (payload: unknown) => task?.(payload, undefined as never);
  const voices = async () =>
    (await listProviders(core, identity))
      .find((one) => one.id === id)
      ?.voices.map((voice) => voice.wire_name);
  return { server, id, run, voices };
}

test('the voices of a provider are fetched; the queue retries when it does not answer', async () => {
  const { server, id, run, voices } = await setup();
  server.answerNext(json({}, 503), page('Ann', 'Bob'), json({}, 401));
  await expect(run({ providerId: id })).rejects.toThrow('could not be fetched');
  await run({ providerId: id });
  expect(await voices()).toEqual(['id-Ann', 'id-Bob']);
  await run({ providerId: id }); // A refused key is final: no retry.
  expect(await voices()).toEqual(['id-Ann', 'id-Bob']);
});

test('without a provider id, a job is enqueued for each provider', async () => {
  const { id, run } = await setup();
  await takeJobs(database.db);
  await run({});
  expect(await waitingJobs(database.db, 'refresh_provider_voices', { providerId: id })).toHaveLength(1);
});
