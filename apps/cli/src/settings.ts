/**
 * Finds the installation of a command: in the environment, otherwise in the data folder of the installation on this
 * machine (`runtime.json` and `secrets.json`, written by `npm start`).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { RetentionDays } from '@parley/core';
import { CommandError, EXIT } from './command-error.ts';
import { texts } from './texts.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** The environment of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The version of Parley. */
export function parleyVersion(): string {
  return packageFile.parse(readJson(join(repository, 'package.json'))).version;
}

/** The only access to it; other functions receive their values as arguments. */
export const processEnvironment = (): Environment => process.env;

const runtimeFile = z.object({
  url: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
});

const packageFile = z.object({ version: z.string() });

const secretsFile = z.object({ SECRET_KEY: z.string().optional(), DATABASE_PASSWORD: z.string().optional() });

/** The settings of the installation that were found on this machine. */
export interface Installation {
  dataDir: string;
  databaseUrl: string | null;
  secretKey: string | null;
  /** Further keys that open stored secrets while the key is changed. */
  otherSecretKeys: string[];
  /** Days for which data is kept, as the worker reads them. */
  retention: RetentionDays;
  /** The password of the embedded Postgres, which `npm start` runs without DATABASE_URL. */
  databasePassword: string | null;
  /** Origin of the api; without a slash at the end. */
  url: string | null;
  token: string | null;
}

/** Missing settings are null, so that commands without them can still run. */
export function findInstallation(environment: Environment): Installation {
  const dataDir = dataDirOf(environment);
  const runtime = runtimeFile.parse(readJson(join(dataDir, 'runtime.json')) ?? {});
  const secrets = secretsFile.parse(readJson(join(dataDir, 'secrets.json')) ?? {});
  const setting = (name: string): string | null => environment[name] || runtime.environment[name] || null;
  const days = (name: string, standard: number): number => readDays(name, setting(name) ?? String(standard));
  const url = environment['PARLEY_URL'] || runtime.url || setting('PUBLIC_URL');
  return {
    dataDir,
    databaseUrl: setting('DATABASE_URL'),
    secretKey: setting('SECRET_KEY') ?? secrets.SECRET_KEY ?? null,
    otherSecretKeys: (setting('OTHER_SECRET_KEYS') ?? '').split(',').flatMap((key) => key.trim() || []),
    retention: {
      recordings: days('RECORDING_DAYS', 0),
      transcripts: days('TRANSCRIPT_DAYS', 0),
      callNumbers: days('CALL_NUMBER_DAYS', 0),
      deliveries: days('WEBHOOK_LOG_DAYS', 30),
      sipTraces: days('SIP_TRACE_DAYS', 7),
      auditEntries: days('AUDIT_LOG_DAYS', 0),
      apiRequests: days('API_LOG_DAYS', 14),
      consents: days('CONSENT_DAYS', 0),
    },
    databasePassword: secrets.DATABASE_PASSWORD ?? null,
    url: url?.replace(/(?<!\/)\/+$/, '') ?? null,
    token: environment['PARLEY_TOKEN'] || null,
  };
}

function readDays(name: string, value: string): number {
  if (/^\d{1,4}$/.test(value)) return Number(value);
  throw new CommandError(texts.settings.notDays(name), { exitCode: EXIT.configuration });
}

/** As for `npm start`: a relative folder is resolved against the folder of the caller, the default against the checkout. */
function dataDirOf(environment: Environment): string {
  const given = environment['DATA_DIR'];
  return given ? resolve(environment['PARLEY_INVOKED_FROM'] ?? '.', given) : resolve(repository, '.parley');
}

function readJson(path: string): unknown {
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new CommandError(texts.settings.unreadable(path), { exitCode: EXIT.configuration, cause: error });
  }
}
