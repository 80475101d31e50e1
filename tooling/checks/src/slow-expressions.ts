/**
 * Decides whether a regular expression can be made slow by its input: by analysis (scslre: backtracking between parts of
 * the expression), and by running it on long texts (the cost of a search that starts at many positions).
 */
import { runInNewContext } from 'node:vm';
import { analyse } from 'scslre';
import { attackTexts } from './attack-texts.ts';

/** For a text of 40,000 characters: a linear search takes less than 1 ms, a quadratic one about a second. */
const TIME_LIMIT_MS = 100;
/** A slow run counts only if all repetitions are slow, because other processes can delay a single one. */
const TRIES = 3;

/** @returns what makes the expression slow, or null */
export function findSlowness(pattern: string, flags: string): string | null {
  const [report] = analyse({ source: pattern, flags }).reports;
  if (report) return report.exponential ? 'exponential backtracking' : 'polynomial backtracking';
  const attack = attackTexts(pattern, flags).find((text) => isSlow(pattern, flags, text));
  return attack === undefined
    ? null
    : `quadratic search, for example in ${JSON.stringify(attack.slice(0, 20))}…`;
}

function isSlow(pattern: string, flags: string, text: string): boolean {
  for (let tries = 0; tries < TRIES; tries += 1) if (!timesOut(pattern, flags, text)) return false;
  return true;
}

function timesOut(pattern: string, flags: string, text: string): boolean {
  const program = 'new RegExp(pattern, flags).test(text)';
  try {
    runInNewContext(
      program,
      { pattern, flags: flags.replace(/[gy]/g, ''), text },
      { timeout: TIME_LIMIT_MS },
    );
    return false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return true;
    throw error;
  }
}
