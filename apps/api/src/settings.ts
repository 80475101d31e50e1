/** The settings of the api process, which docs/settings.md documents. */
import { fileURLToPath } from 'node:url';
import { logSettings, parseSettings, port, retentionSettings, secret, secrets } from '@parley/runtime';
import { z } from 'zod';

/** The built admin app of a checkout. */
const BUILT_ADMIN = fileURLToPath(new URL('../../admin/dist', import.meta.url));

/** Exactly what a browser sends: without a path, and without the default port. */
const origin = z.string().refine(
  (value) => {
    const url = URL.parse(value);
    return /^https?:$/.test(url?.protocol ?? '') && url?.origin === value && !value.includes('*');
  },
  { error: 'must be * or origins such as https://crm.example' },
);

const schema = z.object({
  DATABASE_URL: z.string(),
  /** Bypasses a connection pooler; the api itself needs no session state. */
  DATABASE_URL_DIRECT: z.string().optional(),
  /** The size of this process's connection pool. */
  DATABASE_POOL: z.coerce.number().int().min(1).max(200).default(10),
  SECRET_KEY: secret,
  OTHER_SECRET_KEYS: secrets,
  INTERNAL_SECRET: secret,
  DATA_DIR: z.string().default('.parley'),
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3000),
  /** Origin under which browsers and clients reach the api; without it, links use the origin of each request. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** The voice process for browser calls; without it, a live one is selected from the database. */
  VOICE_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Which private hosts members may enter for their trunks; voice checks the address of each call by the same setting. */
  TRUNK_ALLOW_PRIVATE: z.enum(['none', 'loopback', 'all']).default('none'),
  /** Which private addresses the webhooks of operators may have; for test events. */
  WEBHOOK_ALLOW_PRIVATE: z.enum(['none', 'loopback', 'all']).default('none'),
  /** Days for which a URL of a recording is valid; 0: as long as the recording exists. */
  RECORDING_LINK_DAYS: z.coerce.number().int().min(0).max(3650).default(30),
  /** Requests per minute for each token. */
  RATE_LIMIT: z.coerce.number().int().min(1).default(1200),
  /**
   * Proxies whose `X-Forwarded-…` headers are trusted: addresses, networks or names, separated by commas. Default none,
   * because any program on this machine could claim another address, and so evade its own limits.
   */
  TRUST_PROXY: z.string().trim().default(''),
  /** Origins whose pages may use the REST endpoints, separated by commas; `*`: all. */
  CORS_ORIGINS: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((origin) => origin.trim() || []))
    .pipe(z.array(z.union([z.literal('*'), origin]))),
  /** The bearer token for `/metrics`; without it, only this machine may read them. */
  METRICS_TOKEN: secret.optional(),
  /** The built admin app. */
  ADMIN_DIR: z.string().default(BUILT_ADMIN),
  /** An address in place of Twilio's or Telnyx's own, for simulators. */
  TWILIO_API_URL: z.url({ protocol: /^https?$/ }).optional(),
  TELNYX_API_URL: z.url({ protocol: /^https?$/ }).optional(),
  ...retentionSettings,
  ...logSettings,
});

/** The parsed settings, with defaults. */
export type ApiSettings = z.infer<typeof schema>;

/** @throws SettingsError with every fault */
export function readSettings(environment: NodeJS.ProcessEnv = process.env): ApiSettings {
  return parseSettings(schema, environment);
}
