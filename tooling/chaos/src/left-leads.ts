/**
 * The invariant of dialing after every check: each lead of each campaign is settled, queued, in a call, or blocked for a reason
 * that an event ends. `doctor` of the command line reads it, as an operator would.
 */
import type { CheckResult } from './check.ts';
import type { Fleet } from './fleet.ts';

/** A settled lead that is to be called again, although nothing queues it. */
const PLANT = `
  update leads set status = 'created', dial_state = 'waiting', dial_reason = null
  where id = (select max(l.id) from leads l join campaigns c on c.id = l.campaign_id and c.deleted_at is null
    where l.parent_id is null and l.status <> 'created')
  returning id`;

/** The leads that nothing would call. Afterwards it plants one more, which `doctor` must report. */
export async function checkLeftLeads(fleet: Fleet): Promise<CheckResult> {
  const found = await readDoctor(fleet);
  const [planted] = await fleet.sql.query<{ id: number }>(PLANT);
  const isSeen = !planted || (await readDoctor(fleet)).length > found.length;
  return {
    counts: { 'left behind': found.length },
    faults: found.slice(0, 5).map((fault) => `left behind: ${JSON.stringify(fault)}`),
    controls: planted ? { 'left behind': isSeen } : {},
  };
}

/** `doctor` ends with an exit code when it finds something, and prints its findings all the same. */
async function readDoctor({ installation }: Fleet): Promise<unknown[]> {
  const output = await installation.cli(['doctor', '--json']).catch((error: unknown) => {
    if (error instanceof Error && 'stdout' in error && typeof error.stdout === 'string') return error.stdout;
    throw error;
  });
  return JSON.parse(output) as unknown[];
}
