/**
 * A complete installation as started by `npm start`, in a separate folder and with separate ports. Tests talk
 * to it over HTTP and SIP only, and may kill any of its processes.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pause, systemClock } from '@parley/runtime';
import { freePorts, someRtpRange } from './free-ports.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
/** Long enough for the slowest machine; a healthy one needs a few seconds. */
const READY_LIMIT_MS = 120_000;

/** Where a running installation is and who may use it. */
export interface Access {
  baseUrl: string;
  token: string;
  email: string;
  password: string;
  dataDir: string;
  sipPort: number;
  phonesPort: number;
  phonesLog: string;
}

/** A running installation that the test files of a run share: no test may stop or restart its processes. */
export interface SharedInstallation extends Access {
  /** JSON request with the token; throws on a status of 400 and more. */
  request(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Runs the command line as on the server. @returns the output, trimmed */
  cli(commandLine: string[]): Promise<string>;
}

/** A running installation that belongs to one test file. */
export interface Installation extends SharedInstallation {
  /** Process ids by name: api, worker, voice, phones, postgres. */
  processes(): Promise<Record<string, number>>;
  /** What the processes have printed so far. */
  output(): string;
  supervisor: ChildProcess;
  stop(): Promise<void>;
}

/** How to start an installation that is not this checkout's own. */
export interface InstallationOptions {
  environment?: Record<string, string>;
  /** Program, arguments and folder; by default the supervisor of this checkout under this Node. */
  command?: { program: string; arguments: string[]; folder: string };
}

/** Starts an installation and waits until all of it is ready. */
export async function startInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const environment = options.environment ?? {};
  const command = options.command ?? {
    program: process.execPath,
    arguments: [join(repository, 'tooling/local/src/main.ts')],
    folder: repository,
  };
  const dataDir = environment['DATA_DIR'] ?? (await mkdtemp(join(tmpdir(), 'parley-installation-')));
  const access = {
    token: `parley_${'0'.repeat(20)}${Math.random().toString(36).slice(2)}`,
    email: 'operator@example.com',
    password: 'correct horse battery staple',
  };
  const { variables, ports } = await chooseAddresses();
  const phonesLog = join(dataDir, 'phones.jsonl');
  const chunks: string[] = [];
  const supervisor = spawn(command.program, command.arguments, {
    cwd: command.folder,
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      // Tests that stop an installation do not wait for calls that nothing ends.
      DRAIN_LIMIT: '30',
      BOOTSTRAP_EMAIL: access.email,
      BOOTSTRAP_PASSWORD: access.password,
      BOOTSTRAP_TOKEN: access.token,
      PHONES_LOG: phonesLog,
      PARLEY_SELF_CHECK: 'off',
      // What else runs on the machine must not show up in the lists.
      LOCAL_MODELS: 'off',
      // With separate folders each installation would compile everything again, which is half of the time of a start.
      NODE_COMPILE_CACHE: join(repository, 'node_modules/.cache/compiled'),
      ...variables,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [supervisor.stdout, supervisor.stderr])
    stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  const installation: Installation = {
    ...useInstallation({ ...access, ...ports, dataDir, phonesLog }),
    supervisor,
    output: () => chunks.join(''),
    processes: async () => (await readRuntime(dataDir)).processes,
    stop: () => stopInstallation(supervisor, dataDir, environment['DATA_DIR'] === undefined),
  };
  await waitUntilReady(installation);
  return installation;
}

/** The operations on an installation that runs already. */
export function useInstallation(access: Access): SharedInstallation {
  return {
    ...access,
    request: (method, path, body) =>
      request({ url: `${access.baseUrl}${path}`, token: access.token, method, body }),
    cli: (commandLine) => runCli(commandLine, access.dataDir),
  };
}

async function chooseAddresses(): Promise<{
  variables: Record<string, string>;
  ports: { baseUrl: string; sipPort: number; phonesPort: number };
}> {
  const [api, worker, voice, sipPort = 0, phonesPort = 0] = await freePorts(5);
  return {
    variables: {
      PORT: String(api),
      WORKER_PORT: String(worker),
      VOICE_LISTEN: `127.0.0.1:${voice}`,
      SIP_LISTEN: `127.0.0.1:${sipPort}`,
      PHONES_LISTEN: `127.0.0.1:${phonesPort}`,
      RTP_PORTS: someRtpRange(),
      PHONES_RTP_PORTS: someRtpRange(),
      WEBRTC_PORTS: someRtpRange(),
    },
    ports: { baseUrl: `http://127.0.0.1:${api}`, sipPort, phonesPort },
  };
}

async function waitUntilReady(installation: Installation): Promise<void> {
  const deadlineMs = systemClock.monotonic() + READY_LIMIT_MS;
  while (systemClock.monotonic() < deadlineMs) {
    if (installation.supervisor.exitCode !== null) break;
    const isReady = /Parley is ready/.test(installation.output());
    if (isReady) return;
    await pause(systemClock, 50);
  }
  const output = installation.output();
  await installation.stop();
  throw new Error(`The installation did not become ready:\n${output}`);
}

/** What the supervisor writes for the command line and for tests. */
async function readRuntime(dataDir: string): Promise<{ processes: Record<string, number> }> {
  return JSON.parse(await readFile(join(dataDir, 'runtime.json'), 'utf8')) as {
    processes: Record<string, number>;
  };
}

async function request(options: {
  url: string;
  token: string;
  method: string;
  body: unknown;
}): Promise<unknown> {
  const response = await fetch(options.url, {
    method: options.method,
    headers: { authorization: `Bearer ${options.token}`, 'content-type': 'application/json' },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${options.method} ${options.url}: ${response.status} ${text}`);
  return JSON.parse(text);
}

async function runCli(commandLine: string[], dataDir: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(repository, 'apps/cli/src/main.ts'), ...commandLine],
    { env: { ...process.env, DATA_DIR: dataDir } },
  );
  return stdout.trim();
}

/** npm ends before its child processes, so this waits for the supervisor. */
async function stopInstallation(started: ChildProcess, dataDir: string, isOurs: boolean): Promise<void> {
  const runtime = await readRuntime(dataDir).catch(() => null);
  if (started.exitCode === null && started.signalCode === null) {
    const exit = once(started, 'exit');
    started.kill('SIGTERM');
    await exit;
  }
  const supervisor = runtime?.processes['supervisor'];
  if (supervisor) await untilGone(supervisor);
  if (isOurs) await rm(dataDir, { recursive: true, force: true });
}

async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await pause(systemClock, 50);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
