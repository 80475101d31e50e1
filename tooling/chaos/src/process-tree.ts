/** The child processes of a process, from Linux's /proc. Freezing Postgres includes its backends. */
import { readFile, readdir } from 'node:fs/promises';

/** @returns the process ids of the direct children; empty if there is no /proc */
export async function childrenOf(parent: number): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const children: number[] = [];
  for (const name of names.filter((one) => /^\d+$/.test(one))) {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    // The name in parentheses may contain spaces; the parent is the second field after it.
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent) children.push(Number(name));
  }
  return children;
}
