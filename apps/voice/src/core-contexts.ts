/** The connections of a voice process to the database. */
import { join } from 'node:path';
import { createCoreContext, diskStorage, type CoreContext } from '@parley/core';
import { openDatabase } from '@parley/db';
import { systemClock, type Log } from '@parley/runtime';
import type { VoiceSettings } from './settings.ts';

/** Connections that all calls share. */
export const CONNECTIONS = 10;

/** The contexts of a voice process. */
export interface CoreContexts {
  core: CoreContext;
  /**
   * For leases: it has a connection of its own. A lease that waited for a connection behind the facts of fifty calls
   * could run out, which would end all of these calls.
   */
  leases: CoreContext;
  /** Closes all connections. */
  close: () => Promise<void>;
}

/** Opens both; they connect at their first query. */
export function openCoreContexts(settings: VoiceSettings, log: Log): CoreContexts {
  const url = settings.DATABASE_URL_DIRECT ?? settings.DATABASE_URL;
  const db = openDatabase({ url, log, poolSize: CONNECTIONS });
  const leaseDb = openDatabase({ url, log, poolSize: 1 });
  const core = createCoreContext({
    db,
    log,
    clock: systemClock,
    secretKey: settings.SECRET_KEY,
    otherSecretKeys: settings.OTHER_SECRET_KEYS,
    publicUrl: settings.PUBLIC_URL,
    carrierUrls: { twilio: settings.TWILIO_API_URL, telnyx: settings.TELNYX_API_URL },
    recordings: diskStorage(join(settings.DATA_DIR, 'recordings')),
    recordingLinkDays: settings.RECORDING_LINK_DAYS,
  });
  return {
    core,
    leases: { ...core, db: leaseDb },
    close: async () => {
      await Promise.all([db.close(), leaseDb.close()]);
    },
  };
}
