import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@parley/db';
import { silentLog, systemClock } from '@parley/runtime';
import { afterEach, expect, test } from 'vitest';
import { makeDataFolder, readSecrets } from './data-folder.ts';
import { openLocalDatabase } from './local-database.ts';
import { readSettings } from './settings.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

function setup(environment: Record<string, string> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-local-'));
  undo.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const settings = readSettings({ DATA_DIR: dataDir, ...environment });
  makeDataFolder(dataDir);
  const states: string[] = [];
  const back = Promise.withResolvers<void>();
  const onChange = (state: 'died' | 'back'): void => {
    states.push(state);
    if (state === 'back') back.resolve();
  };
  return {
    options: { settings, secrets: readSecrets(settings), clock: systemClock, log: silentLog, onChange },
    states,
    back,
  };
}

test('a Postgres that crashes is restarted at the same address', async () => {
  const { options, states, back } = setup();
  const database = await openLocalDatabase(options);
  undo.push(() => database.stop());
  process.kill(database.pid() ?? 0, 'SIGKILL');
  await back.promise;
  expect(states).toEqual(['died', 'back']);
  const db = openDatabase({ url: database.url, log: silentLog });
  await db.ping();
  await db.close();
});

test('it requires the password, which only this account can read', async () => {
  const { options } = setup();
  const database = await openLocalDatabase(options);
  undo.push(() => database.stop());
  const db = openDatabase({
    url: database.url.replace(options.secrets.DATABASE_PASSWORD, 'guessed'),
    log: silentLog,
  });
  await expect(db.ping()).rejects.toThrow('password');
  await db.close();
});

test('a database of the environment is used unchanged', async () => {
  const { options } = setup({
    DATABASE_URL: 'postgres://pooler/a',
    DATABASE_URL_DIRECT: 'postgres://direct/a',
  });
  const database = await openLocalDatabase(options);
  expect(database).toMatchObject({ url: 'postgres://pooler/a', directUrl: 'postgres://direct/a' });
  expect(database.pid()).toBeNull();
  await database.stop();
});
