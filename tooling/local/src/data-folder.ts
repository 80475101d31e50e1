/** The folder of an installation: its secrets, generated once, and the file with the addresses of its processes. */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { LocalSettings } from './settings.ts';

const secretsFile = z.object({
  SECRET_KEY: z.string(),
  INTERNAL_SECRET: z.string(),
  /** The password of the embedded Postgres. */
  DATABASE_PASSWORD: z.string(),
});

export type Secrets = z.infer<typeof secretsFile>;

/** The contents of `runtime.json` while Parley runs. */
const runtimeFile = z.object({
  /** Process ids: supervisor, api, worker, voice, phones, and the embedded postgres. */
  processes: z.record(z.string(), z.number()),
  /** The address of the api on this machine. */
  url: z.string(),
  /** The settings with which a command on this machine opens the same database. */
  environment: z.record(z.string(), z.string()),
});

export type RuntimeInformation = z.infer<typeof runtimeFile>;

/**
 * Creates the folder with its subfolders. Other accounts may traverse it (the embedded Postgres uses another account if
 * this process is root) but not read it; a folder that is not empty keeps its mode.
 */
export function makeDataFolder(dataDir: string): void {
  const isNew = !existsSync(dataDir) || readdirSync(dataDir).length === 0;
  mkdirSync(dataDir, { recursive: true });
  if (isNew) chmodSync(dataDir, 0o711);
  for (const name of ['logs', 'recordings']) mkdirSync(join(dataDir, name), { recursive: true, mode: 0o700 });
}

/** Reads the secrets of the installation and generates them at the first start. The environment takes precedence. */
export function readSecrets(settings: LocalSettings): Secrets {
  const path = join(settings.DATA_DIR, 'secrets.json');
  if (!existsSync(path)) writePrivately(path, newSecrets());
  const kept = secretsFile.parse(JSON.parse(readFileSync(path, 'utf8')));
  return {
    ...kept,
    ...(settings.SECRET_KEY !== undefined && { SECRET_KEY: settings.SECRET_KEY }),
    ...(settings.INTERNAL_SECRET !== undefined && { INTERNAL_SECRET: settings.INTERNAL_SECRET }),
  };
}

function newSecrets(): Secrets {
  const random = (): string => randomBytes(32).toString('base64url');
  return { SECRET_KEY: random(), INTERNAL_SECRET: random(), DATABASE_PASSWORD: random() };
}

export function writeRuntimeInformation(dataDir: string, information: RuntimeInformation): void {
  writePrivately(runtimePath(dataDir), information);
}

export function removeRuntimeInformation(dataDir: string): void {
  rmSync(runtimePath(dataDir), { force: true });
}

/** The installation that runs in this folder, or null. The file of a killed supervisor is ignored. */
export function findRunning(dataDir: string): RuntimeInformation | null {
  const path = runtimePath(dataDir);
  if (!existsSync(path)) return null;
  const parsed = runtimeFile.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  return parsed.success && isSupervisor(parsed.data.processes['supervisor']) ? parsed.data : null;
}

function runtimePath(dataDir: string): string {
  return join(dataDir, 'runtime.json');
}

/** Writes a file atomically, readable by this account only. */
function writePrivately(path: string, content: unknown): void {
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, path);
}

/** Whether this process id still belongs to a supervisor: ids are reused, above all after a restart of the machine. */
function isSupervisor(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const commandLine = `/proc/${pid}/cmdline`;
  return !existsSync(commandLine) || readFileSync(commandLine, 'utf8').includes('tooling/local/src/main.ts');
}
