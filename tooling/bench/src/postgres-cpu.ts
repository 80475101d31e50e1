/** The processor time of a Postgres with all its back ends, from Linux's /proc. */
import { readFile, readdir } from 'node:fs/promises';
import type { Client } from 'pg';

/** The duration of one tick in the kernel's accounting. */
const MICROS_PER_TICK = 10_000;

/** @returns what tells the processor time of the Postgres behind a connection since it began, microseconds */
export async function createPostgresCpu(sql: Client): Promise<() => Promise<number>> {
  const result = await sql.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = Number((await statOf(String(result.rows[0]?.pid)))[PARENT]);
  return () => postgresCpuMicros(postmaster);
}

/**
 * Back ends that have ended count too: their time is added to their parent's.
 *
 * @param postmaster - process id
 * @returns microseconds since it began
 */
export async function postgresCpuMicros(postmaster: number): Promise<number> {
  let micros = 0;
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const stat = await statOf(pid);
    const isPostmaster = Number(pid) === postmaster;
    if (!isPostmaster && Number(stat[PARENT]) !== postmaster) continue;
    micros += await ownMicros(pid);
    if (isPostmaster) micros += (Number(stat[CUTIME]) + Number(stat[CSTIME])) * MICROS_PER_TICK;
  }
  return micros;
}

/** Places in {@link statOf}. */
const [PARENT, CUTIME, CSTIME] = [1, 13, 14] as const;

/** The fields after the name in parentheses, which may hold spaces: state, parent, … */
async function statOf(pid: string): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Finer than the ticks of the other accounts: nanoseconds. */
async function ownMicros(pid: string): Promise<number> {
  const times = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '0');
  return Number(times.split(' ')[0]) / 1000;
}
