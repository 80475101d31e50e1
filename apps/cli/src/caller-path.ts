/** Files that a user names on the command line. */
import { resolve } from 'node:path';
import type { Environment } from './settings.ts';

/**
 * The place of a file that a user has named. A relative path belongs to the folder in which npm was started: npm changes
 * the folder of the process and passes on that of the caller in INIT_CWD.
 */
export function callerPath(environment: Environment, path: string): string {
  return resolve(environment['INIT_CWD'] ?? environment['PARLEY_INVOKED_FROM'] ?? '.', path);
}
