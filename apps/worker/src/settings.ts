/** The settings of the worker, described in docs/settings.md. */
import { logSettings, parseSettings, port, retentionSettings, secret, secrets } from '@parley/runtime';
import { z } from 'zod';

/** Ports with commas between them. */
const ports = z
  .string()
  .regex(/^\d{1,5}(,\d{1,5}){0,19}$/, 'must be `look`, `off` or up to 20 ports with commas between them')
  .transform((text) => text.split(',').map(Number))
  .pipe(z.array(z.number().min(1).max(65_535)));

/** The environment variables that the worker reads. */
const workerSettings = z.object({
  DATABASE_URL: z.string(),
  /** Not through a pooler, because the job queue uses LISTEN and session locks. Default: DATABASE_URL. */
  DATABASE_URL_DIRECT: z.string().optional(),
  SECRET_KEY: secret,
  OTHER_SECRET_KEYS: secrets,
  INTERNAL_SECRET: secret,
  DATA_DIR: z.string().default('.parley'),
  PUBLIC_URL: z.url().optional(),
  /** Where `/livez` and `/readyz` are served. */
  WORKER_HOST: z.string().default('127.0.0.1'),
  WORKER_PORT: port.default(3001),
  /** Concurrent jobs. */
  WORKER_CONCURRENCY: z.coerce.number().int().min(1).max(100).default(10),
  /** Concurrent webhook requests; waiting for a receiver costs little more than a socket. */
  WEBHOOK_CONCURRENCY: z.coerce.number().int().min(1).max(500).default(200),
  /** Passages of one user that may be embedded in a day of UTC; 0: without limit. */
  EMBEDDINGS_PER_DAY: z.coerce.number().int().min(0).max(100_000_000).default(300_000),
  /** Search the usual ports of this machine, or these, for servers of language models and of speech. */
  LOCAL_MODELS: z.union([z.enum(['look', 'off']), ports]).default('look'),
  /** The port of the api, which is excluded from that search. */
  PORT: port.default(3000),
  /** Days for which a URL of a recording is valid; 0: as long as the recording exists. */
  RECORDING_LINK_DAYS: z.coerce.number().int().min(0).max(3650).default(30),
  WEBHOOK_ALLOW_PRIVATE: z.enum(['none', 'loopback', 'all']).default('none'),
  /** An address in place of Twilio's or Telnyx's own, for simulators. */
  TWILIO_API_URL: z.url({ protocol: /^https?$/ }).optional(),
  TELNYX_API_URL: z.url({ protocol: /^https?$/ }).optional(),
  ...retentionSettings,
  ...logSettings,
});

export type WorkerSettings = z.infer<typeof workerSettings>;

/** @throws SettingsError that lists every fault */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): WorkerSettings {
  return parseSettings(workerSettings, environment);
}
