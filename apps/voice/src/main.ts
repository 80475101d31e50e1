/** Starts a voice process. */
import { createLog, runProcess } from '@parley/runtime';
import { createVoiceApp } from './app.ts';
import { readSettings } from './settings.ts';

await runProcess(async () => {
  const settings = readSettings();
  const log = createLog({
    name: 'voice',
    level: settings.LOG_LEVEL,
    includePersonalData: settings.LOG_PERSONAL_DATA,
  });
  // Calls may end by themselves first; then everything else has a minute.
  const stopLimitMs = settings.DRAIN_LIMIT * 1000 + 60_000;
  return { service: createVoiceApp(settings, log), log, stopLimitMs };
});
