/**
 * The states of a call and the events that change them. `lifecycle/apply-call-event.ts` is the only writer of the status.
 * See docs/api.md, "Calls", "States".
 *
 * - `initiated`: accepted, nothing has rung. Left by the first response of the far end; a sweep enqueues lost dials again.
 * - `ringing`: the far end rings. Left by the answer or by the ring limit of the leg.
 * - `in-progress`: answered. Left when either side hangs up, at a limit, or when the connection or the process is lost.
 * - `ended_by_customer`, `ended_by_assistant`, `ended`: hung up; evaluation runs. Left by `settled`, at the latest 60 s
 *   after hang-up (the sweep).
 * - `completed`, `busy`, `no-answer`, `failed`: final.
 */
import type { CallStatus } from '@parley/contracts';

/** What can happen to a call. */
export const CALL_EVENTS = [
  'ringing',
  'answered',
  'busy',
  'no-answer',
  'failed',
  'customer-hung-up',
  'assistant-hung-up',
  /** The call was ended by a limit, a transfer, an operator, a lost connection or a lost process. */
  'ended',
  /** Evaluation is done, or its time is over. */
  'settled',
] as const;
/** One of {@link CALL_EVENTS}. */
export type CallEventType = (typeof CALL_EVENTS)[number];

type Steps = Partial<Record<CallEventType, CallStatus>>;

const BEFORE_ANSWER: Steps = {
  answered: 'in-progress',
  busy: 'busy',
  'no-answer': 'no-answer',
  failed: 'failed',
};

const HUNG_UP: Steps = { settled: 'completed' };

const STEPS: Record<CallStatus, Steps> = {
  initiated: { ...BEFORE_ANSWER, ringing: 'ringing' },
  ringing: BEFORE_ANSWER,
  'in-progress': {
    'customer-hung-up': 'ended_by_customer',
    'assistant-hung-up': 'ended_by_assistant',
    ended: 'ended',
  },
  ended_by_customer: HUNG_UP,
  ended_by_assistant: HUNG_UP,
  ended: HUNG_UP,
  completed: {},
  busy: {},
  'no-answer': {},
  failed: {},
};

/** The states of calls that have not settled their lead. The index `calls_unfinished_index` lists the same. */
export const UNSETTLED_STATUSES = (Object.keys(STEPS) as CallStatus[]).filter(
  (status) => Object.keys(STEPS[status]).length > 0,
);

/**
 * The state after an event.
 *
 * @returns null when the event changes nothing: it is late, repeated or out of order, which is normal in telephony
 */
export function nextCallStatus(status: CallStatus, event: CallEventType): CallStatus | null {
  return STEPS[status][event] ?? null;
}

/** True for the type of an event with which a conversation ends. */
export function isHangUp(type: string): boolean {
  return Object.hasOwn(STEPS['in-progress'], type);
}

/** Groups of states that most code treats alike. */
export type CallPhase = 'before-answer' | 'talking' | 'hung-up' | 'final';

const PHASES: Record<CallStatus, CallPhase> = {
  initiated: 'before-answer',
  ringing: 'before-answer',
  'in-progress': 'talking',
  ended_by_customer: 'hung-up',
  ended_by_assistant: 'hung-up',
  ended: 'hung-up',
  completed: 'final',
  busy: 'final',
  'no-answer': 'final',
  failed: 'final',
};

/** The phase that a state belongs to. */
export function callPhase(status: CallStatus): CallPhase {
  return PHASES[status];
}
