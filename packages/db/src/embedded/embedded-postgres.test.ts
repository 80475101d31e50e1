import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { silentLog } from '@parley/runtime';
import { Client } from 'pg';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startEmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded-postgres.ts';

const isRoot = process.getuid?.() === 0;
const undo: (() => unknown)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

function setup(): { runDir: string; dataDir: string } {
  const runDir = mkdtempSync(join(tmpdir(), 'parley-embedded-'));
  chmodSync(runDir, 0o755);
  undo.push(() => rmSync(runDir, { recursive: true, force: true }));
  return { runDir, dataDir: join(runDir, 'postgres') };
}

async function start(options: Partial<EmbeddedPostgresOptions> & { dataDir: string }) {
  const server = await startEmbeddedPostgres({ fsync: false, log: silentLog, ...options });
  undo.push(() => server.stop());
  return server;
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** A process that starts a Postgres on `dataDir`; see test/embedded-process.ts. */
async function startInProcess(dataDir: string, account: { uid?: number; gid?: number } = {}) {
  const script = join(import.meta.dirname, '..', '..', 'test', 'embedded-process.ts');
  const child = spawn(process.execPath, [script, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...account,
  });
  undo.push(() => killAndWait(child));
  for await (const line of createInterface({ input: child.stdout }))
    return { child, ...(JSON.parse(line) as { url: string; pid: number; isNew: boolean }) };
  throw new Error('The process ended without starting Postgres; its error is above.');
}

async function killAndWait(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

describe('the embedded Postgres', () => {
  test('keeps its data across restarts', async () => {
    const { dataDir } = setup();
    const first = await start({ dataDir });
    await query(first.url, 'create table kept as select 42 as answer');
    await first.stop();
    const second = await start({ dataDir });
    expect([first.isNew, second.isNew]).toEqual([true, false]);
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  test('is UTF-8, in time zone UTC, on loopback only', async () => {
    const { url } = await start(setup());
    const rows = await query(
      url,
      `select current_setting('server_encoding') as encoding, current_setting('timezone') as zone,
              current_setting('listen_addresses') as addresses`,
    );
    expect(rows).toEqual([{ encoding: 'UTF8', zone: 'UTC', addresses: '127.0.0.1' }]);
  });

  test('refuses a wrong password if it has one', async () => {
    const server = await start({ ...setup(), password: 'correct horse' });
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await expect(query(server.url.replace('correct', 'wrong'), 'select 1')).rejects.toThrow('password');
  });

  test('is stopped by the death of its parent, even by SIGKILL', async () => {
    const { dataDir } = setup();
    const { child, pid } = await startInProcess(dataDir);
    expect(isAlive(pid)).toBe(true);
    await killAndWait(child);
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 20_000, interval: 20 });
    expect(existsSync(join(dataDir, 'postmaster.pid'))).toBe(false);
  });

  test('reports a crash and can be restarted with the same data', async () => {
    const { dataDir } = setup();
    const crashed = Promise.withResolvers<number | null>();
    const first = await start({ dataDir, fsync: true, onExit: crashed.resolve });
    await query(first.url, 'create table kept as select 42 as answer');
    process.kill(first.pid, 'SIGKILL');
    await crashed.promise;
    const second = await start({ dataDir, port: first.port });
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  test('does not report a requested stop', async () => {
    const onExit = vi.fn<() => void>();
    const server = await start({ ...setup(), onExit });
    await server.stop();
    await server.stop();
    expect(onExit).not.toHaveBeenCalled();
  });

  test('ignores a lock file whose process id belongs to another program', async () => {
    const { dataDir } = setup();
    await (await start({ dataDir })).stop();
    writeFileSync(join(dataDir, 'postmaster.pid'), `${process.pid}\n${dataDir}\n`);
    const server = await start({ dataDir });
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('starts again after an interrupted first start', async () => {
    const { dataDir } = setup();
    mkdirSync(`${dataDir}.unfinished`);
    writeFileSync(join(`${dataDir}.unfinished`, 'PG_VERSION'), '18\n');
    expect((await start({ dataDir })).isNew).toBe(true);
  });

  test('does not change a folder with other files', async () => {
    const { runDir } = setup();
    writeFileSync(join(runDir, 'letter.txt'), 'Dear reader');
    await expect(start({ dataDir: runDir })).rejects.toThrow('is not empty');
    expect(existsSync(join(runDir, 'letter.txt'))).toBe(true);
  });

  test('reports the output of Postgres when it does not start', async () => {
    const { dataDir } = setup();
    const first = await start({ dataDir });
    await first.stop();
    const other = await start(setup());
    await expect(start({ dataDir, port: other.port })).rejects.toThrow(
      `could not bind IPv4 address "127.0.0.1"`,
    );
  });
});

describe.runIf(isRoot)('started by root', () => {
  test('runs as another account', async () => {
    const { dataDir } = setup();
    const { pid } = await start({ dataDir });
    expect(statSync(`/proc/${pid}`).uid).not.toBe(0);
    expect(statSync(dataDir).uid).not.toBe(0);
  });

  test('works below a home folder that other accounts cannot enter', async () => {
    const { runDir } = setup();
    chmodSync(runDir, 0o700);
    const server = await start({ dataDir: join(runDir, 'postgres') });
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('uses data that was created under another account, in both directions', async () => {
    const { runDir, dataDir } = setup();
    await (await start({ dataDir })).stop();
    chmodSync(runDir, 0o700);
    await (await start({ dataDir })).stop();
    chmodSync(runDir, 0o755);
    expect((await start({ dataDir })).isNew).toBe(false);
  });

  test.each([
    ['a normal user', 1],
    ['a user id without a name', 54_321],
  ])('works for %s too', async (_, uid) => {
    const { runDir } = setup();
    const home = join(runDir, 'home');
    mkdirSync(home, { mode: 0o700 });
    chownSync(home, uid, uid);
    const { url, child, pid } = await startInProcess(join(home, 'postgres'), { uid, gid: uid });
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await killAndWait(child);
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 20_000, interval: 20 });
  });
});
