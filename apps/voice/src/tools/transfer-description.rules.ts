/** The texts for the model about `call_transfer` and `warm_call_transfer`: their definitions and their results. */
import type { AssistantTool, ToolAnswer } from '@parley/conversation';
import type { CallTool, TransferDestination } from '@parley/core';
import type { BridgeObstacle, BridgeOutcome, PersonVerdict } from '../bridge/call-bridge.ts';

/** A tool that transfers the caller to a number. */
export type TransferTool = Extract<CallTool, { type: 'call_transfer' }>;

/** A tool that asks a person first. */
export type WarmTransferTool = Extract<CallTool, { type: 'warm_call_transfer' }>;

const WARM_DESCRIPTION =
  'Calls a person, tells them who is calling and why, and connects the caller only if the person accepts. The caller ' +
  'waits on hold meanwhile: say so in one short sentence in the same turn. If the person accepts, you leave the call; ' +
  'otherwise you receive the reason and continue.';
const SUMMARY_DESCRIPTION =
  'Who is calling and why, in one or two sentences as they will be read out to the person.';
const MAX_SUMMARY = 500;
/** Before and after the person is asked: to get the permission, to decide, to hang up. */
const BEYOND_ASKING_MS = 15_000;

const DESCRIPTION =
  'Transfers the caller to another telephone. Announce it in one short sentence in the same turn. If it succeeds, ' +
  'you leave the call; otherwise you receive the reason and continue.';
/** Additional time for the far end's reports, after the ring limit, milliseconds. */
export const BEYOND_RINGING_MS = 10_000;
/** A refusal may arrive this late, before the bridge is tried: SIP's transaction timeout (64 * T1), milliseconds. */
const REFUSAL_MS = 32_000;

/** The model sees only the names of the list and cannot choose a number. */
export function describeTransfer(tool: TransferTool): AssistantTool {
  const names = tool.destinations.map(({ name }) => name);
  return {
    type: 'run',
    name: tool.type,
    description: [DESCRIPTION, tool.description ?? ''].join(' ').trim(),
    parameters: {
      type: 'object',
      properties: { destination: { type: 'string', enum: names, description: 'To whom.' } },
      required: ['destination'],
      additionalProperties: false,
    },
    timeLimitMs: tool.ringTimeoutSeconds * 1000 + REFUSAL_MS + BEYOND_RINGING_MS,
  };
}

/** The same, with the summary where the announcement has a place for it. */
export function describeWarmTransfer(tool: WarmTransferTool): AssistantTool {
  const names = tool.destinations.map(({ name }) => name);
  const destination = { type: 'string', enum: names, description: 'Whom to call.' };
  const summary = {
    type: 'string',
    minLength: 1,
    maxLength: MAX_SUMMARY,
    description: SUMMARY_DESCRIPTION,
  };
  const properties = hasSummary(tool) ? { destination, summary } : { destination };
  return {
    type: 'run',
    name: tool.type,
    description: [WARM_DESCRIPTION, tool.description ?? ''].join(' ').trim(),
    parameters: {
      type: 'object',
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    },
    timeLimitMs: (tool.ringTimeoutSeconds + tool.acceptTimeoutSeconds) * 1000 + BEYOND_ASKING_MS,
  };
}

function hasSummary({ announcement }: WarmTransferTool): boolean {
  return /\{\{\s*summary\b/u.test(announcement);
}

/** @returns undefined for a name that is not in the list */
export function findDestination(
  tool: TransferTool | WarmTransferTool,
  given: Readonly<Record<string, unknown>>,
): TransferDestination | undefined {
  return tool.destinations.find(({ name }) => name === given['destination']);
}

const ALL_TAKEN = 'No line is free for it at the moment.';
const REFUSALS: Record<BridgeObstacle, string> = {
  over: 'The call is ending.',
  not_listed: 'This number is not in the list.',
  do_not_call: 'This number must not be called.',
  in_call: 'This number is in a call already.',
  no_line: 'No line reaches this number.',
  country_not_allowed: 'Calls to the country of this number are not allowed.',
  number_type_blocked: 'Calls to numbers of this kind are not allowed.',
  account_calls: ALL_TAKEN,
  trunk_calls: ALL_TAKEN,
  trunk_rate: ALL_TAKEN,
  daily_limit: 'No more calls may be dialed today.',
  disarmed: 'This installation is a restored copy that is not armed, so it dials no calls.',
  account_disabled: 'This account is disabled, so it dials no calls.',
  trunk_paused: ALL_TAKEN,
  voice_capacity: ALL_TAKEN,
  too_late: 'It took too long.',
  given_up: 'It took too long.',
  unreachable: 'Calls to other numbers cannot be placed at the moment.',
};

/** The result of a transfer that was not tried. */
export function refusalAnswer(reason: BridgeObstacle): ToolAnswer {
  return { isOk: false, text: REFUSALS[reason] };
}

/** The result of a transfer that was tried. */
export function outcomeAnswer(outcome: BridgeOutcome | { result: 'unknown' }): ToolAnswer {
  switch (outcome.result) {
    case 'not-tried':
      return refusalAnswer(outcome.reason);
    case 'transferred':
      return { isOk: true, text: 'The caller was put through.', isTransferred: true };
    case 'failed':
      return { isOk: false, text: failureText(outcome.sipStatus) };
    case 'not-accepted':
      return { isOk: false, text: NOT_ACCEPTED[outcome.verdict] };
    case 'unknown':
      return { isOk: false, text: 'It is not known whether the caller was put through. Do not try again.' };
  }
}

const NOT_ACCEPTED: Record<Exclude<PersonVerdict, 'accepted'>, string> = {
  declined: 'The person answered and does not take the call.',
  machine: 'An answering machine answered. No message was left.',
  no_decision: 'The phone was answered, but nobody accepted the call in time.',
  failed: 'The person answered, but could not be asked because of a technical fault.',
  hung_up: 'The person answered and hung up without accepting the call.',
};

/**
 * The same for a transfer that asks first.
 *
 * @param words - what the caller hears if nobody accepts; empty for nothing
 */
export function warmAnswer(outcome: BridgeOutcome, words: string): ToolAnswer {
  const answer = outcomeAnswer(outcome);
  if (answer.isOk) return answer;
  if (words === '') return { ...answer, words };
  const told = `The caller is back and has just been told: "${words}" Do not repeat it; continue from there.`;
  return { ...answer, text: `${answer.text} ${told}`, words };
}

/** RFC 3261 section 21. */
function failureText(sipStatus: number | null): string {
  if (sipStatus === 486 || sipStatus === 600) return 'The number is busy.';
  if (sipStatus === 408 || sipStatus === 480 || sipStatus === 487) return 'The destination did not answer.';
  if (sipStatus === 603) return 'The call was declined.';
  return 'The number could not be reached.';
}
