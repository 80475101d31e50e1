/** The job that dials a call. At most one waits for each call: whoever wants it sooner replaces it. */
import type { Tx } from '@parley/db';
import { enqueue } from './catalogue.ts';

/** Enqueues it for now. */
export async function enqueueDial(tx: Tx, callId: number): Promise<void> {
  await enqueue(tx, 'dial_call', { callId }, { jobKey: `dial_call:${callId}` });
}
