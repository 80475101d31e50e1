/** Which processes a process has started, from Linux's /proc: a Postgres that is frozen is frozen with its back ends. */
import { readFile, readdir } from 'node:fs/promises';

/** @returns process ids of the children, not of theirs; empty where there is no /proc */
export async function childrenOf(parent: number): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const children: number[] = [];
  for (const name of names.filter((one) => /^\d+$/.test(one))) {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    // The name in parentheses may hold spaces; the parent is the second field after it.
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent) children.push(Number(name));
  }
  return children;
}
