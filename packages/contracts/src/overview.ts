/** What the overview of the admin app shows. */
import type { CallOutcome } from './call-record.ts';

/** The calls of one day with one outcome. */
export interface CallsOfDay {
  /** `YYYY-MM-DD`, in the time zone of the account. */
  day: string;
  outcome: CallOutcome;
  calls: number;
  outbound: number;
  /** Outbound calls that were answered, by a person or a machine. */
  answered: number;
  talk_seconds: number;
  cost: number;
}

/** How long the customers of one day waited for replies of assistants. */
export interface SilenceOfDay {
  /** `YYYY-MM-DD`, in the time zone of the account. */
  day: string;
  /** Measured replies, of the newest calls of the day. */
  replies: number;
  /** Milliseconds from the end of the customer's speech to the first sound, as heard by the customer. */
  median_ms: number;
  p95_ms: number;
}

/** The running processes. */
export interface ProcessHealth {
  /** Voice processes, including those that are draining. */
  voice_processes: number;
  /** Voice processes that take no new calls, because they are being stopped. */
  draining: number;
  /** Concurrent calls that the others can carry. */
  capacity: number;
  active_calls: number;
  workers: number;
}
