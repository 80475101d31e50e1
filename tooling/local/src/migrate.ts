/**
 * `npm run migrate`: brings the database to the newest schema and ends. Without DATABASE_URL that is the embedded one,
 * running or not.
 */
import { migrate } from '@parley/db';
import { createLog, EXIT_BAD_SETTINGS, SettingsError, systemClock } from '@parley/runtime';
import { findRunning, makeDataFolder, readSecrets } from './data-folder.ts';
import { openLocalDatabase } from './local-database.ts';
import { readSettings } from './settings.ts';

async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const log = createLog({ name: 'migrate', level: settings.LOG_LEVEL });
  const running = settings.DATABASE_URL ? null : findRunning(settings.DATA_DIR);
  const runningUrl = running?.environment['DATABASE_URL_DIRECT'];
  if (runningUrl) return migrate(runningUrl, log);
  makeDataFolder(settings.DATA_DIR);
  const secrets = readSecrets(settings);
  const database = await openLocalDatabase({
    settings,
    secrets,
    clock: systemClock,
    log,
    onChange: () => {},
  });
  try {
    await migrate(database.directUrl, log);
  } finally {
    await database.stop();
  }
}

try {
  await main();
  process.stdout.write('The database has the newest schema.\n');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof SettingsError ? EXIT_BAD_SETTINGS : 1;
}
