/**
 * An installation as started by `npm start`, with additional workers and voice processes. Each process can be killed or
 * frozen at any time and is restarted by a supervisor. The test phones are never killed: their log is the evidence.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts, someRtpRange, startInstallation, type Installation } from '@parley/e2e';
import { pause, SupervisedProcess, systemClock } from '@parley/runtime';
import { childrenOf } from './process-tree.ts';
import { openPatientSql, type PatientSql } from './patient-sql.ts';

/** The number of processes of each kind, and their settings. */
export interface FleetOptions {
  workers: number;
  voices: number;
  environment?: Record<string, string>;
}

/** A running fleet. */
export interface Fleet {
  installation: Installation;
  /** Not through a pooler. */
  databaseUrl: string;
  sql: PatientSql;
  /** The processes that can be killed: `api`, `postgres`, `worker`, `worker-2`, `voice`, ... */
  victims: string[];
  /** The control addresses of the additional voice processes, by name. */
  voiceUrls: ReadonlyMap<string, string>;
  /** SIGKILL. @returns false if the process was not running */
  kill(name: string): Promise<boolean>;
  /** SIGSTOP, and SIGCONT after `durationMs`. @returns false if the process was not running */
  freeze(name: string, durationMs: number): Promise<boolean>;
  /** SIGTERM, after which a supervisor starts the process again. Resolves when the new one runs. */
  restart(name: string): Promise<void>;
  /** What all processes have written so far. */
  output(): string;
  stop(): Promise<void>;
}

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const SECRETS = {
  SECRET_KEY: 'a secret key that only the chaos test knows',
  INTERNAL_SECRET: 'an internal secret that only the chaos test knows',
};
/** Longer than any call of a check. */
const DRAIN_SECONDS = 300;
const COMMON = {
  DRAIN_LIMIT: String(DRAIN_SECONDS),
  ...SECRETS,
  WEBHOOK_ALLOW_PRIVATE: 'loopback',
  RATE_LIMIT: '1000000000',
  RING_LIMIT: '5',
};
const VOICES_READY_LIMIT_MS = 60_000;

/** Resolves when every process is ready; after a failure no process is left. */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const environment = { ...COMMON, ...options.environment };
  const installation = await startInstallation({ environment });
  try {
    return await addProcesses(installation, environment, options);
  } catch (error) {
    await installation.stop();
    throw error;
  }
}

async function addProcesses(
  installation: Installation,
  environment: Record<string, string>,
  options: FleetOptions,
): Promise<Fleet> {
  const given: Environment = { ...process.env, ...environment, ...(await sharedEnvironment(installation)) };
  const lines: string[] = [];
  const onLine = (name: string, line: string): void => void lines.push(`${name} ${line}`);
  const voices = await moreVoices(given, options.voices - 1, onLine);
  const extras = [
    ...(await moreWorkers(given, options.workers - 1, onLine)),
    ...voices.map(({ supervised }) => supervised),
  ];
  const databaseUrl = given['DATABASE_URL'] ?? '';
  const sql = openPatientSql(databaseUrl);
  for (const extra of extras) extra.start();
  const pidOf = async (name: string): Promise<number | null> => {
    const extra = extras.find((one) => one.name === name);
    return extra ? extra.pid : ((await installation.processes())[name] ?? null);
  };
  await untilVoicesAreReady(sql, options.voices);
  return {
    installation,
    databaseUrl,
    sql,
    victims: ['api', 'postgres', 'worker', 'voice', ...extras.map(({ name }) => name)],
    voiceUrls: new Map(voices.map(({ supervised, url }) => [supervised.name, url])),
    kill: async (name) => signal(await pidOf(name), 'SIGKILL'),
    freeze: async (name, durationMs) => freeze(await pidOf(name), durationMs),
    async restart(name) {
      const before = await pidOf(name);
      if (!signal(before, 'SIGTERM')) throw new Error(`${name} does not run`);
      await untilRestarted(sql, { options, isNew: async () => ![null, before].includes(await pidOf(name)) });
    },
    output: () => `${installation.output()}\n${lines.join('\n')}\n`,
    async stop() {
      await Promise.all(extras.map((extra) => extra.stop()));
      await sql.close();
      await installation.stop();
    },
  };
}

async function sharedEnvironment({ dataDir }: Installation): Promise<Record<string, string>> {
  const text = await readFile(join(dataDir, 'runtime.json'), 'utf8');
  const { environment } = JSON.parse(text) as { environment: Record<string, string> };
  return environment;
}

type Environment = Record<string, string | undefined>;

async function moreWorkers(given: Environment, count: number, onLine: OnLine): Promise<SupervisedProcess[]> {
  const ports = await freePorts(Math.max(0, count));
  return ports.map((port, index) =>
    keepRunning(
      `worker-${index + 2}`,
      'apps/worker/src/main.ts',
      { ...given, WORKER_PORT: String(port) },
      onLine,
    ),
  );
}

interface ExtraVoice {
  supervised: SupervisedProcess;
  url: string;
}

async function moreVoices(given: Environment, count: number, onLine: OnLine): Promise<ExtraVoice[]> {
  const voices: ExtraVoice[] = [];
  for (let index = 0; index < count; index++) {
    const [control, sip] = await freePorts(2);
    const own = {
      VOICE_LISTEN: `127.0.0.1:${control}`,
      SIP_LISTEN: `127.0.0.1:${sip}`,
      RTP_PORTS: someRtpRange(),
    };
    const supervised = keepRunning(
      `voice-${index + 2}`,
      'apps/voice/src/main.ts',
      { ...given, ...own },
      onLine,
    );
    voices.push({ supervised, url: `http://${own.VOICE_LISTEN}` });
  }
  return voices;
}

/** Takes a line of the log of a process. */
type OnLine = (name: string, line: string) => void;

function keepRunning(
  name: string,
  script: string,
  environment: Environment,
  onLine: OnLine,
): SupervisedProcess {
  const ignore = (): void => {};
  const events = { onLine, onStarted: ignore, onEnded: ignore, onInvalidSettings: ignore };
  const plan = { name, script: join(repository, script), environment, stopLimitMs: 1_000 };
  return new SupervisedProcess(plan, events, systemClock);
}

/** A process may wait for its calls for {@link DRAIN_SECONDS} before it ends. */
async function untilRestarted(
  sql: PatientSql,
  { options, isNew }: { options: FleetOptions; isNew: () => Promise<boolean> },
): Promise<void> {
  const limitMs = systemClock.monotonic() + 2 * DRAIN_SECONDS * 1000;
  while (!(await isNew())) {
    if (systemClock.monotonic() > limitMs) throw new Error('A process did not start again');
    await pause(systemClock, 100);
  }
  await untilVoicesAreReady(sql, options.voices);
}

async function untilVoicesAreReady(sql: PatientSql, count: number): Promise<void> {
  const limitMs = systemClock.monotonic() + VOICES_READY_LIMIT_MS;
  for (;;) {
    const [row] = await sql.query<{ ready: number }>('select count(*)::int as ready from voice_processes');
    if ((row?.ready ?? 0) >= count) return;
    if (systemClock.monotonic() > limitMs) throw new Error('The voice processes did not become ready');
    await pause(systemClock, 100);
  }
}

/** A separate shell continues the processes, so that they do not stay frozen if this program is ended meanwhile. */
async function freeze(pid: number | null, durationMs: number): Promise<boolean> {
  if (pid === null) return false;
  const frozen = [pid, ...(await childrenOf(pid))];
  if (!frozen.map((one) => signal(one, 'SIGSTOP')).some(Boolean)) return false;
  const script = `sleep ${durationMs / 1000}; kill -CONT ${frozen.join(' ')}`;
  const thaw = spawn('sh', ['-c', script], { detached: true, stdio: 'ignore' });
  await once(thaw, 'exit');
  return true;
}

function signal(pid: number | null, name: 'SIGKILL' | 'SIGSTOP' | 'SIGTERM'): boolean {
  try {
    return pid !== null && process.kill(pid, name);
  } catch {
    return false;
  }
}
