import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePorts, startInstallation, type Installation } from '@parley/e2e';
import { afterEach, describe, expect, test, vi } from 'vitest';

const PATIENCE = { timeout: 60_000, interval: 50 };
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-start-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function start(environment: Record<string, string>): Promise<Installation> {
  const installation = await startInstallation({ environment });
  undo.push(() => installation.stop());
  return installation;
}

/** Runs the supervisor, or another script beside it, to its end. */
async function run(
  environment: Record<string, string>,
  script = 'main.ts',
): Promise<{ exitCode: number | null; said: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script)], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  undo.push(() => endAndWait(child, 'SIGKILL'));
  const [output, complaint] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { exitCode: child.exitCode, said: output + complaint };
}

async function endAndWait(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

async function freeAddresses(): Promise<Record<string, string>> {
  const [api, worker, voice, sip, phones] = await freePorts(5);
  return {
    PORT: String(api),
    WORKER_PORT: String(worker),
    VOICE_LISTEN: `127.0.0.1:${voice}`,
    SIP_LISTEN: `127.0.0.1:${sip}`,
    PHONES_LISTEN: `127.0.0.1:${phones}`,
  };
}

/** The process ids that still exist. */
function living(pids: readonly number[]): number[] {
  return pids.filter((pid) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM';
    }
  });
}

describe('npm start', () => {
  test('makes a call, refuses other accounts, stops completely, and keeps its user for the next start', async () => {
    const dataDir = makeFolder();
    const first = await start({ DATA_DIR: dataDir, PARLEY_SELF_CHECK: 'on' });
    await vi.waitFor(() => expect(first.output()).toContain('Self-check passed'), PATIENCE);
    const pids = Object.values(await first.processes());
    expect(pids).toHaveLength(6);
    expect(await run({ DATA_DIR: dataDir })).toMatchObject({
      exitCode: 1,
      said: expect.stringContaining('running already') as string,
    });
    await endAndWait(first.supervisor, 'SIGINT');
    expect(first.supervisor.exitCode).toBe(0);
    expect(living(pids)).toEqual([]);

    const second = await start({ DATA_DIR: dataDir });
    expect(second.output()).toContain('exists since an earlier start; no new one was made');
    const headers = { authorization: `Bearer ${first.token}` };
    const me = await fetch(`${second.baseUrl}/api/user/me`, { headers });
    expect(await me.json()).toMatchObject({ email: first.email });
  });

  test('leaves no process when it is killed with SIGKILL', async () => {
    const installation = await start({ DATA_DIR: makeFolder() });
    const pids = Object.values(await installation.processes());
    await endAndWait(installation.supervisor, 'SIGKILL');
    await vi.waitFor(() => expect(living(pids)).toEqual([]), PATIENCE);
  });

  test('names the port in use and the variable that changes it', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    undo.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const { exitCode, said } = await run({ DATA_DIR: makeFolder(), PORT: String(port) });
    expect(exitCode).toBe(1);
    expect(said).toContain(`TCP port ${port} (PORT) is used by another program`);
  });

  test('reports all invalid settings at once', async () => {
    const { exitCode, said } = await run({
      DATA_DIR: makeFolder(),
      PORT: 'many',
      SIP_LISTEN: 'here',
      SECRET_KEY: 'short',
    });
    expect(exitCode).toBe(78);
    for (const name of ['PORT', 'SIP_LISTEN', 'SECRET_KEY'])
      expect(said).toMatch(new RegExp(`^ *${name}: `, 'm'));
  });

  test('stops everything when one process has invalid settings', async () => {
    const dataDir = makeFolder();
    const { exitCode, said } = await run({
      DATA_DIR: dataDir,
      VOICE_CAPACITY: 'many',
      ...(await freeAddresses()),
    });
    expect(exitCode).toBe(78);
    expect(said).toContain('VOICE_CAPACITY: ');
    expect(said).toContain('voice cannot start with these settings');
  });
});

test('npm run migrate works without a running installation, and twice', async () => {
  const dataDir = makeFolder();
  for (let times = 0; times < 2; times++) {
    const { exitCode, said } = await run({ DATA_DIR: dataDir }, 'migrate.ts');
    expect(said).toContain('The database has the newest schema.');
    expect(exitCode).toBe(0);
  }
});
