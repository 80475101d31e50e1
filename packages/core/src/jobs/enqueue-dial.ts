/** The job that dials a call. At most one waits for each call: whoever wants it sooner replaces it. */
import type { Tx } from '@parley/db';
import { enqueue } from './catalogue.ts';

/** @param runAt - default: at once */
export async function enqueueDial(tx: Tx, callId: number, runAt?: Date): Promise<void> {
  const jobKey = `dial_call:${callId}`;
  await enqueue(tx, 'dial_call', { callId }, runAt ? { jobKey, runAt } : { jobKey });
}
