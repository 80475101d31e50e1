/** Reads a suite from a file. */
import { readFileSync, statSync } from 'node:fs';
import { MAX_SUITE_BYTES, readSuite, type SuiteFields } from '@parley/suites';
import { CommandError, EXIT } from '../command-error.ts';
import { texts } from './evaluation-texts.ts';

/** @throws CommandError with exit code 2 */
export function readSuiteFile(path: string, shown: string): SuiteFields {
  const read = readSuite(readSuiteText(path, shown));
  if ('suite' in read) return read.suite;
  const lines = [texts.file.invalid(shown), ...read.faults.map((fault) => `  ${fault}`)];
  throw new CommandError(lines.join('\n'), { exitCode: EXIT.usage });
}

/** @throws CommandError with exit code 2 for a file that cannot be read */
export function readSuiteText(path: string, shown: string): string {
  try {
    if (statSync(path).size <= MAX_SUITE_BYTES) return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new CommandError(texts.file.unreadable(shown), { exitCode: EXIT.usage, cause });
  }
  throw new CommandError(texts.file.tooLarge(shown), { exitCode: EXIT.usage });
}
