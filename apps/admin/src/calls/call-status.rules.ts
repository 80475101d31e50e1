/**
 * How each call status is named, coloured and treated on screen. What the statuses mean and which may
 * follow which is the server's business (docs/api.md, "Calls", "States").
 */
import type { CallStatus, CallType } from '@parley/contracts';

/** `calm`: nothing happened yet; `active`: somebody is on the line; then how it ended. */
type StatusTone = 'calm' | 'active' | 'good' | 'neutral' | 'bad';

interface StatusLook {
  label: string;
  tone: StatusTone;
  /** A live call may still be hung up. */
  isLive: boolean;
}

const LOOKS: Record<CallStatus, StatusLook> = {
  initiated: { label: 'Starting', tone: 'calm', isLive: true },
  ringing: { label: 'Ringing', tone: 'calm', isLive: true },
  'in-progress': { label: 'In progress', tone: 'active', isLive: true },
  ended: { label: 'Ended', tone: 'neutral', isLive: false },
  ended_by_customer: { label: 'Customer hung up', tone: 'neutral', isLive: false },
  ended_by_assistant: { label: 'Assistant hung up', tone: 'neutral', isLive: false },
  completed: { label: 'Completed', tone: 'good', isLive: false },
  busy: { label: 'Busy', tone: 'neutral', isLive: false },
  'no-answer': { label: 'No answer', tone: 'neutral', isLive: false },
  failed: { label: 'Failed', tone: 'bad', isLive: false },
};

const TYPE_LABELS: Record<CallType, string> = { inbound: 'Inbound', outbound: 'Outbound', web: 'Web' };

/** How a status is shown. */
export function statusLook(status: CallStatus): StatusLook {
  return LOOKS[status];
}

/** How a call's type is named. */
export function typeLabel(type: CallType): string {
  return TYPE_LABELS[type];
}

/** Statuses with their labels, in the order of a call's life, for the filter. */
export const statusChoices = Object.entries(LOOKS).map(([value, { label }]) => ({
  value: value as CallStatus,
  label,
}));

/** Types with their labels, for the filter. */
export const typeChoices = Object.entries(TYPE_LABELS).map(([value, label]) => ({
  value: value as CallType,
  label,
}));

const statusNames: ReadonlySet<string> = new Set(Object.keys(LOOKS));
const typeNames: ReadonlySet<string> = new Set(Object.keys(TYPE_LABELS));

/** Whether a word from an address is a status. */
export function isCallStatus(word: unknown): word is CallStatus {
  return typeof word === 'string' && statusNames.has(word);
}

/** Whether a word from an address is a type. */
export function isCallType(word: unknown): word is CallType {
  return typeof word === 'string' && typeNames.has(word);
}
