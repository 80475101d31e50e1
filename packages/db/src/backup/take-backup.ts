/**
 * Takes a backup of the database and the recordings into one archive while the installation works. All tables are read
 * from one snapshot, so they are consistent with each other. docs/decisions/backups.md
 */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { ArchiveWriter } from './archive-writer.ts';
import { BackupError, RECORDINGS, TABLES, type Manifest, type RecordingFiles } from './manifest.ts';
import {
  readMigrations,
  readPartitions,
  readSequences,
  readTables,
  type BackupTable,
} from './read-catalogue.ts';

export interface BackupOptions {
  /** A direct connection. */
  url: string;
  /** The archive, which must not exist yet. */
  path: string;
  recordings: RecordingFiles;
  /** The version of Parley. */
  version: string;
  /** See {@link Manifest}. */
  secretKeyCheck: string;
  /** Called with the number of bytes that have been added. */
  onBytes: (bytes: number) => void;
  /** Abandons the backup. */
  signal: AbortSignal;
}

/** A table is stored in parts, because an entry of a tar file begins with its size. */
const PART_BYTES = 4_000_000;
const SNAPSHOT = 'begin isolation level repeatable read read only';

/** @throws BackupError when the file exists */
export async function takeBackup(options: BackupOptions): Promise<Manifest> {
  if (existsSync(options.path))
    throw new BackupError(`${options.path} exists already. Choose another file name.`);
  const archive = new ArchiveWriter(options.path, options.onBytes);
  try {
    const { keys, ...database } = await addDatabase(archive, options);
    const recordings = await addRecordings(archive, keys, options);
    const { version, secretKeyCheck } = options;
    const manifest = {
      format: 1 as const,
      version,
      secretKeyCheck,
      ...database,
      recordings,
    };
    await archive.finish(manifest);
    return { ...manifest, entries: archive.entries };
  } catch (error) {
    await archive.abandon();
    throw error;
  }
}

type DatabasePart = Pick<Manifest, 'takenAt' | 'migrations' | 'tables' | 'partitions' | 'sequences'> & {
  keys: string[];
};

async function addDatabase(archive: ArchiveWriter, { url, signal }: BackupOptions): Promise<DatabasePart> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(SNAPSHOT);
    const migrations = await readMigrations(client);
    const [clock] = (await client.query<{ now: Date }>('select clock_timestamp() as now')).rows;
    const takenAt = (clock?.now ?? new Date(NaN)).toISOString();
    const partitions = await readPartitions(client);
    const tables: Manifest['tables'] = [];
    for (const table of await readTables(client)) {
      signal.throwIfAborted();
      tables.push({ ...table, rows: await addTable(archive, client, table) });
    }
    const { rows } = await client.query<{ key: string }>('select storage_key as key from recordings');
    const sequences = await readSequences(client);
    return { takenAt, migrations, partitions, tables, sequences, keys: rows.map(({ key }) => key) };
  } finally {
    await client.end();
  }
}

/** @returns the number of rows */
async function addTable(
  archive: ArchiveWriter,
  client: Client,
  { name, columns }: BackupTable,
): Promise<number> {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const copy = client.query(copyTo(`copy (select ${list} from ${client.escapeIdentifier(name)}) to stdout`));
  let part: Buffer[] = [];
  let bytes = 0;
  let parts = 0;
  const flush = async (): Promise<void> => {
    if (bytes === 0) return;
    await archive.addBytes(`${TABLES}${name}/${String(parts++).padStart(6, '0')}`, Buffer.concat(part));
    part = [];
    bytes = 0;
  };
  for await (const chunk of copy as AsyncIterable<Buffer>) {
    part.push(chunk);
    bytes += chunk.length;
    if (bytes >= PART_BYTES) await flush();
  }
  await flush();
  return copy.rowCount;
}

async function addRecordings(
  archive: ArchiveWriter,
  keys: readonly string[],
  { recordings, signal }: BackupOptions,
): Promise<Manifest['recordings']> {
  let files = 0;
  for (const key of keys) {
    signal.throwIfAborted();
    if (await addRecording(archive, key, recordings)) files++;
  }
  return { files, missing: keys.length - files };
}

/** A recording of a running call grows, so its present size is read. @returns false when the recording was removed */
async function addRecording(
  archive: ArchiveWriter,
  key: string,
  recordings: RecordingFiles,
): Promise<boolean> {
  const size = await recordings.size(key);
  if (size === null) return false;
  if (size === 0) {
    await archive.addBytes(`${RECORDINGS}${key}`, Buffer.alloc(0));
    return true;
  }
  const source = recordings.open(key, { start: 0, end: size - 1 });
  try {
    await once(source, 'readable');
  } catch {
    return false;
  }
  await archive.add(`${RECORDINGS}${key}`, size, source);
  return true;
}
