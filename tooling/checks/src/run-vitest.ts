/** Runs vitest once, or twice at the same time. */
import { spawn, spawnSync, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';

/** `nice` value of a run that gives way to another. */
const LOWER_PRIORITY = 10;

/** @returns the exit code */
export function runVitest(given: readonly string[], environment: NodeJS.ProcessEnv): number {
  return spawnSync('vitest', ['run', ...given], { stdio: 'inherit', env: environment }).status ?? 1;
}

/**
 * Runs vitest twice at the same time. The second run holds calls in real time and leaves the processor idle for half of
 * it, so that the first run fills the gaps at a lower priority. The output of the second follows that of the first.
 *
 * @returns the exit code: 0 when both runs passed
 */
export async function runVitestTogether(
  first: readonly string[],
  second: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const output: Buffer[] = [];
  const filling = startVitest(first, environment, 'inherit');
  if (filling.pid !== undefined) setPriority(filling.pid, LOWER_PRIORITY);
  const calling = startVitest(second, environment, ['ignore', 'pipe', 'pipe']);
  for (const stream of [calling.stdout, calling.stderr])
    stream?.on('data', (chunk: Buffer) => output.push(chunk));
  await Promise.all([once(filling, 'close'), once(calling, 'close')]);
  process.stdout.write(Buffer.concat(output));
  return filling.exitCode === 0 && calling.exitCode === 0 ? 0 : 1;
}

function startVitest(
  given: readonly string[],
  environment: NodeJS.ProcessEnv,
  stdio: StdioOptions,
): ChildProcess {
  return spawn('vitest', ['run', ...given], { stdio, env: environment });
}
