/** What the overview of the admin app and the page of a campaign show. */
import type { CallOutcome } from './call-record.ts';
import type { CampaignForecast } from './campaign-forecast.ts';

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

/** How fast a campaign calls. */
export interface CampaignPace {
  /** The full minutes of the last hour and the current one, oldest first: RFC 3339, and the calls that began in it. */
  minutes: { at: string; calls: number }[];
  /** Calls a minute while leads are due, by the rule of the forecast. */
  expected: number;
  calls_at_once: number;
  limited_by: CampaignForecast['limited_by'];
  /** Mean seconds from dial to hang-up, which the expectation assumes. */
  call_seconds: number;
  /** The ended calls of the last hour that were measured for it; 0: too few, so that it is an assumption. */
  measured_calls: number;
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
