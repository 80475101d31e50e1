/** `backup`, `restore`, `arm`: on the server. docs/operations.md */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { arm, createSecretBox, diskStorage } from '@parley/core';
import { restoreBackup, takeBackup, type Manifest } from '@parley/db/backup';
import { startEmbeddedPostgres } from '@parley/db/embedded';
import { silentLog } from '@parley/runtime';
import type { Command } from 'commander';
import { callerPath } from '../caller-path.ts';
import { CommandError, EXIT } from '../command-error.ts';
import { confirm, withConfirmation, type ConfirmationOptions } from '../confirmation.ts';
import { print, type Console } from '../console.ts';
import { startProgressBar } from '../progress-bar.ts';
import { auditCommand, withServer } from '../server-access.ts';
import { findInstallation, parleyVersion, type Installation } from '../settings.ts';
import { texts } from './texts.ts';

/** What is sealed with the SECRET_KEY, so that a restore recognises the key. */
const KEY_CHECK = 'parley backup';

/** @param program - gets the commands */
export function addBackupCommands(program: Command, console: Console): void {
  program
    .command('backup')
    .description(texts.backup.about)
    .argument('<file>', texts.backup.file)
    .option('--json', texts.common.json)
    .action((file: string, options: { json?: boolean }) => backup(console, file, options));
  program
    .command('restore')
    .description(texts.backup.restore)
    .argument('<file>', texts.backup.archive)
    .option('--json', texts.common.json)
    .action((file: string, options: { json?: boolean }) => restore(console, file, options));
  withConfirmation(program.command('arm'))
    .description(texts.backup.arm)
    .option('--json', texts.common.json)
    .action((options: ConfirmationOptions & { json?: boolean }) => armInstallation(console, options));
}

async function backup(console: Console, file: string, { json }: { json?: boolean }): Promise<void> {
  await withServer(console, async (core) => {
    const path = callerPath(console.environment, file);
    const { onBytes, end } = showBytes(console, null);
    const manifest = await takeBackup({
      url: core.db.directUrl,
      path,
      recordings: core.recordings,
      version: parleyVersion(),
      secretKeyCheck: core.secretBox.seal(KEY_CHECK),
      onBytes,
      signal: console.signal,
    }).finally(end);
    await auditCommand(core, 'installation.backup', null);
    const { files, missing } = manifest.recordings;
    const lines = [
      texts.backup.saved(path, rowsOf(manifest), files),
      ...(missing > 0 ? [texts.backup.missing(missing)] : []),
    ];
    print(console, { json: { path, ...summaryOf(manifest) }, text: lines.join('\n') }, json);
  });
}

async function restore(console: Console, file: string, { json }: { json?: boolean }): Promise<void> {
  const path = callerPath(console.environment, file);
  const { size } = await stat(path).catch((cause: unknown) => {
    throw new CommandError(texts.backup.unreadable(path), { exitCode: EXIT.usage, cause });
  });
  const installation = findInstallation(console.environment);
  await withEmptyDatabase(installation, async (url, secretKey) => {
    console.remark(`${texts.backup.checking}\n`);
    const { onBytes, end } = showBytes(console, size * 2);
    const manifest = await restoreBackup({
      url,
      path,
      recordings: diskStorage(join(installation.dataDir, 'recordings')),
      isOwnKey: (sealed) => isSealedWith([secretKey, ...installation.otherSecretKeys], sealed),
      log: silentLog,
      at: new Date(console.clock.now()),
      onBytes,
    }).finally(end);
    const text = texts.backup.restored(rowsOf(manifest), manifest.recordings.files, manifest.takenAt);
    print(console, { json: { path, ...summaryOf(manifest) }, text }, json);
  });
}

async function armInstallation(
  console: Console,
  options: ConfirmationOptions & { json?: boolean },
): Promise<void> {
  await withServer(console, async (core) => {
    await confirm(console, options, texts.backup.confirm);
    const wasDisarmed = await arm(core);
    await auditCommand(core, 'installation.arm', null);
    const text = wasDisarmed ? texts.backup.armed : texts.backup.wasArmed;
    print(console, { json: { armed: true, was_armed: !wasDisarmed }, text }, options.json);
  });
}

/** The database of DATABASE_URL, or the embedded one of the data folder, which is started for the restore. */
async function withEmptyDatabase(
  { databaseUrl, secretKey, databasePassword, dataDir }: Installation,
  work: (url: string, secretKey: string) => Promise<void>,
): Promise<void> {
  if (secretKey === null || (databaseUrl === null && databasePassword === null))
    throw new CommandError(texts.backup.noDatabase, {
      exitCode: EXIT.configuration,
      hint: texts.backup.noDatabaseHint,
    });
  if (databaseUrl !== null) return work(databaseUrl, secretKey);
  const password = databasePassword ?? '';
  const postgres = await startEmbeddedPostgres({
    dataDir: join(dataDir, 'postgres'),
    password,
    log: silentLog,
  });
  try {
    await work(postgres.url, secretKey);
  } finally {
    await postgres.stop();
  }
}

function isSealedWith([secretKey = '', ...others]: readonly string[], sealed: string): boolean {
  try {
    return createSecretBox(secretKey, others).open(sealed) === KEY_CHECK;
  } catch {
    return false;
  }
}

function showBytes(console: Console, total: number | null) {
  const bar = startProgressBar(console, total);
  let done = 0;
  return { onBytes: (bytes: number) => bar.update((done += bytes)), end: () => bar.end() };
}

function rowsOf({ tables }: Manifest): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

function summaryOf(manifest: Manifest) {
  const { takenAt, version, recordings } = manifest;
  return { taken_at: takenAt, version, rows: rowsOf(manifest), recordings };
}
