/**
 * What an assistant can know of its call before anything is said: the date and time in its time zone, the two phone
 * numbers, the direction, the campaign and earlier conversations. It is available as built-in variables in every text of
 * the owner, and as a note to a language model.
 */
import { localDateTime } from '@parley/contracts';
import type { CallRow, StoredCallerIdentity } from '@parley/db';

/** The facts, for one assistant. */
export interface CallContext {
  /** Null without a call. */
  callId: number | null;
  /** `text`: written messages instead of a call. */
  type: CallRow['type'] | 'text';
  customerPhone: string;
  assistantPhone: string;
  /** Inbound: the number that diverted the call first. */
  divertedFrom: string | null;
  /** Inbound: the name that the INVITE shows; not verified. */
  callerName: string | null;
  /** Inbound: what networks say about the number of the caller. */
  callerIdentity: StoredCallerIdentity | null;
  assistantName: string;
  campaign: { id: number; name: string } | null;
  /** Earlier answered calls of the user with this number. */
  previous: { count: number; lastAt: Date | null };
  at: Date;
  /** IANA name. */
  timezone: string;
  /** Two-letter code, for dates that are spoken. */
  language: string;
}

/** The names of the built-in variables. */
export const builtInVariableNames = [
  'now',
  'today',
  'time',
  'date',
  'weekday',
  'timezone',
  'customer_phone',
  'assistant_phone',
  'diverted_from',
  'caller_name',
  'assistant_name',
  'call_id',
  'call_direction',
  'campaign_id',
  'campaign_name',
  'previous_calls',
  'last_call_at',
] as const;

/** Values for `{{name}}`, all of them texts. Variables of the assistant and of the call have precedence. */
export function builtInVariables(
  context: CallContext,
): Record<(typeof builtInVariableNames)[number], string> {
  const { at, timezone, language, campaign, previous } = context;
  const now = minute(at, timezone);
  const spoken = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: timezone }).format(at);
  return {
    now,
    today: now.slice(0, 10),
    time: now.slice(11),
    date: spoken({ dateStyle: 'long' }),
    weekday: spoken({ weekday: 'long' }),
    timezone,
    customer_phone: context.customerPhone,
    assistant_phone: context.assistantPhone,
    diverted_from: context.divertedFrom ?? '',
    caller_name: context.callerName ?? '',
    assistant_name: context.assistantName,
    call_id: context.callId === null ? '' : String(context.callId),
    call_direction: context.type,
    campaign_id: campaign === null ? '' : String(campaign.id),
    campaign_name: campaign?.name ?? '',
    previous_calls: String(previous.count),
    last_call_at: previous.lastAt === null ? '' : minute(previous.lastAt, timezone),
  };
}

const DIRECTIONS: Readonly<Record<CallContext['type'], string>> = {
  inbound: 'The customer called the assistant.',
  outbound: 'The assistant called the customer.',
  web: 'The customer talks to the assistant in a browser.',
  text: 'The customer writes to the assistant, who answers in writing.',
};

/** The facts for a language model, in English like the other notes that Parley adds to a prompt. */
export function callNote(context: CallContext): string {
  const { at, timezone, customerPhone, assistantPhone, campaign, previous } = context;
  const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: timezone }).format(at);
  const lines = [
    'About this call:',
    `- It began on ${weekday}, ${minute(at, timezone)} (time zone ${timezone}).`,
    `- ${DIRECTIONS[context.type]}`,
  ];
  if (customerPhone !== '') lines.push(`- Phone number of the customer: ${asData(customerPhone)}`);
  if (context.callerName !== null)
    lines.push(`- Name that the caller's phone shows, not verified: ${asData(context.callerName)}`);
  if (context.callerIdentity) lines.push(`- Number of the caller: ${trustOf(context.callerIdentity)}.`);
  if (assistantPhone !== '') lines.push(`- Phone number of the assistant: ${asData(assistantPhone)}`);
  if (campaign !== null) lines.push(`- Campaign: ${asData(campaign.name)}`);
  if (customerPhone !== '') lines.push(`- ${previousCalls(previous, timezone)}`);
  return lines.join('\n');
}

/** In words that are ours: nothing that a sender wrote stands in the note. */
function trustOf({ verstat, attestation, signature }: StoredCallerIdentity): string {
  if (signature === 'invalid' || verstat?.startsWith('TN-Validation-Failed'))
    return 'its verification failed, so that it may be false';
  if (signature === 'valid' || verstat?.startsWith('TN-Validation-Passed'))
    return `it was verified${attestation === null ? '' : `, attestation ${attestation}`}`;
  return `it was not verified${attestation === null ? '' : `, claimed attestation ${attestation}`}`;
}

function previousCalls({ count, lastAt }: CallContext['previous'], timezone: string): string {
  if (lastAt === null) return 'There was no earlier conversation with this number.';
  return `Earlier conversations with this number: ${count}, the last one on ${minute(lastAt, timezone)}.`;
}

/**
 * Marks a value as data, like the values of variables (docs/decisions/variables-are-data.md). Braces are removed as well,
 * because the note is part of a prompt whose placeholders are filled afterwards.
 */
function asData(value: string): string {
  return `<<${value.replaceAll(/[<>]{2,}|[{}]/gu, ' ').trim()}>>`;
}

/** `2026-01-31 10:05` */
function minute(at: Date, timezone: string): string {
  return localDateTime(at, timezone).slice(0, 16);
}
