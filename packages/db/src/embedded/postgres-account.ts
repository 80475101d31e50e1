/**
 * As which account Postgres runs. It refuses to run as root, and most containers and many servers are root, so then:
 *
 * 1. as `nobody`, when that account can reach the data folder. If it cannot reach the programs (they lie under a home
 *    folder with mode 0700), they are copied beside the data, 60 MB, owned by root and writable by nobody else.
 * 2. otherwise inside a user name space, where root's files belong to another number. Some containers forbid that.
 * 3. otherwise not at all, with a message that names the cure.
 *
 * A normal account is used as it is. Only one that has a number and no name (containers are started so) needs the name
 * space too, because `initdb` wants to know its name.
 */
import { spawnSync, type SpawnOptions, type SpawnSyncReturns } from 'node:child_process';
import { cpSync, existsSync, lchownSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { programPath, type PostgresProgram } from './postgres-program.ts';

/** How a program has to be started. `uid` and `gid` are absent where the current account is right. */
export interface PostgresAccount {
  program: PostgresProgram;
  uid?: number;
  gid?: number;
  /** Command and arguments put before the program's own. */
  prefix: readonly string[];
}

/** Nothing of our own environment: it holds secrets, and PG... variables would change what Postgres does. */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' };
/** A common number of `nobody`, for systems that do not know the name. */
const USUAL_NOBODY = 65_534;
const USER_NAMESPACE = [
  'unshare',
  '--user',
  `--map-user=${USUAL_NOBODY}`,
  `--map-group=${USUAL_NOBODY}`,
  '--',
] as const;

/**
 * Decides the account and gives it the data folder, which must exist.
 *
 * @throws Error when this process is root and nothing works
 */
export function chooseAccount(program: PostgresProgram, dataDir: string): PostgresAccount {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && hasName()) return { program, prefix: [] };
  if (!isRoot) return inUserNamespace(program) ?? { program, prefix: [] };
  return asNobody(program, dataDir) ?? asMappedRoot(program, dataDir) ?? refuse(dataDir);
}

/** What `spawn` needs to know for an account. */
export function spawnOptionsOf(account: PostgresAccount): SpawnOptions {
  const { uid, gid } = account;
  return { cwd: '/', env: ENVIRONMENT, ...(uid === undefined || gid === undefined ? {} : { uid, gid }) };
}

function asNobody(program: PostgresProgram, dataDir: string): PostgresAccount | null {
  const nobody = { uid: numberOf('-u'), gid: numberOf('-g') };
  giveTo(dataDir, nobody);
  if (!succeeds(spawnSync('/bin/sh', ['-c', 'test -w "$1" && test -x "$1"', 'sh', dataDir], nobody)))
    return null;
  if (canRun(program, nobody)) return { program, ...nobody, prefix: [] };
  const copy = copyProgram(program, dirname(dataDir));
  return canRun(copy, nobody) ? { program: copy, ...nobody, prefix: [] } : null;
}

function asMappedRoot(program: PostgresProgram, dataDir: string): PostgresAccount | null {
  const account = inUserNamespace(program);
  if (account) giveTo(dataDir, { uid: 0, gid: 0 });
  return account;
}

/** The same account under another number; what it owns outside it owns inside. */
function inUserNamespace(program: PostgresProgram): PostgresAccount | null {
  const [command, ...rest] = USER_NAMESPACE;
  const trial = spawnSync(command, [...rest, programPath(program, 'postgres'), '--version']);
  return succeeds(trial) ? { program, prefix: USER_NAMESPACE } : null;
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

function refuse(dataDir: string): never {
  throw new Error(
    `Postgres must not run as root, and the account "nobody" cannot reach ${dataDir}. ` +
      'Set DATA_DIR to a folder that every account may enter (for example /var/lib/parley), start as a normal user, ' +
      'or set DATABASE_URL to a Postgres of your own.',
  );
}

/** The number of the account `nobody`; on macOS it is written unsigned and used signed. */
function numberOf(flag: '-u' | '-g'): number {
  const answer = spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' });
  const number = Number(answer.stdout?.trim());
  return answer.status === 0 && Number.isInteger(number) ? number | 0 : USUAL_NOBODY;
}

function canRun(program: PostgresProgram, account: { uid: number; gid: number }): boolean {
  return succeeds(spawnSync(programPath(program, 'postgres'), ['--version'], account));
}

function succeeds(result: SpawnSyncReturns<unknown>): boolean {
  return result.status === 0;
}

/** Copies under another name first: a copy that was cut short must not look complete. */
function copyProgram(program: PostgresProgram, targetDir: string): PostgresProgram {
  const nativeDir = join(targetDir, `postgres-program-${program.version}`);
  if (existsSync(nativeDir)) return { ...program, nativeDir };
  const unfinished = `${nativeDir}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(program.nativeDir, unfinished, { recursive: true, verbatimSymlinks: true });
  renameSync(unfinished, nativeDir);
  return { ...program, nativeDir };
}

/**
 * Changes the owner of a folder and of all in it, unless the folder has that owner already. Children come first, so
 * that a change cut short is taken up again; links are changed, not followed.
 */
function giveTo(path: string, account: { uid: number; gid: number }): void {
  const entry = lstatSync(path);
  if (entry.uid === account.uid) return;
  if (entry.isDirectory()) for (const name of readdirSync(path)) giveTo(join(path, name), account);
  lchownSync(path, account.uid, account.gid);
}
