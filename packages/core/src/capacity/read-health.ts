/** Which processes of the installation run, for the admin app. */
import type { ProcessHealth } from '@parley/contracts';
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';

interface HealthRow {
  voiceProcesses: number;
  draining: number;
  capacity: number;
  activeCalls: number;
  workers: number;
}

/** A worker holds one connection of this name as long as it runs. */
const selectHealth = statement<HealthRow>(
  'read_process_health',
  `select v.*, (select count(*)::int from pg_stat_activity
     where datname = current_database() and application_name = 'parley worker liveness') as workers
   from (select count(*)::int as voice_processes, (count(*) filter (where is_draining))::int as draining,
     coalesce(sum(capacity) filter (where not is_draining), 0)::int as capacity,
     coalesce(sum(active_calls), 0)::int as active_calls
     from voice_processes where lease_until > clock_timestamp()) v`,
);

/** Counts only processes that have renewed their lease, or hold their connection. */
export async function readProcessHealth(ctx: CoreContext): Promise<ProcessHealth> {
  const [row] = await ctx.db.query(selectHealth);
  if (!row) throw new Error('A count returned no row');
  return {
    voice_processes: row.voiceProcesses,
    draining: row.draining,
    capacity: row.capacity,
    active_calls: row.activeCalls,
    workers: row.workers,
  };
}
