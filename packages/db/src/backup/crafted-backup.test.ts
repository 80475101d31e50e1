/** Crafted backups with correct checksums, from an attacker who can write to the folder of the backups. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { silentLog } from '@parley/runtime';
import { createTestDatabase, useTestDatabase } from '@parley/testkit';
import { extract, pack, type Header } from 'tar-stream';
import { expect, inject, onTestFinished, test } from 'vitest';
import { statement } from '../statement.ts';
import { MANIFEST, MANIFEST_SUM, type Manifest, type RecordingFiles } from './manifest.ts';
import { restoreBackup } from './restore-backup.ts';
import { takeBackup } from './take-backup.ts';

const original = useTestDatabase();

interface File {
  header: Pick<Header, 'name'> & Partial<Header>;
  bytes: Buffer;
}

/** Notes the names of what would be written. */
function noteFiles(): { recordings: RecordingFiles; written: string[] } {
  const written: string[] = [];
  return {
    written,
    recordings: {
      size: async () => null,
      open: () => createReadStream('/dev/null'),
      createWriter: async (key) => {
        written.push(key);
        return { write: async () => undefined, close: async () => undefined };
      },
    },
  };
}

async function filesOf(path: string): Promise<File[]> {
  const files: File[] = [];
  const archive = extract();
  createReadStream(path).pipe(archive);
  for await (const entry of archive) files.push({ header: entry.header, bytes: await buffer(entry) });
  return files;
}

const sumOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

interface Change {
  manifest?: (manifest: Manifest) => void;
  /** Added to the archive and to its manifest. */
  add?: File[];
  /** The checksum of the manifest; absent: the right one. */
  manifestSum?: string;
}

/** A real backup that was changed, and whose checksums were made again. */
async function craft({ manifest: change, add = [], manifestSum }: Change) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-crafted-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [taken, path] = [join(folder, 'taken.tar'), join(folder, 'crafted.tar')];
  await takeBackup({
    url: original.url,
    path: taken,
    recordings: noteFiles().recordings,
    version: '0.1.0',
    secretKeyCheck: 'sealed',
    onBytes: () => undefined,
    signal: new AbortController().signal,
  });
  const files = await filesOf(taken);
  const contents = files.filter(({ header }) => header.name !== MANIFEST && header.name !== MANIFEST_SUM);
  const text = files.find(({ header }) => header.name === MANIFEST)?.bytes.toString() ?? '';
  const manifest = JSON.parse(text) as Manifest;
  change?.(manifest);
  contents.push(...add);
  const entries = contents.map(({ header, bytes }) => ({
    name: header.name,
    bytes: bytes.length,
    sha256: sumOf(bytes),
  }));
  const lines = Buffer.from(JSON.stringify({ ...manifest, entries }));
  await write(path, [
    ...contents,
    { header: { name: MANIFEST }, bytes: lines },
    { header: { name: MANIFEST_SUM }, bytes: Buffer.from(manifestSum ?? sumOf(lines)) },
  ]);
  return { path, folder };
}

async function write(path: string, files: readonly File[]): Promise<void> {
  const archive = pack();
  const written = pipeline(archive, createWriteStream(path));
  for (const { header, bytes } of files) {
    const { name, type = 'file', linkname } = header;
    archive.entry({ name, type, ...(linkname ? { linkname } : {}) }, bytes);
  }
  archive.finalize();
  await written;
}

async function restore(path: string) {
  const database = await createTestDatabase(inject('postgresUrl'));
  onTestFinished(() => database.drop());
  const { recordings, written } = noteFiles();
  const restored = restoreBackup({
    url: database.url,
    path,
    recordings,
    isOwnKey: () => true,
    log: silentLog,
    at: new Date(),
    onBytes: () => undefined,
  });
  return { database, restored, written };
}

/** The head of an entry in a tar file (POSIX.1-1988, "ustar"). */
function headOf(name: string, size: number): Buffer {
  const head = Buffer.alloc(512);
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;
  head.write(name, 0);
  head.write(octal(0o600, 7), 100);
  head.write(octal(size, 11), 124);
  head.write(' '.repeat(8), 148);
  head.write('0', 156);
  head.write('ustar\u000000', 257);
  head.write(
    octal(
      head.reduce((sum, byte) => sum + byte, 0),
      6,
    ),
    148,
  );
  return head;
}

test('what is changed here can be restored where nothing was changed', async () => {
  const { path } = await craft({});
  const { restored } = await restore(path);
  await restored;
});

test('rows of the catalogue of Postgres are not loaded', async () => {
  const rows = Buffer.from('evil\tt\tt\n');
  const { path } = await craft({
    manifest: ({ tables }) =>
      tables.push({ name: 'pg_authid', columns: ['rolname', 'rolsuper', 'rolcanlogin'], rows: 1 }),
    add: [{ header: { name: 'database/pg_authid/000000' }, bytes: rows }],
  });
  const { restored, database } = await restore(path);
  await expect(restored).rejects.toThrow('that a backup does not have: pg_authid. Nothing was restored.');
  const roles = statement<{ name: string }>(
    '',
    `select rolname as name from pg_roles where rolname = 'evil'`,
  );
  expect(await database.db.query(roles)).toEqual([]);
});

test.each(['mikro_orm_migrations', 'sessions', 'sign_in_links', 'restored_copy'])(
  'the table %s is not loaded',
  async (name) => {
    const { path } = await craft({
      manifest: ({ tables }) => tables.push({ name, columns: ['id'], rows: 0 }),
    });
    const { restored } = await restore(path);
    await expect(restored).rejects.toThrow(`that a backup does not have: ${name}.`);
  },
);

test('a column that a backup does not have is refused before rows are loaded', async () => {
  const { path } = await craft({
    manifest: ({ tables }) => tables.find(({ name }) => name === 'users')?.columns.push('evil'),
  });
  const { restored } = await restore(path);
  await expect(restored).rejects.toThrow('that a backup does not have: users. Nothing was restored.');
});

test('a manifest that its checksum does not fit is refused', async () => {
  const { path } = await craft({ manifestSum: sumOf(Buffer.from('another manifest')) });
  const { restored } = await restore(path);
  await expect(restored).rejects.toThrow('its manifest was changed');
});

test.each([
  'recordings/../../evil.wav',
  'recordings//etc/evil.wav',
  'recordings/2026/../../../evil.wav',
  'recordings/./evil.wav',
  'recordings/',
  'recordings/2026/11/.ssh',
  'recordings/2026\\11\\evil.wav',
  'recordings/2026/1\n.wav',
  '../recordings/evil.wav',
  '/etc/evil',
  'secrets.json',
])('a file with the name %j is refused before anything is written', async (name) => {
  const { path, folder } = await craft({ add: [{ header: { name }, bytes: Buffer.from('evil') }] });
  const { restored, written } = await restore(path);
  await expect(restored).rejects.toThrow(/is damaged: it contains a file with a name that no backup has/);
  expect(written).toEqual([]);
  expect((await readdir(folder)).toSorted()).toEqual(['crafted.tar', 'taken.tar']);
});

test.each(['symlink', 'link', 'directory', 'character-device', 'fifo'] as const)(
  'a %s is refused',
  async (type) => {
    const link = {
      header: { name: 'recordings/2026/11/1.wav', type, linkname: '/etc' },
      bytes: Buffer.alloc(0),
    };
    const { path } = await craft({ add: [link] });
    const { restored, written } = await restore(path);
    await expect(restored).rejects.toThrow('it contains something else than files');
    expect(written).toEqual([]);
  },
);

test('a manifest that claims to be huge, or is no JSON, is refused without being read', async () => {
  const { folder } = await craft({});
  const path = join(folder, 'other.tar');
  // Its size stands in the head of the entry; most of the bytes never come.
  await writeFile(path, Buffer.concat([headOf(MANIFEST, 300_000_000), Buffer.alloc(4_000_000)]));
  await expect((await restore(path)).restored).rejects.toThrow('its manifest is too large');
  const text = Buffer.from('{');
  await write(path, [
    { header: { name: MANIFEST }, bytes: text },
    { header: { name: MANIFEST_SUM }, bytes: Buffer.from(sumOf(text)) },
  ]);
  await expect((await restore(path)).restored).rejects.toThrow(
    'has a format that this version of Parley cannot read',
  );
});
