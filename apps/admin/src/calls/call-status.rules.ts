/** The presentation of each call status. */
import type { CallOutcome, CallStatus, CallType } from '@parley/contracts';
import { texts } from './texts.ts';

/** `calm`: not answered yet; `active`: in progress; the others: how the call ended. */
type StatusTone = 'calm' | 'active' | 'good' | 'neutral' | 'bad';

interface StatusLook {
  tone: StatusTone;
  /** A live call may still be hung up. */
  isLive: boolean;
}

const LOOKS: Record<CallStatus, StatusLook> = {
  initiated: { tone: 'calm', isLive: true },
  ringing: { tone: 'calm', isLive: true },
  'in-progress': { tone: 'active', isLive: true },
  ended: { tone: 'neutral', isLive: false },
  ended_by_customer: { tone: 'neutral', isLive: false },
  ended_by_assistant: { tone: 'neutral', isLive: false },
  completed: { tone: 'good', isLive: false },
  busy: { tone: 'neutral', isLive: false },
  'no-answer': { tone: 'neutral', isLive: false },
  failed: { tone: 'bad', isLive: false },
};

/** How a status is shown. */
export function statusLook(status: CallStatus): StatusLook {
  return LOOKS[status];
}

/** Statuses with their labels, in the order of a call's life, for the filter. */
export const statusChoices = (Object.keys(LOOKS) as CallStatus[]).map((value) => ({
  value,
  label: texts.status[value],
}));

/** Types with their labels, for the filter. */
export const typeChoices = (Object.keys(texts.types) as CallType[]).map((value) => ({
  value,
  label: texts.types[value],
}));

/** Outcomes with their labels, for the filter. */
export const outcomeChoices = (Object.keys(texts.outcomes) as CallOutcome[]).map((value) => ({
  value,
  label: texts.outcomes[value],
}));
