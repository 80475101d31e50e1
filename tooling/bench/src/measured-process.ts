/** A Node process with the probe in it: started, asked for its figures, stopped. */
import { spawn, type ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ProbeAnswer, ProbeRequest, ProcessFigures, RecordedStatement } from './process-probe.ts';

const PROBE = new URL('process-probe.ts', import.meta.url).href;
const ANSWER_LIMIT_MS = 30_000;

/** How an answer is waited for. */
interface Asking {
  limitMs?: number;
  /** Default: any message. */
  isAnswer?: (message: unknown) => boolean;
}

/** A process that is measured. */
export interface MeasuredProcess {
  pid: number;
  figures(): Promise<ProcessFigures>;
  /** Collects garbage. */
  collectGarbage(): Promise<void>;
  /** Keeps the main thread busy with JSON for a second, from now on. */
  startStorm(): Promise<void>;
  /** Forgets the stalls there have been. */
  resetStalls(): Promise<void>;
  startRecording(): Promise<void>;
  /** The statements since then; ends the recording. */
  recorded(): Promise<RecordedStatement[]>;
  /**
   * Sends a message of the program's own and waits for its answer.
   *
   * @param limitMs - default: 30 s
   */
  exchange<Answer>(message: object, limitMs?: number): Promise<Answer>;
  stop(): Promise<void>;
}

/** @param script - relative to the root of the repository */
export function startMeasured(script: string, environment: Record<string, string> = {}): MeasuredProcess {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const child = spawn(process.execPath, ['--import', PROBE, script], {
    cwd: root,
    // Nothing measured outlives the benchmark.
    env: { ...process.env, ...environment, PARLEY_PARENT_PID: String(process.pid) },
    // Its log is written as it always is, and goes nowhere.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Statements carry bytes and instants.
    serialization: 'advanced',
  });
  // One question at a time: an answer does not say which question it belongs to.
  let last: Promise<unknown> = Promise.resolve();
  const tell = (request: ProbeRequest): Promise<ProbeAnswer> => {
    // A voice process also sends its own reports.
    const isAnswer = (message: unknown): boolean => (message as Partial<ProbeAnswer>).to === request;
    const answer = last.then(() => ask<ProbeAnswer>(child, request, { isAnswer }));
    last = answer.catch(() => undefined);
    return answer;
  };
  return {
    pid: child.pid ?? 0,
    figures: async () => ((await tell('figures')) as Extract<ProbeAnswer, { to: 'figures' }>).figures,
    collectGarbage: async () => void (await tell('collect')),
    startStorm: async () => void (await tell('storm')),
    resetStalls: async () => void (await tell('reset')),
    startRecording: async () => void (await tell('record')),
    recorded: async () => ((await tell('recorded')) as Extract<ProbeAnswer, { to: 'recorded' }>).statements,
    exchange: (message, limitMs) => ask(child, message, limitMs === undefined ? {} : { limitMs }),
    async stop() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function ask<Answer>(
  child: ChildProcess,
  message: object | string,
  { limitMs = ANSWER_LIMIT_MS, isAnswer = () => true }: Asking = {},
): Promise<Answer> {
  const answers = on(child, 'message', { signal: AbortSignal.timeout(limitMs) });
  child.send(message);
  for await (const [answer] of answers) if (isAnswer(answer)) return answer as Answer;
  throw new Error('The process has ended');
}
