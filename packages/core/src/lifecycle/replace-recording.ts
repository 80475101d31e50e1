/** Puts a file without noise in place of a recording, unless its call was deleted meanwhile. Then the recording is ready. */
import { statement, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { announceCallEvents, type ReportedCall } from '../outbox/announce-events.ts';
import { recordingUrl, type SignedRecording } from '../recordings/recording-url.ts';

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
const lockState = statement<{ isNoiseRemoved: boolean } & SignedRecording & ReportedCall>(
  'lock_noise_of_recording',
  `select r.is_noise_removed, r.call_id, r.url_secret, c.id, c.created_at, c.user_id, c.type, c.client_phone_number,
     c.assistant_phone_number, c.assistant_id, c.campaign_id, c.lead_id
   from recordings r join calls c on c.id = r.call_id and c.created_at = r.call_created_at
   where r.call_id = $1 and r.storage_key = $2 for update of r`,
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
    const [ready] = found;
    if (!ready) return;
    const reports = [{ event: 'recording.ready', recording_url: recordingUrl(ctx, ready) }] as const;
    const at = now(ctx);
    await announceCallEvents(tx, ready, { reports, occurredAt: at, at });
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
