/** Writes the results of a suite, and says how a command ends that could not hold it. */
import { writeFileSync } from 'node:fs';
import { isParleyError, ParleyConnectionError } from '@parley/client';
import { SuiteError } from '@parley/suites';
import { callerPath } from '../caller-path.ts';
import { CommandError, EXIT } from '../command-error.ts';
import type { Console } from '../console.ts';
import { texts } from './evaluation-texts.ts';
import { junitReport } from './junit-report.ts';
import type { CallerResult } from './run-suite.ts';
import { suiteJson, suiteTable } from './suite-report.ts';

/** Where reports are written besides the terminal. */
export interface ReportOptions {
  junit?: string;
  json?: string;
}

/** The table on the terminal, and the files that are asked for. */
export function writeReport(
  console: Console,
  { name, results }: { name: string; results: readonly CallerResult[] },
  { junit, json }: ReportOptions,
): void {
  if (junit !== undefined) writeFile(console, junit, junitReport(name, results));
  if (json !== undefined) writeFile(console, json, `${JSON.stringify(suiteJson(name, results), null, 2)}\n`);
  console.write(`${suiteTable(results)}\n`);
}

/** A server that cannot be asked at all is a fault of the set-up, like an invalid suite, and no failed test. */
export async function reachable<Answer>(work: Promise<Answer>): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ParleyConnectionError || isParleyError(error))
      throw new CommandError(`${error.message}.`.replace('..', '.'), { exitCode: EXIT.usage, cause: error });
    if (error instanceof SuiteError)
      throw new CommandError(error.message, {
        exitCode: error.isUnusable ? EXIT.usage : EXIT.failed,
        cause: error,
      });
    throw error;
  }
}

/** @throws CommandError for a file that cannot be written */
export function writeFile(console: Console, path: string, content: string): void {
  try {
    writeFileSync(callerPath(console.environment, path), content);
  } catch (cause) {
    throw new CommandError(texts.report.cannotWrite(path), { exitCode: EXIT.usage, cause });
  }
  console.remark(texts.report.written(path));
}
