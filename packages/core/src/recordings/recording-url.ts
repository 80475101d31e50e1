/**
 * The address at which a recording is heard: absolute, unguessable, and without a token. The signature is an HMAC of the
 * call's id with a key that only this recording has, so the address dies with the recording.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { statement, type Tx } from '@parley/db';
import type { CoreContext } from '../context.ts';

/** What {@link recordingUrl} needs of a recording. */
export interface SignedRecording {
  callId: number;
  urlSecret: Buffer;
}

const selectFinished = statement<{ callId: number; urlSecret: Buffer; storageKey: string }>(
  'find_recording',
  `select call_id, url_secret, storage_key from recordings where call_id = $1 and is_finished`,
);

/** Without a configured public address the url is a path on our own origin. */
export function recordingUrl(ctx: Pick<CoreContext, 'publicUrl'>, recording: SignedRecording): string {
  return `${ctx.publicUrl ?? ''}/recordings/${recording.callId}/${signatureOf(recording)}.wav`;
}

/** @returns null when the call has no finished recording */
export async function findRecordingUrl(ctx: CoreContext, tx: Tx, callId: number): Promise<string | null> {
  const [recording] = await tx.query(selectFinished, [callId]);
  return recording ? recordingUrl(ctx, recording) : null;
}

/**
 * For the endpoint `/recordings/<callId>/<signature>.wav`.
 *
 * @returns the key in the recording storage, or null when the signature is wrong or the recording gone
 */
export async function findRecordingByUrl(
  ctx: CoreContext,
  input: { callId: number; signature: string },
): Promise<{ key: string } | null> {
  const [recording] = await ctx.db.query(selectFinished, [input.callId]);
  if (!recording) return null;
  const expected = Buffer.from(signatureOf(recording));
  const given = Buffer.from(input.signature);
  const isRight = expected.length === given.length && timingSafeEqual(expected, given);
  return isRight ? { key: recording.storageKey } : null;
}

function signatureOf(recording: SignedRecording): string {
  return createHmac('sha256', recording.urlSecret)
    .update(`recording ${recording.callId}`)
    .digest('base64url');
}
