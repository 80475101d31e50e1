import type { CallStatus } from '@parley/contracts';
import type { CoreContext } from '../context.ts';
import type { VoiceFence } from '../voice-processes/lease.ts';
import type { CallEventType } from './call-state.rules.ts';

export interface CallEventInput {
  callId: number;
  event: CallEventType;
  at: Date;
  /** Goes to the timeline; no personal data. `reason` becomes the call's ended_reason. */
  detail?: Record<string, unknown> | undefined;
  /** `StoredDialog` of telephony. */
  dialog?: unknown;
  fence?: VoiceFence | undefined;
}

export interface CallEventResult {
  status: CallStatus;
  isApplied: boolean;
}

/** @throws FencedError, DomainError not-found */
export async function recordCallEvent(_ctx: CoreContext, _input: CallEventInput): Promise<CallEventResult> {
  throw new Error('coming');
}

/** A line of the timeline that is no step of the state: a tool's use, a changed dialog, a note. */
export async function recordCallNote(
  _ctx: CoreContext,
  _input: { callId: number; type: string; at: Date; detail?: Record<string, unknown> | undefined; dialog?: unknown; fence?: VoiceFence | undefined },
): Promise<void> {
  throw new Error('coming');
}
