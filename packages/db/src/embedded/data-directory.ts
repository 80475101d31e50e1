/**
 * Prepares the data folder of the embedded Postgres: creates it with `initdb` if necessary, and removes the lock file of a
 * killed Postgres. A cluster is never deleted here.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pause, systemClock } from '@parley/runtime';
import { chooseAccount, spawnOptionsOf, type PostgresAccount } from './postgres-account.ts';
import { programPath, type PostgresProgram } from './postgres-program.ts';

/** How long to wait for a predecessor that is shutting down, milliseconds. */
const PREDECESSOR_LIMIT_MS = 10_000;
const PREDECESSOR_CHECK_MS = 50;

/** The only account of the embedded database. */
export const SUPERUSER = 'parley';

/**
 * Ensures that `dataDir` contains a cluster that is not in use. @returns the account under which to run it
 *
 * @param password - of the superuser, for a new cluster; without one every local connection is trusted
 * @throws Error if the folder contains other files or is in use
 */
export async function prepareDataDirectory(
  program: PostgresProgram,
  dataDir: string,
  password: string | undefined,
): Promise<{ account: PostgresAccount; isNew: boolean }> {
  if (existsSync(join(dataDir, 'PG_VERSION'))) {
    await waitForPredecessor(dataDir);
    return { account: chooseAccount(program, dataDir), isNew: false };
  }
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0) {
    throw new Error(`${dataDir} is not empty and is not a Postgres data folder.`);
  }
  return { account: await createCluster(program, dataDir, password), isNew: true };
}

/** Creates the cluster in a temporary folder and renames that, so that an interrupted creation can start again. */
async function createCluster(
  program: PostgresProgram,
  dataDir: string,
  password: string | undefined,
): Promise<PostgresAccount> {
  const unfinished = `${dataDir}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(dirname(unfinished), { recursive: true });
  mkdirSync(unfinished, { mode: 0o700 });
  const account = chooseAccount(program, unfinished);
  await runInitdb(account, unfinished, password);
  if (existsSync(dataDir)) rmdirSync(dataDir);
  renameSync(unfinished, dataDir);
  return account;
}

/** `--no-sync`: a power cut at this moment could only damage an empty database. */
async function runInitdb(
  account: PostgresAccount,
  dataDir: string,
  password: string | undefined,
): Promise<void> {
  const options = [
    '--no-sync',
    '--locale=C',
    '--encoding=UTF8',
    `--username=${SUPERUSER}`,
    `--pgdata=${dataDir}`,
  ];
  // The password goes through a file: arguments are visible to every account of the machine.
  const passwordFile = `${dataDir}.password`;
  const auth =
    password === undefined ? ['--auth=trust'] : ['--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  if (password !== undefined) writeFor(account, passwordFile, password);
  const command = [...account.prefix, programPath(account.program, 'initdb'), ...options, ...auth];
  const [file, ...args] = command as [string, ...string[]];
  const child = spawn(file, args, { ...spawnOptionsOf(account), stdio: ['ignore', 'ignore', 'pipe'] });
  const [complaint, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  rmSync(passwordFile, { force: true });
  if (exitCode !== 0) throw new Error(`initdb failed (exit code ${exitCode}):\n${complaint.trim()}`);
}

function writeFor(account: PostgresAccount, path: string, content: string): void {
  rmSync(path, { force: true });
  writeFileSync(path, `${content}\n`, { mode: 0o600 });
  if (account.uid !== undefined && account.gid !== undefined) lchownSync(path, account.uid, account.gid);
}

/**
 * Removes a lock file whose process has ended or is not a Postgres (process ids are reused, above all in containers). A
 * Postgres that still runs gets time: the watchdog of a killed parent may be stopping it at this moment.
 */
async function waitForPredecessor(dataDir: string): Promise<void> {
  const lockFile = join(dataDir, 'postmaster.pid');
  const untilMs = systemClock.monotonic() + PREDECESSOR_LIMIT_MS;
  for (;;) {
    const pid = readPid(lockFile);
    if (pid === null) return;
    if (!isPostgres(pid)) return rmSync(lockFile, { force: true });
    if (systemClock.monotonic() > untilMs) {
      throw new Error(`Another Postgres (process ${pid}) is using ${dataDir}. Is Parley running already?`);
    }
    await pause(systemClock, PREDECESSOR_CHECK_MS);
  }
}

/** The process that holds the data folder, by the first line of its lock file, or null. */
export function readPid(lockFile: string): number | null {
  const pid = Number(readTextOrEmpty(lockFile).split('\n')[0]);
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

/** Whether a process with this id exists and is called postgres. Zombies do not count. */
function isPostgres(pid: number): boolean {
  if (existsSync('/proc/self/stat')) {
    const stat = readTextOrEmpty(`/proc/${pid}/stat`);
    return stat.includes('(postgres) ') && !stat.includes('(postgres) Z');
  }
  return (spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '').includes(
    'postgres',
  );
}

function readTextOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
