/** Runs vitest once. */
import { spawnSync } from 'node:child_process';

/** @returns the exit code */
export function runVitest(given: readonly string[], environment: NodeJS.ProcessEnv): number {
  return spawnSync('vitest', ['run', ...given], { stdio: 'inherit', env: environment }).status ?? 1;
}
