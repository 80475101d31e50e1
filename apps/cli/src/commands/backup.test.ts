import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestDatabase } from '@parley/testkit';
import { expect, inject, onTestFinished, test } from 'vitest';
import { useInstallation } from '../../test/installation.ts';
import { openTerminal } from '../../test/terminal.ts';

const installation = useInstallation();

/** A backup of the installation. */
async function setup() {
  const path = join(installation.dataDir, 'backup.tar');
  onTestFinished(() => rm(path, { force: true }));
  const saved = await installation.openServerTerminal().run('backup', path);
  return { path, saved };
}

/** A terminal beside a new database. */
async function newServer(secretKey = 'a key of at least thirty-two characters') {
  const database = await createTestDatabase(inject('postgresUrl'));
  onTestFinished(() => database.drop());
  const dataDir = join(installation.dataDir, 'copy');
  return openTerminal({ DATABASE_URL: database.url, SECRET_KEY: secretKey, DATA_DIR: dataDir });
}

test('a backup is restored into a new database, whose users are those of the original', async () => {
  const { path, saved } = await setup();
  expect(saved).toMatchObject({ exitCode: 0, err: '' });
  expect(saved.out).toMatch(/backup\.tar contains \d+ rows and 0 recordings\. Keep secrets\.json /);
  expect((await stat(path)).mode & 0o077).toBe(0);
  const server = await newServer();
  const restored = await server.run('restore', path);
  expect(restored.out).toMatch(/^Restored \d+ rows .*neither dials nor posts webhooks.* cli -- arm\n$/);
  expect((await server.run('sign-in-link', 'ada@parley.example')).exitCode).toBe(0);
  expect(await server.run('arm')).toMatchObject({ exitCode: 2 });
  expect((await server.run('arm', '--yes')).out).toMatch(/^This installation is armed: /);
  expect((await server.run('arm', '--yes')).out).toBe('This installation is armed already.\n');
});

test('a backup does not overwrite a file, and is refused where it cannot be restored', async () => {
  const { path } = await setup();
  const again = await installation.openServerTerminal().run('backup', path);
  expect(again).toMatchObject({ exitCode: 1, out: '' });
  expect(again.err).toMatch(/backup\.tar exists already\. Choose another file name\.\n$/);
  const original = await installation.openServerTerminal().run('restore', path);
  expect(original).toMatchObject({ exitCode: 1, out: '' });
  expect(original.err).toMatch(/The database is not empty\. Restore into a new database: /);
  const stranger = await newServer('another key of at least thirty-two characters');
  expect((await stranger.run('restore', path)).err).toMatch(/another SECRET_KEY/);
  expect(await stranger.run('restore', `${path}.missing`)).toMatchObject({ exitCode: 2 });
  const nowhere = openTerminal({ DATA_DIR: join(installation.dataDir, 'nothing-here') });
  const unknown = await nowhere.run('restore', path);
  expect(unknown).toMatchObject({ exitCode: 78 });
  expect(unknown.err).toMatch(/Copy secrets\.json of the original installation/);
});
