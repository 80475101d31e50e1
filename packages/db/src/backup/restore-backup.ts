/**
 * Restores a backup into an empty database, in one transaction, as a copy that neither dials nor posts webhooks until it
 * is armed. docs/decisions/backups.md
 */
import type { Log } from '@parley/runtime';
import { Client } from 'pg';
import { migrate } from '../migrate.ts';
import { migrations } from '../migrations/all.ts';
import { AUDIT_RETENTION_SETTING } from '../sql/audit-retention.ts';
import { checkArchive, entriesOf } from './check-archive.ts';
import { BackupError, RECORDINGS, TABLES, type Manifest, type RecordingFiles } from './manifest.ts';
import { readTables, type BackupTable } from './read-catalogue.ts';
import { TableLoader } from './table-loader.ts';

export interface RestoreOptions {
  /** A direct connection to a database without tables, or with those of an installation that was never used. */
  url: string;
  /** The archive. */
  path: string;
  recordings: RecordingFiles;
  /** Whether this installation can open what was sealed with the key of the backup. */
  isOwnKey: (secretKeyCheck: string) => boolean;
  log: Log;
  at: Date;
  /** Called with the number of bytes that were checked or restored; each byte counts twice. */
  onBytes: (bytes: number) => void;
}

/** The lock under which `npm start` creates the first user (core, setup/bootstrap-first-user.ts). */
const BOOTSTRAP_LOCK = 7_265_002;

/** @throws BackupError for a backup that cannot be restored here; nothing was changed then */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const { url, path, log } = options;
  const manifest = await checkArchive(path, options.onBytes);
  refuseOtherMigrations(manifest);
  if (!options.isOwnKey(manifest.secretKeyCheck))
    throw new BackupError(
      'This installation has another SECRET_KEY than the backup, so it could not read the stored passwords and keys. Use the SECRET_KEY of the original installation: the file secrets.json of its data folder.',
    );
  await withClient(url, refuseUsedDatabase);
  await migrate(url, log);
  await withClient(url, async (client) => {
    await client.query('begin');
    refuseOtherTables(await emptyTables(client), manifest);
    await createPartitions(client, manifest);
    await loadEntries(client, manifest, options);
    await completeDatabase(client, manifest, options.at);
    await client.query('commit');
    await client.query('analyze');
  });
  return manifest;
}

async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    // An open transaction is rolled back.
    await client.end();
  }
}

function refuseOtherMigrations({ version, migrations: theirs }: Manifest): void {
  const ours = migrations.map(({ name }) => name);
  const missing = ours.filter((name) => !theirs.includes(name));
  const unknown = theirs.filter((name) => !ours.includes(name));
  if (missing.length + unknown.length === 0) return;
  const difference = [
    ...(missing.length > 0 ? [`it lacks ${missing.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`it has ${unknown.join(', ')}, which this version does not have`] : []),
  ].join('; ');
  throw new BackupError(
    `The backup has other migrations than this version of Parley: ${difference}. Restore it with the version that made it (${version}), then upgrade.`,
  );
}

/** A database without tables, or one whose tables were only migrated. */
async function refuseUsedDatabase(client: Client): Promise<void> {
  const { rows } = await client.query<{ tables: number; isOurs: boolean }>(
    `select count(*)::int as tables, to_regclass('public.mikro_orm_migrations') is not null as "isOurs"
     from pg_tables where schemaname = 'public'`,
  );
  if (rows[0]?.tables === 0) return;
  if (rows[0]?.isOurs !== true || (await hasUsers(client))) throw notEmpty();
}

async function hasUsers(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(
    'select exists (select 1 from users) or exists (select 1 from calls) as exists',
  );
  return rows[0]?.exists ?? true;
}

function notEmpty(): BackupError {
  return new BackupError(
    'The database is not empty. Restore into a new database: set DATABASE_URL to one without tables, or DATA_DIR to a new folder.',
  );
}

/**
 * Removes the rows of a new installation. The locks exclude its processes until the end of the transaction.
 *
 * @returns the tables
 */
async function emptyTables(client: Client): Promise<BackupTable[]> {
  await client.query('select pg_advisory_xact_lock($1)', [BOOTSTRAP_LOCK]);
  const found = await readTables(client);
  const tables = found.map(({ name }) => client.escapeIdentifier(name)).join(', ');
  await client.query(`lock table ${tables} in access exclusive mode`);
  if (await hasUsers(client)) throw notEmpty();
  await client.query(`select set_config('${AUDIT_RETENTION_SETTING}', 'on', true)`);
  await client.query(`truncate ${tables} cascade`);
  return found;
}

/**
 * A crafted manifest could name tables of Postgres's own catalogue. The role of the embedded Postgres may write
 * them, and with their rows run any program.
 */
function refuseOtherTables(found: readonly BackupTable[], { tables }: Manifest): void {
  const columnsOf = new Map(found.map(({ name, columns }) => [name, new Set(columns)]));
  for (const { name, columns } of tables) {
    const known = columnsOf.get(name);
    if (!known || columns.some((column) => !known.has(column)))
      throw new BackupError(
        `The manifest lists a table or a column that a backup does not have: ${name}. Nothing was restored. Use another backup.`,
      );
  }
}

/** Months before the current one have no partition in a new database. */
async function createPartitions(client: Client, { partitions }: Manifest): Promise<void> {
  for (const { parent, month } of partitions) {
    const begin = new Date(`${month}-01T00:00:00Z`);
    const end = new Date(begin);
    end.setUTCMonth(end.getUTCMonth() + 1);
    await client.query(
      `create table if not exists ${client.escapeIdentifier(`${parent}_y${month.replace('-', 'm')}`)}
       partition of ${client.escapeIdentifier(parent)}
       for values from ('${begin.toISOString()}') to ('${end.toISOString()}')`,
    );
  }
}

async function loadEntries(client: Client, { tables }: Manifest, options: RestoreOptions): Promise<void> {
  const loader = new TableLoader(client, tables);
  try {
    for await (const entry of entriesOf(options.path)) {
      const { name } = entry.header;
      const sink = name.startsWith(TABLES)
        ? await loader.open(name.slice(TABLES.length).split('/')[0] ?? '')
        : await openRecording(name, options.recordings);
      for await (const chunk of entry) {
        await sink.write(chunk);
        options.onBytes(chunk.length);
      }
      await sink.end();
    }
    await loader.finish();
  } finally {
    loader.abandon();
  }
}

const nothing = { write: async (): Promise<void> => undefined, end: async (): Promise<void> => undefined };

async function openRecording(name: string, recordings: RecordingFiles): Promise<typeof nothing | EntrySink> {
  if (!name.startsWith(RECORDINGS)) return nothing;
  const writer = await recordings.createWriter(name.slice(RECORDINGS.length));
  let offset = 0;
  return {
    async write(bytes) {
      await writer.write(bytes, offset);
      offset += bytes.length;
    },
    end: () => writer.close(),
  };
}

/** Takes the contents of one entry. */
interface EntrySink {
  write(bytes: Buffer): Promise<void>;
  end(): Promise<void>;
}

/**
 * The copy shares no process and no dialog with the original. Each of its live calls gets a voice process that does not
 * exist, and counts as dialed, because the original may have dialed it after the snapshot. The sweep then ends it with the
 * reason `process_lost`. Without its dialog, no BYE is sent: the call may still be running in the original.
 */
const DETACH_CALLS = `update live_calls set voice_process_id = gen_random_uuid(), dialog = null,
  invite_sent_at = coalesce(invite_sent_at, $1), hang_up_requested_at = null, ticket_hash = null`;
const RELEASE_DELIVERIES = `update deliveries set stage = 'due', claimed_by = null, claimed_at = null where stage = 'sending'`;

async function completeDatabase(client: Client, { sequences, takenAt }: Manifest, at: Date): Promise<void> {
  for (const { name, lastValue, isCalled } of sequences)
    await client.query('select setval($1::regclass, $2, $3)', [
      client.escapeIdentifier(name),
      lastValue,
      isCalled,
    ]);
  await client.query('select parley_recount_calls()');
  await client.query('select parley_recount_leads()');
  await client.query(DETACH_CALLS, [takenAt]);
  await client.query(RELEASE_DELIVERIES);
  await client.query('insert into restored_copy (id, taken_at, restored_at) values (1, $1, $2)', [
    takenAt,
    at,
  ]);
}
