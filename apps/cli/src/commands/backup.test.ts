import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestDatabase } from '@parley/testkit';
import { expect, inject, onTestFinished, test } from 'vitest';
import { useServer } from '../../test/installation.ts';
import { openTerminal } from '../../test/terminal.ts';

const server = useServer();

/** A backup of the server. */
async function setup() {
  const path = join(server.dataDir, 'backup.tar');
  onTestFinished(() => rm(path, { force: true }));
  const saved = await server.openServerTerminal().run('backup', path);
  return { path, saved };
}

/** A terminal beside a new database. */
async function newServer(secretKey = 'a key of at least thirty-two characters') {
  const database = await createTestDatabase(inject('postgresUrl'));
  onTestFinished(() => database.drop());
  const dataDir = join(server.dataDir, 'copy');
  return openTerminal({ DATABASE_URL: database.url, SECRET_KEY: secretKey, DATA_DIR: dataDir });
}

test('a backup is restored into a new database, whose users are those of the original', async () => {
  const { path, saved } = await setup();
  expect(saved).toMatchObject({ exitCode: 0, err: '' });
  expect(saved.out).toMatch(/backup\.tar contains \d+ rows and 0 recordings\. Keep secrets\.json /);
  expect((await stat(path)).mode & 0o077).toBe(0);
  const copy = await newServer();
  const restored = await copy.run('restore', path);
  expect(restored.out).toMatch(/^Restored \d+ rows .*neither dials nor posts webhooks.* cli -- arm\n$/);
  expect((await copy.run('sign-in-link', 'ada@parley.example')).exitCode).toBe(0);
  expect(await copy.run('arm')).toMatchObject({ exitCode: 2 });
  expect((await copy.run('arm', '--yes')).out).toMatch(/^This installation is armed: /);
  expect((await copy.run('arm', '--yes')).out).toBe('This installation is armed already.\n');
});

test('a backup does not overwrite a file, and is refused where it cannot be restored', async () => {
  const { path } = await setup();
  const again = await server.openServerTerminal().run('backup', path);
  expect(again).toMatchObject({ exitCode: 1, out: '' });
  expect(again.err).toMatch(/backup\.tar exists already\. Choose another file name\.\n$/);
  const original = await server.openServerTerminal().run('restore', path);
  expect(original).toMatchObject({ exitCode: 1, out: '' });
  expect(original.err).toMatch(/The database is not empty\. Restore into a new database: /);
  const stranger = await newServer('another key of at least thirty-two characters');
  expect((await stranger.run('restore', path)).err).toMatch(/another SECRET_KEY/);
  expect(await stranger.run('restore', `${path}.missing`)).toMatchObject({ exitCode: 2 });
  const nowhere = openTerminal({ DATA_DIR: join(server.dataDir, 'nothing-here') });
  const unknown = await nowhere.run('restore', path);
  expect(unknown).toMatchObject({ exitCode: 78 });
  expect(unknown.err).toMatch(/Copy secrets\.json of the original installation/);
});
