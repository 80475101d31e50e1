/**
 * Chooses the account of Postgres. Postgres refuses to run as root, but most containers and many servers use root. Then:
 *
 * 1. it runs under a user id of its own, whose files no other process can read, if that id can reach the data folder.
 *    Programs that it cannot reach (in a home folder with mode 0700) are copied beside the data, 60 MB, owned by root and
 *    writable only by root. The id has no name, so this too needs a user namespace, which some containers forbid.
 * 2. otherwise it runs as `nobody`, whose other processes can read the data.
 * 3. otherwise it runs in a user namespace, in which root's files have another user id.
 * 4. otherwise the start fails with a message that names the remedies.
 *
 * A normal account is used unchanged. A user id without a name, which containers may have, also needs the namespace,
 * because `initdb` requires a name.
 */
import { spawnSync, type SpawnOptions, type SpawnSyncReturns } from 'node:child_process';
import { cpSync, existsSync, lchownSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { programPath, type PostgresProgram } from './postgres-program.ts';

/** How to start a program. `uid` and `gid` are absent if the current account is suitable. */
export interface PostgresAccount {
  program: PostgresProgram;
  uid?: number;
  gid?: number;
  /** Command and arguments before those of the program. */
  prefix: readonly string[];
}

/** Our environment is not passed on: it contains secrets, and PG... variables would change the behaviour of Postgres. */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' };
/** The usual user id of `nobody`, for systems without that name. */
const USUAL_NOBODY = 65_534;
/**
 * The user and group id of Postgres for root. systemd leaves 60706 to 61183 unassigned, and neither containers nor
 * distributions use them (systemd, "Users, Groups, UIDs and GIDs on systemd Systems").
 */
const OWN_ID = 60_999;
const USER_NAMESPACE = [
  'unshare',
  '--user',
  `--map-user=${USUAL_NOBODY}`,
  `--map-group=${USUAL_NOBODY}`,
  '--',
] as const;

/**
 * Chooses the account and makes it the owner of the data folder, which must exist.
 *
 * @throws Error if this process is root and no way works
 */
export function chooseAccount(program: PostgresProgram, dataDir: string): PostgresAccount {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && hasName()) return { program, prefix: [] };
  if (!isRoot) return inUserNamespace(program) ?? { program, prefix: [] };
  const own: Choice = { uid: OWN_ID, gid: OWN_ID, prefix: USER_NAMESPACE };
  const nobody: Choice = { uid: numberOf('-u'), gid: numberOf('-g'), prefix: [] };
  return (
    asOther(program, dataDir, own) ??
    asOther(program, dataDir, nobody) ??
    asMappedRoot(program, dataDir) ??
    refuse(dataDir)
  );
}

/** The options of `spawn` for an account. */
export function spawnOptionsOf(account: PostgresAccount): SpawnOptions {
  const { uid, gid } = account;
  return { cwd: '/', env: ENVIRONMENT, ...(uid === undefined || gid === undefined ? {} : { uid, gid }) };
}

type Choice = Required<Omit<PostgresAccount, 'program'>>;

/** Another account than root's, if it can use the data folder and run the programs. */
function asOther(program: PostgresProgram, dataDir: string, choice: Choice): PostgresAccount | null {
  if (!succeeds(trial(choice, ['true']))) return null;
  giveTo(dataDir, choice);
  if (!succeeds(trial(choice, ['/bin/sh', '-c', 'test -w "$1" && test -x "$1"', 'sh', dataDir]))) return null;
  if (canRun(program, choice)) return { program, ...choice };
  const copy = copyProgram(program, dirname(dataDir));
  return canRun(copy, choice) ? { program: copy, ...choice } : null;
}

function asMappedRoot(program: PostgresProgram, dataDir: string): PostgresAccount | null {
  const account = inUserNamespace(program);
  if (account) giveTo(dataDir, { uid: 0, gid: 0 });
  return account;
}

/** The same account with another user id inside the namespace; it owns the same files. */
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
      'or set DATABASE_URL to another Postgres.',
  );
}

/** The user or group id of `nobody`; macOS prints it unsigned and uses it signed. */
function numberOf(flag: '-u' | '-g'): number {
  const answer = spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' });
  const number = Number(answer.stdout?.trim());
  return answer.status === 0 && Number.isInteger(number) ? number | 0 : USUAL_NOBODY;
}

function canRun(program: PostgresProgram, choice: Choice): boolean {
  return succeeds(trial(choice, [programPath(program, 'postgres'), '--version']));
}

function trial({ uid, gid, prefix }: Choice, command: readonly string[]): SpawnSyncReturns<Buffer> {
  const [file = '', ...args] = [...prefix, ...command];
  return spawnSync(file, args, { uid, gid });
}

function succeeds(result: SpawnSyncReturns<unknown>): boolean {
  return result.status === 0;
}

/** Copies under a temporary name first, so that an interrupted copy does not look complete. */
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
 * Changes the owner of a folder and its contents, unless the folder already has that owner. The contents are changed
 * first, so that an interrupted change is repeated; links are changed, not followed.
 */
function giveTo(path: string, account: { uid: number; gid: number }): void {
  const entry = lstatSync(path);
  if (entry.uid === account.uid) return;
  if (entry.isDirectory()) for (const name of readdirSync(path)) giveTo(join(path, name), account);
  lchownSync(path, account.uid, account.gid);
}
