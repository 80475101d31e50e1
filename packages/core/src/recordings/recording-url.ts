import type { CoreContext } from '../context.ts';

/** For `/recordings/<callId>/<signature>.wav`: the storage key, or null when the signature is wrong or the recording gone. */
export async function findRecordingByUrl(
  _ctx: CoreContext,
  _input: { callId: number; signature: string },
): Promise<{ key: string } | null> {
  throw new Error('coming');
}
