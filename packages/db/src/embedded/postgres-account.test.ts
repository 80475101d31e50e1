import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { chooseAccount } from './postgres-account.ts';
import { findPostgresProgram, programPath, type PostgresProgram } from './postgres-program.ts';

const isRoot = process.getuid?.() === 0;
const undo: (() => unknown)[] = [];
afterEach(() => {
  for (const step of undo.splice(0)) step();
});

function setup(): { folder: string; dataDir: string } {
  const folder = mkdtempSync(join(tmpdir(), 'parley-account-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const dataDir = join(folder, 'postgres');
  mkdirSync(dataDir, { mode: 0o700 });
  return { folder, dataDir };
}

function hasUserNamespaces(): boolean {
  const [program, ...args] = ['unshare', '--user', '--map-user=65534', '--', 'true'] as const;
  return spawnSync(program, args, { uid: 60_999, gid: 60_999 }).status === 0;
}

/** Copies the programs below the home folder of root. */
function hideProgram(folder: string): PostgresProgram {
  const program = findPostgresProgram();
  const home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  cpSync(program.nativeDir, join(home, 'native'), { recursive: true, verbatimSymlinks: true });
  return { ...program, nativeDir: join(home, 'native') };
}

describe.runIf(isRoot)('the account of Postgres, for root', () => {
  test('is another one, which becomes the owner of the data folder and its contents', () => {
    const { dataDir } = setup();
    writeFileSync(join(dataDir, 'PG_VERSION'), '18\n');
    const account = chooseAccount(findPostgresProgram(), dataDir);
    expect(account.uid).toBeGreaterThan(0);
    expect(lstatSync(join(dataDir, 'PG_VERSION')).uid).toBe(account.uid);
  });

  test.runIf(hasUserNamespaces())('has files that processes of nobody cannot read', () => {
    const { dataDir } = setup();
    writeFileSync(join(dataDir, 'PG_VERSION'), '18\n', { mode: 0o600 });
    chooseAccount(findPostgresProgram(), dataDir);
    const nobody = { uid: 65_534, gid: 65_534, encoding: 'utf8' } as const;
    expect(spawnSync('ls', [dataDir], nobody).status).not.toBe(0);
    expect(spawnSync('cat', [join(dataDir, 'PG_VERSION')], nobody).stdout).toBe('');
  });

  test('changes the owner of the files of earlier versions, which ran under the account nobody', () => {
    const { dataDir } = setup();
    writeFileSync(join(dataDir, 'PG_VERSION'), '18\n');
    for (const path of [dataDir, join(dataDir, 'PG_VERSION')]) lchownSync(path, 65_534, 65_534);
    const { uid } = chooseAccount(findPostgresProgram(), dataDir);
    expect(lstatSync(join(dataDir, 'PG_VERSION')).uid).toBe(uid);
  });

  test('gets a copy of programs that it cannot reach, and the same copy the next time', () => {
    const { folder, dataDir } = setup();
    const hidden = hideProgram(folder);
    const { program, uid = 0, gid = 0, prefix } = chooseAccount(hidden, dataDir);
    expect(program.nativeDir).toBe(join(folder, `postgres-program-${hidden.version}`));
    const [file, ...args] = [...prefix, programPath(program, 'postgres'), '--version'];
    const trial = spawnSync(file, args, { uid, gid, encoding: 'utf8' });
    expect(trial.stdout).toContain('PostgreSQL');
    const before = lstatSync(program.nativeDir).ino;
    expect(chooseAccount(hidden, dataDir).program).toEqual(program);
    expect(lstatSync(program.nativeDir).ino).toBe(before);
  });

  test('does not become the owner of the target of a link', () => {
    const { folder, dataDir } = setup();
    const treasure = join(folder, 'treasure');
    writeFileSync(treasure, 'of root');
    symlinkSync(treasure, join(dataDir, 'link'));
    chooseAccount(findPostgresProgram(), dataDir);
    expect(lstatSync(treasure).uid).toBe(0);
    expect(existsSync(join(dataDir, 'link'))).toBe(true);
  });
});
