/** The api process: reads settings, opens log and database, and runs the app until a signal stops it. */
import { join } from 'node:path';
import { createCoreContext, diskStorage } from '@parley/core';
import { openDatabase } from '@parley/db';
import { createLog, runProcess, systemClock } from '@parley/runtime';
import { createApp } from './app.ts';
import { readSettings } from './settings.ts';

await runProcess(async () => {
  const settings = readSettings();
  const log = createLog({
    name: 'api',
    level: settings.LOG_LEVEL,
    includePersonalData: settings.LOG_PERSONAL_DATA,
  });
  const db = openDatabase({
    url: settings.DATABASE_URL,
    directUrl: settings.DATABASE_URL_DIRECT,
    poolSize: settings.DATABASE_POOL,
    isFailingFast: true,
    log,
  });
  const core = createCoreContext({
    db,
    log,
    clock: systemClock,
    secretKey: settings.SECRET_KEY,
    otherSecretKeys: settings.OTHER_SECRET_KEYS,
    publicUrl: settings.PUBLIC_URL,
    recordings: diskStorage(join(settings.DATA_DIR, 'recordings')),
    recordingLinkDays: settings.RECORDING_LINK_DAYS,
    carrierUrls: { twilio: settings.TWILIO_API_URL, telnyx: settings.TELNYX_API_URL },
    allowPrivateTrunks: settings.TRUNK_ALLOW_PRIVATE,
    allowPrivateWebhooks: settings.WEBHOOK_ALLOW_PRIVATE,
  });
  const app = createApp({ core, settings });
  const stop = async (): Promise<void> => {
    await app.stop();
    await db.close();
  };
  return { service: { start: () => app.start(), stop }, log };
});
