import { placeWebCall } from '@parley/core';
import { statement } from '@parley/db';
import { silentLog } from '@parley/runtime';
import {
  createTestAssistant,
  createTestContext,
  createTestUser,
  freePort,
  useTestDatabase,
} from '@parley/testkit';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { storedEnd } from '../test/arrange-voice.ts';
import { createVoiceApp } from './app.ts';
import { readSettings } from './settings.ts';

const database = useTestDatabase();
const SECRET = 'the shared secret of the tests of a voice process';

const selectProcesses = statement<{ url: string; isDraining: boolean }>(
  'test_voice_processes',
  'select url, is_draining from voice_processes where url = $1',
);
const dropProcesses = statement('test_drop_own_voice_process', 'delete from voice_processes where url = $1');

/** Starts a complete voice process on free ports. */
async function setup() {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = readSettings({
    DATABASE_URL: database.url,
    SECRET_KEY: 'the secret key of the tests, 32 characters',
    INTERNAL_SECRET: SECRET,
    VOICE_LISTEN: `127.0.0.1:${port}`,
    SIP_LISTEN: '127.0.0.1:0',
    RTP_PORTS: '41000-41019',
    DRAIN_LIMIT: '0',
  });
  const app = createVoiceApp(settings, silentLog);
  onTestFinished(() => app.stop());
  await app.start();
  const core = createTestContext(database.db);
  const processes = () => core.db.query(selectProcesses, [url]);
  /** A call from a browser that talks to the demonstration assistant. */
  const talk = async () => {
    const { identity } = await createTestUser(core);
    const assistant = await createTestAssistant(core, identity);
    const { callId, ticket } = await placeWebCall(core, identity, { assistantId: assistant.id });
    const headers = { authorization: `Bearer ${SECRET}` };
    const socket = new WebSocket(`ws://127.0.0.1:${port}/internal/web-calls?ticket=${ticket}`, { headers });
    const closed = once(socket, 'close');
    await expect
      .poll(async () => (await storedEnd(core, callId))?.status, { timeout: 20_000 })
      .toBe('in-progress');
    return { callId, closed };
  };
  return { app, url, core, processes, talk };
}

test('a process is ready and registered once started, and neither after its stop', async () => {
  const { app, url, processes } = await setup();
  const response = await fetch(`${url}/readyz`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    status: 'ok',
    checks: { database: 'ok', lease: 'ok', capacity: 'ok' },
  });
  expect(await processes()).toEqual([{ url, isDraining: false }]);
  await app.stop();
  expect(await processes()).toEqual([]);
  await expect(fetch(`${url}/livez`)).rejects.toThrow();
});

test('a stop hangs up the calls that did not end within the drain limit, and stores their ends', async () => {
  const { app, core, talk } = await setup();
  const { callId, closed } = await talk();
  await app.stop();
  await closed;
  expect(await storedEnd(core, callId)).toMatchObject({ endedReason: 'shutdown', isLive: false });
});

test('a process that lost its lease hangs up its calls and registers again', async () => {
  const { url, core, processes, talk } = await setup();
  const { closed } = await talk();
  await core.db.query(dropProcesses, [url]);
  await closed;
  await expect.poll(processes, { timeout: 10_000 }).toHaveLength(1);
});
