/**
 * The leases by which voice processes prove that they are running. All comparisons use the clock of the database, which is
 * the same for all machines of a fleet. A process is fenced by removing its row: only then may others write about its
 * calls. A lease that ran out because the database was unreachable can still be renewed. Each registration gets a new id,
 * so that the calls of a process that was fenced or restarted never belong to its successor.
 */
import { randomUUID } from 'node:crypto';
import { json, statement, type Tx } from '@parley/db';
import { wakeNextHeld } from './campaign-hold.ts';
import type { CoreContext } from '../context.ts';
import { NO_RECOGNITION, type RecognitionSupport } from './recognition-support.ts';

/** The voice process on whose behalf something is written about a call. */
export interface VoiceFence {
  processId: string;
}

/** The id and the address of a voice process. */
export interface VoiceProcessAddress {
  id: string;
  url: string;
}

/** How long a lease is valid, milliseconds. */
export const LEASE_MS = 10_000;
/** How often a voice process renews it, milliseconds. */
export const LEASE_RENEWAL_MS = 2_000;

const dropAtUrl = statement<{ id: string; leaseUntil: Date }>(
  'drop_voice_process_at_url',
  `delete from voice_processes where url = $1 returning id, lease_until`,
);
const insertProcess = statement(
  'insert_voice_process',
  `insert into voice_processes
     (id, url, sip_address, capacity, active_calls, is_draining, lease_until, started_at, detector,
      recognised_languages, admitted_calls)
   values ($1, $2, $3, $4, 0, false, now() + $5 * interval '1 ms', now(), $6, $7, $8::int)`,
);
const renew = statement<{ takesMore: boolean }>(
  'renew_lease',
  `with before as (
     select id, lease_until < now() or is_draining
       or least(capacity, admitted_calls) < least(capacity, $5::int) as takes_more
     from voice_processes where id = $1)
   update voice_processes p
   set active_calls = $2, is_draining = $3, lease_until = now() + $4 * interval '1 ms', admitted_calls = $5::int
   from before where p.id = before.id returning before.takes_more`,
);
const dropProcess = statement('drop_voice_process', `delete from voice_processes where id = $1`);
const selectFreest = statement<VoiceProcessAddress>(
  'pick_voice_process',
  `select p.id, p.url
   from voice_processes p left join live_calls l on l.voice_process_id = p.id and l.queued_at is null
   where not p.is_draining and p.lease_until > now()
   group by p.id
   having count(l.call_id) < case when $1 then least(p.capacity, p.admitted_calls) else p.capacity end
   order by count(l.call_id)::float / p.capacity, random()
   limit 1`,
);

/** A voice process that takes calls, and the number of calls that are assigned to it. */
export interface VoiceLoad extends Pick<VoiceProcessAddress, 'id'> {
  /** Calls at once that it takes for the present. */
  capacity: number;
  calls: number;
}

const selectLoads = statement<VoiceLoad>(
  'voice_loads',
  `select p.id, least(p.capacity, p.admitted_calls) as capacity, count(l.call_id) as calls
   from voice_processes p left join live_calls l on l.voice_process_id = p.id and l.queued_at is null
   where not p.is_draining and p.lease_until > now()
   group by p.id`,
);

const selectLiving = statement<VoiceProcessAddress>(
  'living_voice_process',
  `select id, url from voice_processes where lease_until > now() order by is_draining, random() limit 1`,
);

/** The registration of a voice process. */
export interface VoiceRegistration {
  url: string;
  sipAddress: string;
  capacity: number;
  /** Calls at once that it takes for the present. Default: its capacity. */
  admittedCalls?: number;
  /** Absent: it recognises nothing, as those of tests and benchmarks. */
  recognition?: RecognitionSupport;
}

/** The process that was registered at the same address before. */
interface Predecessor {
  id: string;
  /** When it last renewed its lease. */
  lastSeenAt: Date;
}

/**
 * Fences a process that is registered at the same address: it must have stopped, or this one could not listen there.
 *
 * @param takeOver - runs in the same transaction for each such process
 */
export async function registerVoiceProcess(
  ctx: CoreContext,
  input: VoiceRegistration,
  takeOver?: (tx: Tx, fence: VoiceFence, predecessor: Predecessor) => Promise<void>,
): Promise<VoiceFence> {
  const id = randomUUID();
  const { url, sipAddress, capacity, recognition = NO_RECOGNITION, admittedCalls = null } = input;
  const { detector, recognisedLanguages } = recognition;
  return ctx.db.transaction(async (tx) => {
    const dropped = await tx.query(dropAtUrl, [url]);
    const values = [
      id,
      url,
      sipAddress,
      capacity,
      LEASE_MS,
      detector,
      json(recognisedLanguages),
      admittedCalls,
    ];
    await tx.query(insertProcess, values);
    for (const { id: lostId, leaseUntil } of dropped)
      await takeOver?.(
        tx,
        { processId: id },
        { id: lostId, lastSeenAt: new Date(leaseUntil.getTime() - LEASE_MS) },
      );
    await wakeNextHeld(tx, ['fleet']);
    return { processId: id };
  });
}

/** What a voice process publishes with each renewal. */
export interface PublishedLoad {
  activeCalls: number;
  isDraining: boolean;
  /** See {@link VoiceRegistration}. */
  admittedCalls?: number;
}

/** @returns false when the process was fenced: it must end its calls and register again */
export async function renewLease(ctx: CoreContext, input: VoiceFence & PublishedLoad): Promise<boolean> {
  const { processId, activeCalls, isDraining, admittedCalls = null } = input;
  const values = [processId, activeCalls, isDraining, LEASE_MS, admittedCalls];
  const [renewed] = await ctx.db.query(renew, values);
  // Campaigns that wait for it continue.
  if (renewed?.takesMore && !isDraining) await wakeNextHeld(ctx.db, ['fleet']);
  return renewed !== undefined;
}

/** On a clean stop, after the last call has ended. */
export async function dropVoiceProcess(ctx: CoreContext, id: string): Promise<void> {
  await ctx.db.query(dropProcess, [id]);
}

/**
 * The process with the smallest share of its slots taken; null when all are full.
 *
 * @param canWait - true for a call that can begin a few seconds later: only a process that admits it now is taken. False
 *   where a caller is already connected
 */
export async function pickVoiceProcess(
  tx: Tx,
  { canWait }: { canWait: boolean },
): Promise<VoiceProcessAddress | null> {
  const [process] = await tx.query(selectFreest, [canWait]);
  return process ?? null;
}

const sumCapacity = statement<{ capacity: number }>(
  'fleet_capacity',
  `select coalesce(sum(capacity), 0) as capacity from voice_processes where not is_draining and lease_until > now()`,
);

/** The sum of the capacities of all voice processes that take calls. */
export async function fleetCapacity(tx: Tx): Promise<number> {
  const [fleet] = await tx.query(sumCapacity);
  return fleet?.capacity ?? 0;
}

/** Every process that takes calls, for {@link takeVoiceSlot}. */
export async function listVoiceLoads(tx: Tx): Promise<VoiceLoad[]> {
  return tx.query(selectLoads);
}

/** Takes a slot of the process with the smallest share of its slots taken; null when all are full. */
export function takeVoiceSlot(loads: readonly VoiceLoad[]): VoiceFence | null {
  const [first, ...others] = loads.filter(({ calls, capacity }) => calls < capacity);
  if (!first) return null;
  const load = others.reduce((best, one) => (shareTaken(one) < shareTaken(best) ? one : best), first);
  load.calls += 1;
  return { processId: load.id };
}

function shareTaken({ calls, capacity }: VoiceLoad): number {
  return calls / capacity;
}

/** Any process with a valid lease, full or not; null when there is none. */
export async function findLivingVoiceProcess(ctx: CoreContext): Promise<VoiceProcessAddress | null> {
  const [process] = await ctx.db.query(selectLiving);
  return process ?? null;
}
