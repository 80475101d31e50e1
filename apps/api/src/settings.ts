/** Everything the api process can be told from outside. docs/settings.md says the same in words. */
import { fileURLToPath } from 'node:url';
import { logSettings, parseSettings, port, secret } from '@parley/runtime';
import { z } from 'zod';

/** Where a checkout has the built admin app. */
const BUILT_ADMIN = fileURLToPath(new URL('../../admin/dist', import.meta.url));

const schema = z.object({
  DATABASE_URL: z.string(),
  /** Past a pooler; the api itself needs no session of its own. */
  DATABASE_URL_DIRECT: z.string().optional(),
  /** Connections to Postgres that this process keeps. */
  DATABASE_POOL: z.coerce.number().int().min(1).max(200).default(10),
  SECRET_KEY: secret,
  INTERNAL_SECRET: secret,
  DATA_DIR: z.string().default('.parley'),
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3000),
  /** Origin under which browsers and clients reach the api; without it, addresses follow each request. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Where browser calls go; without it, a living voice process is chosen from the database. */
  VOICE_URL: z.url({ protocol: /^https?$/ }).optional(),
  WEBHOOK_ALLOW_PRIVATE: z.enum(['none', 'loopback', 'all']).default('none'),
  /** Requests a minute for each token. */
  RATE_LIMIT: z.coerce.number().int().min(1).default(1200),
  /** Whose `X-Forwarded-…` headers are believed: addresses, networks or names, with commas between. */
  TRUST_PROXY: z.string().default('loopback'),
  /** What Prometheus shows to read `/metrics`; without it, only this machine may. */
  METRICS_TOKEN: secret.optional(),
  /** The built admin app. */
  ADMIN_DIR: z.string().default(BUILT_ADMIN),
  ...logSettings,
});

/** As parsed, with defaults. */
export type ApiSettings = z.infer<typeof schema>;

/** @throws SettingsError naming every fault */
export function readSettings(environment: NodeJS.ProcessEnv = process.env): ApiSettings {
  return parseSettings(schema, environment);
}
