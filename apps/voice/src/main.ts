/** Starts a voice process, or a fleet of them. */
import { fileURLToPath } from 'node:url';
import { createLog, runProcess } from '@parley/runtime';
import { createVoiceApp } from './app.ts';
import { createFleet } from './fleet/fleet.ts';
import { readSettings } from './settings.ts';

await runProcess(async () => {
  const settings = readSettings();
  const log = createLog({
    name: 'voice',
    level: settings.LOG_LEVEL,
    includePersonalData: settings.LOG_PERSONAL_DATA,
  });
  // The drain comes first; everything else then has a minute.
  const stopLimitMs = settings.DRAIN_LIMIT * 1000 + 60_000;
  const service =
    settings.VOICE_PROCESSES > 1
      ? createFleet(settings, log, fileURLToPath(import.meta.url))
      : createVoiceApp(settings, log);
  return { service, log, stopLimitMs };
});
