/** Everything the worker can be told from outside. docs/settings.md says the same in words. */
import { logSettings, parseSettings, port, secret } from '@parley/runtime';
import { z } from 'zod';

/** The worker's part of the environment. */
const workerSettings = z.object({
  DATABASE_URL: z.string(),
  /** Past a pooler: the job queue listens and holds session locks. Default: DATABASE_URL. */
  DATABASE_URL_DIRECT: z.string().optional(),
  SECRET_KEY: secret,
  INTERNAL_SECRET: secret,
  DATA_DIR: z.string().default('.parley'),
  PUBLIC_URL: z.url().optional(),
  /** Where `/livez` and `/readyz` are served. */
  WORKER_HOST: z.string().default('127.0.0.1'),
  WORKER_PORT: port.default(3001),
  /** Jobs of calls that run at once. */
  WORKER_CONCURRENCY: z.coerce.number().int().min(1).max(100).default(10),
  /** Webhooks that are on their way at once; waiting for a receiver costs little more than its socket. */
  WEBHOOK_CONCURRENCY: z.coerce.number().int().min(1).max(500).default(200),
  /** How long a webhook that was settled is remembered, days. */
  WEBHOOK_LOG_DAYS: z.coerce.number().int().min(1).max(3650).default(30),
  /** Look for servers of language models on this machine. */
  LOCAL_MODELS: z.enum(['look', 'off']).default('look'),
  /** The api's; nobody is looked for there. */
  PORT: port.default(3000),
  WEBHOOK_ALLOW_PRIVATE: z.enum(['none', 'loopback', 'all']).default('none'),
  ...logSettings,
});

export type WorkerSettings = z.infer<typeof workerSettings>;

/** @throws SettingsError naming every fault */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): WorkerSettings {
  return parseSettings(workerSettings, environment);
}
