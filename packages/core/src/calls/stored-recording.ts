/** The row of a recording: inserted at the answer, finished at the hang-up, removed when nothing was recorded. */
import { randomBytes } from 'node:crypto';
import { statement, type Tx } from '@parley/db';
import type { StoredCall } from './lock-call.ts';
import type { CoreContext } from '../context.ts';
import { enqueue } from '../jobs/catalogue.ts';
import { recordingKey } from '../recordings/recording-key.ts';
import type { SignedRecording } from '../recordings/recording-url.ts';

/** A finished recording. */
export interface FinishedRecording {
  /** The key in the recording storage. */
  key: string;
  durationMs: number;
  /** Hertz. */
  sampleRate: number;
}

const insertRecording = statement(
  'insert_recording',
  `insert into recordings
     (call_id, call_created_at, user_id, storage_key, sample_rate, duration_ms, is_finished, url_secret, created_at)
   values ($1, $2, $3, $4, 0, 0, false, $5, $6) on conflict (call_id) do nothing`,
);
const updateRecording = statement<{ urlSecret: Buffer }>(
  'finish_recording',
  `update recordings set storage_key = $2, duration_ms = $3, sample_rate = $4, is_finished = true where call_id = $1
   returning url_secret`,
);
const deleteRecording = statement('delete_recording', `delete from recordings where call_id = $1`);

/** At the answer, when the assistant records. */
export async function beginRecording(tx: Tx, call: StoredCall, at: Date): Promise<void> {
  if (!call.configuration.assistant.isRecorded) return;
  const key = recordingKey(call.id, call.createdAt);
  await tx.query(insertRecording, [call.id, call.createdAt, call.userId, key, randomBytes(32), at]);
}

/**
 * @param recording - null when nothing was recorded: the row is removed
 * @returns the recording if it is ready now; null: there is none, or a job removes its noise first (replace-recording.ts)
 */
export async function finishRecording(
  tx: Tx,
  { id, configuration }: Pick<StoredCall, 'id' | 'configuration'>,
  recording: FinishedRecording | null,
): Promise<SignedRecording | null> {
  if (!configuration.assistant.isRecorded) return null;
  if (!recording) {
    await tx.query(deleteRecording, [id]);
    return null;
  }
  const { key, durationMs, sampleRate } = recording;
  const [stored] = await tx.query(updateRecording, [id, key, durationMs, sampleRate]);
  if (configuration.assistant.isNoiseCancelled) {
    await enqueue(tx, 'remove_noise', { callId: id, key });
    return null;
  }
  return stored ? { callId: id, urlSecret: stored.urlSecret } : null;
}

/**
 * For the recording of a voice process that died: its header was rewritten every second, so the file can be played. The
 * row keeps a duration of 0; the file has the real one.
 *
 * @returns as {@link finishRecording}
 */
export async function keepLostRecording(
  ctx: CoreContext,
  tx: Tx,
  call: StoredCall,
): Promise<SignedRecording | null> {
  if (!call.configuration.assistant.isRecorded) return null;
  const key = recordingKey(call.id, call.createdAt);
  const bytes = await ctx.recordings.size(key);
  return finishRecording(tx, call, bytes === null ? null : { key, durationMs: 0, sampleRate: 0 });
}
