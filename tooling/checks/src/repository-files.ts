/** The files of the repository: those that git tracks, and new ones that it does not ignore. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** @returns paths relative to the current directory, which is the root of the repository */
export function listRepositoryFiles(): string[] {
  const output = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  return output.split('\n').filter((file) => file !== '' && existsSync(file));
}
