/**
 * `npm run chaos`: injects the faults of docs/goals.md into a running installation and compares the log of the carrier with
 * the database. `--full` runs all checks at full length, `--only R1,R5` selects checks, `--seed 7` repeats a run.
 */
import { systemClock } from '@parley/runtime';
import { hasHeld, lineOf, type Check, type CheckResult } from './check.ts';
import { CHECKS } from './checks.ts';
import { readArguments } from './arguments.ts';

/** Maximum length of a printed error, in characters. */
const LONGEST_WORDS = 800;

const { isFull, seed, chosen } = readArguments(process.argv.slice(2), CHECKS);

const say = (line: string): void => void process.stderr.write(`  ${line}\n`);

async function runCheck(check: Check): Promise<CheckResult> {
  process.stderr.write(`${check.id}: ${check.what} (seed ${seed})\n`);
  try {
    return await check.run({ isFull, seed, say });
  } catch (error) {
    const words = (error instanceof Error ? error.message : String(error)).slice(-LONGEST_WORDS);
    return { counts: {}, faults: [`it could not be carried out: ${words}`], controls: {} };
  }
}

const report: Record<string, CheckResult & { hasHeld: boolean; seconds: number }> = {};
for (const check of chosen) {
  const startedMs = systemClock.monotonic();
  const result = await runCheck(check);
  const seconds = (systemClock.monotonic() - startedMs) / 1000;
  report[check.id] = { ...result, hasHeld: hasHeld(result), seconds };
  process.stdout.write(`${lineOf(check, result, { seed, seconds })}\n`);
  for (const fault of result.faults) process.stdout.write(`         ${fault}\n`);
}
process.stdout.write(`${JSON.stringify({ isFull, seed, checks: report })}\n`);
process.exitCode = Object.values(report).every((one) => one.hasHeld) ? 0 : 1;
