/**
 * `npm run chaos`: breaks a running house in every way of the list of goals and compares what the carrier saw with what
 * the database says. `--full` does all of it at full length, `--only R1,R5` some of it, `--seed 7` the same again.
 */
import { systemClock } from '@parley/runtime';
import { hasHeld, lineOf, type Check, type CheckResult } from './check.ts';
import { CHECKS } from './checks.ts';
import { readArguments } from './arguments.ts';

/** Of an error; a house that does not start says a lot. Characters. */
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
