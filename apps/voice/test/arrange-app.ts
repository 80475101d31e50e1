/** A complete voice process in the process of its test. */
import type { Service } from '@parley/runtime';
import { captureLog, freePort, type LogLine } from '@parley/testkit';
import { onTestFinished } from 'vitest';
import { createVoiceApp } from '../src/app.ts';
import { readSettings } from '../src/settings.ts';

/** The secret that the api and the voice process share. */
export const INTERNAL_SECRET = 'the shared secret of the tests of a voice process';

/** A voice process before its start. */
export interface PreparedApp {
  app: Service;
  /** The port of the control server. */
  port: number;
  sipPort: number;
  log: LogLine[];
}

/** On free ports; stops with the test. */
export async function prepareApp(
  database: { url: string },
  environment: Record<string, string> = {},
): Promise<PreparedApp> {
  const [port, sipPort] = [await freePort(), await freePort()];
  const settings = readSettings({
    DATABASE_URL: database.url,
    SECRET_KEY: 'the secret key of the tests, 32 characters',
    INTERNAL_SECRET,
    VOICE_LISTEN: `127.0.0.1:${port}`,
    SIP_LISTEN: `127.0.0.1:${sipPort}`,
    RTP_PORTS: '41000-41019',
    DRAIN_LIMIT: '0',
    ...environment,
  });
  const { log, lines } = captureLog();
  const app = createVoiceApp(settings, log);
  onTestFinished(() => app.stop());
  return { app, port, sipPort, log: lines };
}
