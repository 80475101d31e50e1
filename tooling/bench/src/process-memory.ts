/** How much memory a tree of processes holds, from Linux's /proc. */
import { readFile, readdir } from 'node:fs/promises';

/**
 * Proportional set size of a process and all its descendants: pages shared between them count once.
 *
 * @param root - process id
 * @returns megabytes
 */
export async function memoryMegabytes(root: number): Promise<number> {
  const parents = await parentsOfAll();
  const isOurs = (pid: number): boolean => pid === root || (pid > 1 && isOurs(parents.get(pid) ?? 0));
  let kilobytes = 0;
  for (const pid of [...parents.keys()].filter(isOurs)) {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
  }
  return Math.round(kilobytes / 1024);
}

async function parentsOfAll(): Promise<Map<number, number>> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    // The name in parentheses may hold spaces; the parent is the second field after it.
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  return parents;
}
