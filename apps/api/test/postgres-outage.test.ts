/** Requests while Postgres is killed, frozen or out of disk space: 503 with `Retry-After` within 2 s, and 200 afterwards. */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { migrate, openDatabase, statement } from '@parley/db';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@parley/db/embedded';
import { silentLog } from '@parley/runtime';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startLiveApi, type LiveApi } from './live-api.ts';

const LIMIT_MS = 2_000;
const POOL_SIZE = 4;

let calls = 0;

interface Answered {
  status: number;
  retryAfter: string | null;
  message: string;
  tookMs: number;
}

/** A request of each kind: REST by SQL and by the ORM, reading and writing, and tRPC with a session. */
async function askAll(live: LiveApi, cookie: string): Promise<Answered[]> {
  const rest = { authorization: `Bearer ${live.token}`, 'content-type': 'application/json' };
  const post = (path: string, body: unknown) =>
    timed(live.url + path, { method: 'POST', headers: rest, body: JSON.stringify(body) });
  // A number can be in one call only.
  const call = { phone_number: `+120255501${10 + calls++}`, assistant_id: 1 };
  return Promise.all([
    timed(`${live.url}/api/user/calls`, { headers: rest }),
    timed(`${live.url}/api/user/phone-numbers/sip-trunks`, { headers: rest }),
    timed(`${live.url}/api/user/me`, { headers: { authorization: 'Bearer parley_wrong' } }),
    post('/api/user/assistant', newAssistant()),
    post('/api/user/make_call', call),
    timed(`${live.url}/trpc/session.me`, { headers: { cookie } }),
    timed(`${live.url}/trpc/calls.list?input=%7B%7D`, { headers: { cookie } }),
  ]);
}

async function timed(url: string, init: RequestInit): Promise<Answered> {
  const startMs = performance.now();
  const response = await fetch(url, init);
  const body = (await response.json()) as { message?: string; error?: { message: string } };
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    message: body.message ?? body.error?.message ?? '',
    tookMs: performance.now() - startMs,
  };
}

function expectUnavailable(answers: Answered[]): void {
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 503, retryAfter: '2', message: 'Service Unavailable' });
    expect(answer.tookMs).toBeLessThan(LIMIT_MS);
  }
}

async function signIn(live: LiveApi): Promise<string> {
  const response = await fetch(`${live.url}/trpc/session.signIn`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: live.email, password: live.password }),
  });
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

function openApi(url: string): Promise<LiveApi> {
  return startLiveApi({
    db: openDatabase({ url, log: silentLog, poolSize: POOL_SIZE, isFailingFast: true }),
  });
}

/** A postmaster and all of its backends. */
function familyOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return [pid, ...children.filter((child) => child !== '').map(Number)];
}

/** The children of a killed postmaster may end by themselves before their turn. */
function kill(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

describe('a Postgres that is killed or frozen', () => {
  let folder: string;
  let postgres: EmbeddedPostgres;
  let live: LiveApi;
  let cookie: string;

  const start = (port?: number) =>
    startEmbeddedPostgres({
      dataDir: join(folder, 'postgres'),
      fsync: false,
      log: silentLog,
      ...(port && { port }),
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-outage-'));
    await chmod(folder, 0o755);
    postgres = await start();
    await migrate(postgres.url);
    live = await openApi(postgres.url);
    cookie = await signIn(live);
  });
  afterAll(async () => {
    await live.stop();
    await live.core.db.close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function expectRecovery(): Promise<void> {
    const answers = await askAll(live, cookie);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 201, 200, 200, 200]);
  }

  test('answers as usual before', expectRecovery);

  test('by SIGSTOP gives 503 within 2 s, again and again, and takes requests again after SIGCONT', async () => {
    const sleep = statement('', 'select pg_sleep(0)');
    await Promise.all(Array.from({ length: POOL_SIZE }, () => live.core.db.query(sleep)));
    const frozen = familyOf(postgres.pid);
    for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    try {
      expectUnavailable(await askAll(live, cookie));
      expectUnavailable(await askAll(live, cookie));
    } finally {
      for (const pid of frozen.toReversed()) process.kill(pid, 'SIGCONT');
    }
    await expectRecovery();
  });

  test('while a transaction is open: its work fails within 2 s and nothing is committed', async () => {
    const { db } = live.core;
    const rename = statement('', `update users set name = 'Changed' where id = 1`);
    const read = statement<{ name: string }>('', 'select name from users where id = 1');
    const [before] = await db.query(read);
    let frozen: number[] = [];
    const startedMs = performance.now();
    const work = db.transaction(async (tx) => {
      await tx.query(rename);
      frozen = familyOf(postgres.pid);
      for (const pid of frozen) process.kill(pid, 'SIGSTOP');
      await tx.query(read);
    });
    await expect(work).rejects.toThrow('Connection terminated');
    expect(performance.now() - startedMs).toBeLessThan(LIMIT_MS);
    for (const pid of frozen.toReversed()) process.kill(pid, 'SIGCONT');
    expect(await db.query(read)).toEqual([before]);
  });

  test('by SIGKILL gives 503 within 2 s, and takes requests again after a new start', async () => {
    kill(familyOf(postgres.pid));
    expectUnavailable(await askAll(live, cookie));
    const { port } = postgres;
    postgres = await start(port);
    await vi.waitFor(expectRecovery, { timeout: 10_000 });
  });
});

describe('a statement that takes long', () => {
  const database = useTestDatabase();

  test('is not ended while Postgres answers', async () => {
    const db = openDatabase({ url: database.url, log: silentLog, isFailingFast: true });
    const slow = statement<{ isDone: boolean }>('', 'select pg_sleep(3) is not null as is_done');
    expect(await db.query(slow)).toEqual([{ isDone: true }]);
    await db.close();
  });
});

describe.runIf(canMount())('a Postgres without disk space', () => {
  let disk: SmallDisk;
  let live: LiveApi;

  beforeAll(async () => {
    disk = await startOnSmallDisk();
    await migrate(disk.url);
    live = await openApi(disk.url);
  });
  afterAll(async () => {
    await live.stop();
    await live.core.db.close();
    await disk.stop();
  });

  test('gives 503 for what it cannot store, and stores it once there is space', async () => {
    const write = () =>
      live.ask('/api/user/assistant', {
        method: 'POST',
        body: newAssistant({ system_prompt: randomBytes(16_000).toString('hex') }),
      });
    expect((await write()).status).toBe(201);
    disk.fill();
    // Pages that exist already take a few more.
    let answer = await write();
    for (let more = 50; answer.status === 201 && more > 0; more--) answer = await write();
    expect(answer).toMatchObject({ status: 503, body: { message: 'Service Unavailable' } });
    expect(answer.headers.get('retry-after')).toBe('2');
    expect((await live.ask('/api/user/me')).status).toBe(200);
    disk.empty();
    expect((await write()).status).toBe(201);
  });
});

interface SmallDisk {
  url: string;
  /** Leaves no byte of the disk free. */
  fill(): void;
  empty(): void;
  stop(): Promise<void>;
}

/** Postgres in a mount namespace of its own, on a tmpfs that ends with it. */
async function startOnSmallDisk(): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-small-disk-'));
  await chmod(folder, 0o755);
  const program = join(import.meta.dirname, '../../../packages/db/test/embedded-process.ts');
  const command = 'mount -t tmpfs -o size=160m,mode=755 tmpfs "$1" && exec "$2" "$3" "$1/postgres"';
  const child = spawn('unshare', ['--mount', 'sh', '-c', command, 'sh', folder, process.execPath, program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url, pid } = JSON.parse(line) as { url: string; pid: number };
  // The disk as the processes of its name space see it.
  const ballast = `/proc/${child.pid}/root${folder}/ballast`;
  return {
    url,
    fill: () => void spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64k'], { stdio: 'ignore' }),
    empty: () => rmSync(ballast),
    async stop() {
      child.kill('SIGKILL');
      await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false), { timeout: 20_000 });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function canMount(): boolean {
  return spawnSync('unshare', ['--mount', 'true']).status === 0;
}
