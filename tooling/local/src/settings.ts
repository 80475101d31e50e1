/**
 * What `npm start` itself decides on. It hands its whole environment on to the processes, each of which checks its own
 * part (their settings.ts); docs/settings.md lists everything in words.
 */
import {
  flag,
  listenAddress,
  logSettings,
  parseSettings,
  port,
  portRange,
  secret,
  secrets,
} from '@parley/runtime';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** The folder of the checkout. */
export const repository = fileURLToPath(new URL('../../../', import.meta.url));

const localSettings = z.object({
  PORT: port.default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Where everything of this installation lives. */
  DATA_DIR: z.string().optional(),
  /** Default: a Postgres of our own in DATA_DIR. */
  DATABASE_URL: z.string().optional(),
  DATABASE_URL_DIRECT: z.string().optional(),
  /** Default of both: made at the first start and kept in DATA_DIR. */
  SECRET_KEY: secret.optional(),
  OTHER_SECRET_KEYS: secrets,
  INTERNAL_SECRET: secret.optional(),
  BOOTSTRAP_EMAIL: z.email().optional(),
  BOOTSTRAP_PASSWORD: z.string().min(8, 'must have at least 8 characters').optional(),
  BOOTSTRAP_TOKEN: z.string().min(32, 'must have at least 32 characters').optional(),
  WORKER_HOST: z.string().default('127.0.0.1'),
  WORKER_PORT: port.default(3001),
  VOICE_LISTEN: listenAddress.default({ host: '127.0.0.1', port: 3002 }),
  VOICE_URL: z.url({ protocol: /^https?$/ }).optional(),
  VOICE_PROCESSES: z.coerce.number().int().min(1).max(64).default(1),
  SIP_LISTEN: listenAddress.default({ host: '127.0.0.1', port: 5060 }),
  SIP_TLS_PORT: port.default(5061),
  SIP_TLS_CERT_FILE: z.string().optional(),
  RTP_PORTS: portRange.default({ first: 40_000, last: 40_999 }),
  /** How long running calls may go on when Parley is stopped, seconds. */
  DRAIN_LIMIT: z.coerce.number().int().min(0).max(3600).default(900),
  PHONES_LISTEN: listenAddress.default({ host: '127.0.0.1', port: 5070 }),
  PHONES_RTP_PORTS: portRange.default({ first: 41_000, last: 41_999 }),
  WEBHOOK_ALLOW_PRIVATE: z.enum(['none', 'loopback', 'all']).default('loopback'),
  /** Off: no test call at the start. */
  PARLEY_SELF_CHECK: flag.default(true),
  /** Set by tooling/local/run.mjs: the folder in which npm was called. */
  PARLEY_INVOKED_FROM: z.string().optional(),
  ...logSettings,
});

export type LocalSettings = Omit<z.infer<typeof localSettings>, 'DATA_DIR'> & { DATA_DIR: string };

/** The environment as it was given, to be handed on. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** @throws SettingsError naming every fault */
export function readSettings(environment: Environment): LocalSettings {
  const settings = parseSettings(localSettings, environment);
  const { DATA_DIR, PARLEY_INVOKED_FROM } = settings;
  const dataDir = DATA_DIR ? resolve(PARLEY_INVOKED_FROM ?? '.', DATA_DIR) : resolve(repository, '.parley');
  return { ...settings, DATA_DIR: dataDir };
}
