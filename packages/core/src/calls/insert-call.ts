/** Inserts new calls of every kind: the history row, the live row, and the first event of the timeline. */
import type { CallType } from '@parley/contracts';
import { json, statement, type StoredCallerIdentity, type Tx } from '@parley/db';
import type { VoiceFence } from '../capacity/lease.ts';
import type { CallConfiguration } from './call-configuration.ts';

/** The fields of a new call. */
export interface NewCall
  extends SharedCall, Omit<NewCallRow, 'leadId' | 'attempt' | 'decision' | 'intendedFor'> {}

/** The common fields of calls that are inserted together. */
export interface SharedCall {
  userId: number;
  type: CallType;
  configuration: CallConfiguration;
  at: Date;
  /** The API token that requested them; its limits count their dials. */
  tokenId?: number | null;
  /** For inbound calls: the number that diverted the call first. */
  divertedFrom?: string | null;
  /** For inbound calls: the name that the INVITE shows, and what networks say about the number. */
  callerName?: string | null;
  callerIdentity?: StoredCallerIdentity | null;
  /** For inbound calls over SIP: what tells the INVITE from others with the same Call-ID. */
  sipInvite?: string;
  /** For calls of a campaign. */
  campaign?: { id: number; name: string };
  /** For calls that begin at a voice process, which owns them: no INVITE is to be sent. */
  heldBy?: VoiceFence;
  /** For web calls: the ticket that the browser presents. */
  ticket?: { hash: Buffer; expiresAt: Date };
}

/** Allows one live outbound call per user and number. Inbound calls are not limited. */
export const ONE_CALL_PER_NUMBER = 'live_calls_one_call_per_number';

/** The individual fields of calls that are inserted together. */
export interface NewCallRow {
  /** E.164; empty for a web call. */
  clientPhoneNumber: string;
  assistantPhoneNumber: string;
  inputVariables: Record<string, unknown>;
  trunkId: number | null;
  /** The Call-ID of the only INVITE. A web call has one that is never sent. */
  sipCallId: string;
  leadId: number | null;
  /** The round of the campaign, from 1. */
  attempt: number | null;
  /** Null for a call without a campaign. */
  decision: DialDecision | null;
  /** The intent: the voice process to which the job `dial_call` sends the call. Null: the job selects one. */
  intendedFor: VoiceFence | null;
}

/** Why a campaign dialed a lead at that moment; stored with the call. */
export interface DialDecision {
  reason: 'first_call' | 'next_contact' | 'retry';
  /** ISO 8601: since when the lead was due. */
  dueAt: string;
  /** ISO 8601: the end of the hours in which it was allowed. */
  windowClosesAt: string | null;
  /** Calls that the campaign could still begin, including this one. */
  freeCalls: number;
}

/** One round trip for any number of calls. Ids ascend in the given order. */
const insertStoredCalls = statement<{ id: number }>(
  'insert_calls',
  `with given as (
     select nextval('call_ids') as id, g.* from jsonb_to_recordset($1) as g (
       "clientPhoneNumber" text, "assistantPhoneNumber" text, "inputVariables" jsonb, "trunkId" bigint,
       "sipCallId" text, "leadId" bigint, attempt int, decision jsonb, "intendedFor" jsonb)
   ), stored as (
     insert into calls (id, created_at, user_id, assistant_id, assistant_name, type, status, assistant_phone_number,
       client_phone_number, input_variables, configuration, campaign_id, campaign_name, lead_id, attempt, dial_decision,
       changed_at, updated_at, diverted_from, caller_name, caller_identity)
     select id, $2, $3, $4, $5, $6, 'initiated', "assistantPhoneNumber", "clientPhoneNumber", "inputVariables", $7,
       $8::bigint, $9, "leadId", attempt, decision, clock_timestamp(), $2, $15::text, $16::text, $17::jsonb
     from given
   ), live as (
     insert into live_calls (call_id, call_created_at, user_id, assistant_id, type, client_phone_number, trunk_id,
       sip_call_id, voice_process_id, intent_at, invite_sent_at, ticket_hash, ticket_expires_at,
       campaign_id, lead_id, created_at, token_id, sip_invite)
     select id, $2, $3, $4, $6, "clientPhoneNumber", "trunkId", "sipCallId",
       coalesce($10::uuid, ("intendedFor" ->> 'processId')::uuid),
       case when "intendedFor" is null then $11::timestamptz else $2 end, $11::timestamptz, $12::bytea, $13::timestamptz, $8::bigint, "leadId", $2, $14::bigint,
       $18::text
     from given
   ), begun as (
     insert into call_events (call_id, call_created_at, id, at, type, detail)
     select id, $2, nextval('call_event_ids'), $2, 'initiated', '{}' from given
   )
   select id from given order by id`,
);

/** @returns the id of the call, whose status is `initiated` */
export async function insertCall(tx: Tx, call: NewCall): Promise<number> {
  const [id] = await insertCalls(tx, call, [
    { ...call, leadId: null, attempt: null, decision: null, intendedFor: null },
  ]);
  if (id === undefined) throw new Error('A call could not be written');
  return id;
}

/**
 * Calls that differ only in their individual fields.
 *
 * @returns their ids, in the same order; all are `initiated`
 */
export async function insertCalls(
  tx: Tx,
  shared: SharedCall,
  calls: readonly NewCallRow[],
): Promise<number[]> {
  const { at, userId, type, configuration, campaign, heldBy, ticket, tokenId, divertedFrom } = shared;
  const { callerName, callerIdentity, sipInvite = '' } = shared;
  const rows = await tx.query(insertStoredCalls, [
    json(calls.map(rowOf)),
    at,
    userId,
    configuration.assistant.id,
    configuration.assistant.name,
    type,
    json(configuration),
    campaign?.id ?? null,
    campaign?.name ?? null,
    heldBy?.processId ?? null,
    heldBy ? at : null,
    ticket?.hash ?? null,
    ticket?.expiresAt ?? null,
    tokenId ?? null,
    divertedFrom ?? null,
    callerName ?? null,
    callerIdentity ? json(callerIdentity) : null,
    sipInvite,
  ]);
  return rows.map(({ id }) => id);
}

/** Only the individual fields: the common ones are bound once. */
function rowOf({ clientPhoneNumber, assistantPhoneNumber, inputVariables, ...call }: NewCallRow): NewCallRow {
  const { trunkId, sipCallId, leadId, attempt, decision, intendedFor } = call;
  const shown = { clientPhoneNumber, assistantPhoneNumber, inputVariables };
  return { ...shown, trunkId, sipCallId, leadId, attempt, decision, intendedFor };
}
