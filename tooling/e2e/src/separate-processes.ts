/**
 * An installation whose processes run separately, two of each kind, as where several machines share one database: each can
 * be replaced by one with other settings while the others work.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pause, SupervisedProcess, systemClock } from '@parley/runtime';
import { freePorts, someRtpRange } from './free-ports.ts';
import { startInstallation, type Installation } from './installation.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
/** Time for a stop, with the calls of a voice process. */
const STOP_LIMIT_MS = 60_000;
const READY_LIMIT_MS = 60_000;

/** How a process ends before its successor starts. */
type Ending = 'SIGTERM' | 'SIGKILL';

/** The running processes. */
export interface SeparateProcesses {
  token: string;
  /** The addresses of the two apis. */
  apis: string[];
  /** For the command line, besides the keys. */
  environment: Record<string, string>;
  /** Resolves when the successors, which have other settings, are ready. */
  replace(names: readonly string[], ending: Ending, settings: Record<string, string>): Promise<void>;
  output(): string;
  stop(): Promise<void>;
}

interface Plan {
  name: string;
  script: string;
  own: Record<string, string>;
  /** Where it says whether it is ready; null: nowhere. */
  url: string | null;
}

/**
 * @param environment - of all processes; with DATABASE_URL
 * @param prepare - runs while the installation is still one of `npm start`
 */
export async function startSeparateProcesses(
  environment: Record<string, string>,
  prepare: (installation: Installation) => Promise<void>,
): Promise<SeparateProcesses> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-separate-'));
  const [phonesPort] = await freePorts(1);
  const phones = {
    PHONES_LISTEN: `127.0.0.1:${phonesPort}`,
    PHONES_RTP_PORTS: someRtpRange(),
    PHONES_LOG: join(dataDir, 'phones.jsonl'),
  };
  const common = { ...environment, ...phones, DATA_DIR: dataDir, DRAIN_LIMIT: '50', LOCAL_MODELS: 'off' };
  const lines: string[] = [];
  const running = new Map<string, SupervisedProcess>();
  const stop = async (): Promise<void> => {
    await Promise.all([...running.values()].map((one) => one.stop()));
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const installation = await startInstallation({ environment: common });
    try {
      await prepare(installation);
    } finally {
      await installation.stop();
    }
    const plans = await planAll();
    const start = (plan: Plan, settings: Record<string, string>): void => {
      const supervised = supervise(plan, { ...process.env, ...common, ...settings }, lines);
      running.set(plan.name, supervised);
      supervised.start();
    };
    for (const plan of plans) start(plan, {});
    await untilReady(plans, lines);
    return {
      token: installation.token,
      apis: plans.flatMap(({ name, url }) => (name.startsWith('api') && url !== null ? [url] : [])),
      environment: common,
      async replace(names, ending, settings) {
        const chosen = plans.filter(({ name }) => names.includes(name));
        for (const { name } of chosen) if (ending === 'SIGKILL') running.get(name)?.kill();
        await Promise.all(chosen.map(async ({ name }) => running.get(name)?.stop()));
        for (const plan of chosen) start(plan, settings);
        await untilReady(chosen, lines);
      },
      output: () => lines.join('\n'),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function planAll(): Promise<Plan[]> {
  const plans: Plan[] = [{ name: 'phones', script: 'tooling/phones/src/main.ts', own: {}, url: null }];
  for (const number of [1, 2]) {
    const [api, worker, voice, sip] = await freePorts(4);
    const url = (port: number | undefined): string => `http://127.0.0.1:${port}`;
    const voiceSettings = {
      VOICE_LISTEN: `127.0.0.1:${voice}`,
      SIP_LISTEN: `127.0.0.1:${sip}`,
      RTP_PORTS: someRtpRange(),
      WEBRTC_PORTS: 'off',
    };
    plans.push(
      { name: `api-${number}`, script: 'apps/api/src/main.ts', own: { PORT: String(api) }, url: url(api) },
      {
        name: `worker-${number}`,
        script: 'apps/worker/src/main.ts',
        own: { WORKER_PORT: String(worker) },
        url: url(worker),
      },
      { name: `voice-${number}`, script: 'apps/voice/src/main.ts', own: voiceSettings, url: url(voice) },
    );
  }
  return plans;
}

function supervise(
  { name, script, own }: Plan,
  given: Record<string, string | undefined>,
  lines: string[],
): SupervisedProcess {
  const ignore = (): void => {};
  const events = {
    onLine: (_: string, line: string): void => void lines.push(`${name} ${line}`),
    onStarted: ignore,
    onEnded: ignore,
    onInvalidSettings: ignore,
  };
  const environment = {
    ...given,
    ...own,
    NODE_COMPILE_CACHE: join(repository, 'node_modules/.cache/compiled'),
  };
  const plan = { name, script: join(repository, script), environment, stopLimitMs: STOP_LIMIT_MS };
  return new SupervisedProcess(plan, events, systemClock);
}

async function untilReady(plans: readonly Plan[], lines: readonly string[]): Promise<void> {
  const limitMs = systemClock.monotonic() + READY_LIMIT_MS;
  for (const { name, url } of plans) {
    if (url === null) continue;
    while (!(await isReady(url))) {
      if (systemClock.monotonic() > limitMs)
        throw new Error(
          `${name} did not become ready:\n${lines
            .filter((line) => line.startsWith(name))
            .slice(-50)
            .join('\n')}`,
        );
      await pause(systemClock, 50);
    }
  }
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.ok;
    },
    () => false,
  );
}
