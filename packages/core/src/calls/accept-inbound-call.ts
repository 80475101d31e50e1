import type { CoreContext } from '../context.ts';
import type { CallForVoice } from './load-call-for-voice.ts';
import type { VoiceFence } from '../voice-processes/lease.ts';

export interface InboundCallInput {
  /** E.164 or the user part of the URI. */
  to: string;
  from: string;
  sipCallId: string;
  /** IP address the INVITE came from, without port. */
  sourceAddress: string;
  voiceProcess: VoiceFence;
}

export type InboundCallResult = { call: CallForVoice } | { reject: number };

export async function acceptInboundCall(_ctx: CoreContext, _input: InboundCallInput): Promise<InboundCallResult> {
  throw new Error('coming');
}
