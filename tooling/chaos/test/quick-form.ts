/** Runs the quick form of a check and prints its line. */
import { performance } from 'node:perf_hooks';
import { lineOf, type Check } from '../src/check.ts';

/** The seed of the quick forms; they print it. */
const SEED = Number(process.env['PARLEY_SEED'] ?? 20_260_105);

/** Half a minute on a machine that has nothing else to do. */
export const PATIENCE = { timeout: 600_000 };

/** @returns `unseen`: the negative controls that did not turn red */
export async function quickForm(check: Check): Promise<{ faults: string[]; unseen: string[] }> {
  const startedMs = performance.now();
  const result = await check.run({ isFull: false, seed: SEED, say: () => {} });
  const seconds = (performance.now() - startedMs) / 1000;
  process.stdout.write(`${lineOf(check, result, { seed: SEED, seconds })}\n`);
  const unseen = Object.keys(result.controls).filter((name) => result.controls[name] !== true);
  return { faults: result.faults, unseen };
}
