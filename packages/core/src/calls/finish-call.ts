import type { AnsweredBy } from '@parley/contracts';
import type { StoredTurn } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { VoiceFence } from '../voice-processes/lease.ts';
import type { CallEventResult } from './record-call-event.ts';

export interface FinishCallInput {
  callId: number;
  event: 'customer-hung-up' | 'assistant-hung-up' | 'ended';
  at: Date;
  /** One turn a line, `AI: …` and `Customer: …`; see {@link transcriptOf}. */
  transcript: string;
  turns: StoredTurn[];
  /** Collected during the call. */
  variables: Record<string, unknown>;
  recording: { key: string; durationMs: number; sampleRate: number } | null;
  answeredBy: AnsweredBy;
  /** A word such as `customer_hung_up`, `max_duration`, `line_lost`. */
  endedReason: string;
  fence?: VoiceFence | undefined;
}

/** @throws FencedError, DomainError not-found */
export async function finishCall(_ctx: CoreContext, _input: FinishCallInput): Promise<CallEventResult> {
  throw new Error('coming');
}
