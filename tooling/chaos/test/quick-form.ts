/** Runs the quick form of a check and prints its line. */
import { performance } from 'node:perf_hooks';
import { lineOf, type Check } from '../src/check.ts';

/** The seed of the quick forms, which print it. */
const SEED = Number(process.env['PARLEY_SEED'] ?? 20_260_105);

/** Usually half a minute; the limit allows for a busy machine. */
export const PATIENCE = { timeout: 600_000 };

/** @returns the faults, and as `unseen` the negative controls that did not detect their fault */
export async function quickForm(check: Check): Promise<{ faults: string[]; unseen: string[] }> {
  const startedMs = performance.now();
  const result = await check.run({ isFull: false, seed: SEED, say: () => {} });
  const seconds = (performance.now() - startedMs) / 1000;
  process.stdout.write(`${lineOf(check, result, { seed: SEED, seconds })}\n`);
  const unseen = Object.keys(result.controls).filter((name) => result.controls[name] !== true);
  return { faults: result.faults, unseen };
}
