import type { CoreContext } from '../context.ts';
import type { CallForVoice } from './load-call-for-voice.ts';
import type { VoiceFence } from '../voice-processes/lease.ts';

/** @returns null when the ticket is unknown, used or too old */
export async function claimWebCall(
  _ctx: CoreContext,
  _input: { ticket: string; voiceProcess: VoiceFence },
): Promise<CallForVoice | null> {
  throw new Error('coming');
}
