/** Access to the use cases, for commands that run on the server with the database and the secret key. */
import { join } from 'node:path';
import { createCoreContext, diskStorage, writeAudit, type CoreContext } from '@parley/core';
import { openDatabase } from '@parley/db';
import { silentLog } from '@parley/runtime';
import { CommandError, EXIT } from './command-error.ts';
import type { Console } from './console.ts';
import { findInstallation, type Installation } from './settings.ts';
import { texts } from './texts.ts';

const HINT = texts.server.hint;

/** Opens the installation for `work` and closes it again. */
export async function withServer<Result>(
  console: Console,
  work: (core: CoreContext, installation: Installation) => Promise<Result>,
): Promise<Result> {
  const installation = findInstallation(console.environment);
  const { databaseUrl, secretKey } = installation;
  if (databaseUrl === null)
    throw new CommandError(texts.server.noDatabase, { exitCode: EXIT.configuration, hint: HINT });
  if (secretKey === null)
    throw new CommandError(texts.server.noSecretKey, { exitCode: EXIT.configuration, hint: HINT });
  const db = openDatabase({ url: databaseUrl, log: silentLog, poolSize: 2 });
  try {
    const core = createCoreContext({
      db,
      secretKey,
      otherSecretKeys: installation.otherSecretKeys,
      log: silentLog,
      clock: console.clock,
      publicUrl: installation.url,
      recordings: diskStorage(join(installation.dataDir, 'recordings')),
    });
    return await work(core, installation);
  } finally {
    await db.close();
  }
}

/** Adds an entry of the command line to the audit log. @param objectId - of what was written or shown */
export function auditCommand(core: CoreContext, operation: string, objectId: number | null): Promise<void> {
  return writeAudit(core, { channel: 'cli', operation, objectId });
}
