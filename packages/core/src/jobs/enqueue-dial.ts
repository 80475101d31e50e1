/** The job that dials a call. At most one is waiting for each call; enqueueing again replaces it. */
import { statement, type Tx } from '@parley/db';
import { enqueue, jobs } from './catalogue.ts';

const addDials = statement<unknown>(
  'add_dial_jobs',
  `select count(*) from graphile_worker.add_jobs(array(
     select ('dial_call', json_build_object('callId', id), null, null, $2, 'dial_call:' || id, null, null)
       ::graphile_worker.job_spec
     from unnest($1::bigint[]) as ids (id)))`,
);

/** Enqueues many jobs that are due now in one round trip, with one notification of the workers. */
export async function enqueueDials(tx: Tx, callIds: readonly number[]): Promise<void> {
  if (callIds.length > 0) await tx.query(addDials, [callIds, jobs.dial_call.maxAttempts]);
}

/** @param runAt - default: at once */
export async function enqueueDial(tx: Tx, callId: number, runAt?: Date): Promise<void> {
  const jobKey = `dial_call:${callId}`;
  await enqueue(tx, 'dial_call', { callId }, runAt ? { jobKey, runAt } : { jobKey });
}
