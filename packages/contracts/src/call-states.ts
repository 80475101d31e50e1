/** The states and outcomes of calls. A module without imports, for threads that must start quickly. */

/** States of a call; which follows which says `core/calls/call-state.rules.ts`. */
export const callStatuses = [
  'initiated',
  'ringing',
  'busy',
  'in-progress',
  'ended',
  'completed',
  'ended_by_customer',
  'ended_by_assistant',
  'no-answer',
  'failed',
] as const;

/** The outcome of a call in one word; `core/calls/call-outcome.rules.ts` derives it. */
export const callOutcomes = [
  'talked',
  'voicemail',
  'hung_up_early',
  'no_answer',
  'busy',
  'refused',
  'unreachable',
  'our_fault',
  'cancelled',
] as const;

/** `web`: a call from a browser, without a phone line. */
export const callTypes = ['inbound', 'outbound', 'web'] as const;
/** One of {@link callTypes}. */
export type CallType = (typeof callTypes)[number];
