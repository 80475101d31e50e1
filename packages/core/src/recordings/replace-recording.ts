/** Puts a file without noise in place of a recording, unless its call was deleted meanwhile. */
import { statement, type Tx } from '@parley/db';
import type { CoreContext } from '../context.ts';

/** A recording whose noise is to be removed. */
export interface NoisyRecording {
  callId: number;
  /** The key in the recording storage. */
  key: string;
}

const selectState = statement<{ isNoiseRemoved: boolean }>(
  'find_noise_of_recording',
  `select is_noise_removed from recordings where call_id = $1 and storage_key = $2`,
);
const lockState = statement<{ isNoiseRemoved: boolean }>(
  'lock_noise_of_recording',
  `select is_noise_removed from recordings where call_id = $1 and storage_key = $2 for update`,
);
const markDone = statement(
  'mark_noise_removed',
  `update recordings set is_noise_removed = true where call_id = $1`,
);

/** False when nothing is left to do. The files of a call that was deleted are removed. */
export async function isNoisy(ctx: CoreContext, recording: NoisyRecording): Promise<boolean> {
  return isStillNoisy(ctx, await ctx.db.query(selectState, [recording.callId, recording.key]), recording);
}

/**
 * Replaces the file by its replacement. A deletion of the call waits for the lock and removes the new file. If the process
 * is killed before the commit, the noise is removed a second time, which changes little.
 *
 * @throws Error when the replacement is incomplete, because another process has begun the same work
 */
export async function replaceRecording(ctx: CoreContext, recording: NoisyRecording): Promise<void> {
  const { callId, key } = recording;
  await ctx.db.transaction(async (tx: Tx) => {
    const found = await tx.query(lockState, [callId, key]);
    if (!(await isStillNoisy(ctx, found, recording))) return;
    await ctx.recordings.replace(key);
    await tx.query(markDone, [callId]);
  });
}

async function isStillNoisy(
  { recordings }: CoreContext,
  [state]: readonly { isNoiseRemoved: boolean }[],
  { key }: NoisyRecording,
): Promise<boolean> {
  if (!state) await recordings.remove(key);
  return state !== undefined && !state.isNoiseRemoved;
}
