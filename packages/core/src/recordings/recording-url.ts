/**
 * The URL of a recording: absolute, unguessable, and without a token. Its signature is an HMAC of the call's id and the
 * expiry, with a key that belongs to this recording, so that the URL is invalid once the recording is gone. Each
 * reading of the call creates a new URL. docs/decisions/recording-links.md
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { statement, type Tx } from '@parley/db';
import type { CoreContext } from '../context.ts';

/** The fields of a recording that {@link recordingUrl} uses. */
export interface SignedRecording {
  callId: number;
  urlSecret: Buffer;
}

/** The part of the context that URLs depend on. */
export type RecordingUrlContext = Pick<CoreContext, 'publicUrl' | 'clock' | 'recordingLinkDays'>;

const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;
/** Instead of an expiry: the URL is valid as long as the recording exists. */
const NEVER = 0;

const selectFinished = statement<{ callId: number; urlSecret: Buffer; storageKey: string }>(
  'find_recording',
  `select call_id, url_secret, storage_key from recordings where call_id = $1 and is_finished`,
);

/** Without a configured public address, the URL is a path. */
export function recordingUrl(ctx: RecordingUrlContext, recording: SignedRecording): string {
  const expiry = expiryOf(ctx);
  const signature = signatureOf(recording, expiry);
  return `${ctx.publicUrl ?? ''}/recordings/${recording.callId}/${expiry}-${signature}.wav`;
}

/** The end of a UTC day, so that the URL stays the same for a day. */
function expiryOf({ clock, recordingLinkDays }: RecordingUrlContext): number {
  if (recordingLinkDays === 0) return NEVER;
  return (Math.floor(clock.now() / DAY_MS) + 1 + recordingLinkDays) * DAY_SECONDS;
}

/** @returns null when the call has no finished recording */
export async function findRecordingUrl(ctx: CoreContext, tx: Tx, callId: number): Promise<string | null> {
  const [recording] = await tx.query(selectFinished, [callId]);
  return recording ? recordingUrl(ctx, recording) : null;
}

/**
 * For the endpoint `/recordings/<callId>/<signature>.wav`.
 *
 * @returns the key in the recording storage, or null when the signature is wrong, the URL has expired, or the recording is gone
 */
export async function findRecordingByUrl(
  ctx: CoreContext,
  input: { callId: number; signature: string },
): Promise<{ key: string } | null> {
  const [, expiry = '', signature = ''] = /^(\d{1,12})-([\w-]+)$/.exec(input.signature) ?? [];
  if (signature === '' || isExpired(ctx, Number(expiry))) return null;
  const [recording] = await ctx.db.query(selectFinished, [input.callId]);
  if (!recording) return null;
  const expected = Buffer.from(signatureOf(recording, Number(expiry)));
  const given = Buffer.from(signature);
  const isRight = expected.length === given.length && timingSafeEqual(expected, given);
  return isRight ? { key: recording.storageKey } : null;
}

/** A URL without an expiry is valid only while the setting allows it. */
function isExpired(ctx: RecordingUrlContext, expiry: number): boolean {
  return expiry === NEVER ? ctx.recordingLinkDays !== 0 : expiry * 1000 <= ctx.clock.now();
}

function signatureOf(recording: SignedRecording, expiry: number): string {
  return createHmac('sha256', recording.urlSecret)
    .update(`recording ${recording.callId} until ${expiry}`)
    .digest('base64url');
}
