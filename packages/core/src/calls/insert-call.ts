/** Writes new calls: history row, live row, first line of the timeline. For every way in which a call begins. */
import type { CallType } from '@parley/contracts';
import { json, statement, type Tx } from '@parley/db';
import type { VoiceFence } from '../capacity/lease.ts';
import type { CallConfiguration } from './call-configuration.ts';

/** Everything that is known of a call when it begins. */
export interface NewCall
  extends SharedCall, Omit<NewCallRow, 'leadId' | 'attempt' | 'decision' | 'intendedFor'> {}

/** What calls that are written together have in common. */
export interface SharedCall {
  userId: number;
  type: CallType;
  configuration: CallConfiguration;
  at: Date;
  /** The API token that asked for them; its limits count their dials. */
  tokenId?: number | null;
  /** For the dials of a campaign. */
  campaign?: { id: number; name: string };
  /** For calls that begin at a voice process: it holds them, and there is no INVITE left to send. */
  heldBy?: VoiceFence;
  /** For web calls: what the browser shows to be let in. */
  ticket?: { hash: Buffer; expiresAt: Date };
}

/** Allows one live outbound call per user and number; its violation means that there is one. Inbound calls are not limited. */
export const ONE_CALL_PER_NUMBER = 'live_calls_one_call_per_number';

/** What the calls of one statement do not have in common. */
export interface NewCallRow {
  /** E.164; empty for a web call. */
  clientPhoneNumber: string;
  assistantPhoneNumber: string;
  inputVariables: Record<string, unknown>;
  trunkId: number | null;
  /** The Call-ID of the one INVITE. For a web call a name that is never sent. */
  sipCallId: string;
  leadId: number | null;
  /** The round of the campaign, from 1. */
  attempt: number | null;
  /** Null for calls of no campaign. */
  decision: DialDecision | null;
  /** The intent: the voice process that the job `dial_call` hands it to. Null: the job picks one. */
  intendedFor: VoiceFence | null;
}

/** Why a campaign dialed a lead at that moment; kept with the call. */
export interface DialDecision {
  reason: 'first_call' | 'next_contact' | 'retry';
  /** ISO 8601: since when the lead was due. */
  dueAt: string;
  /** ISO 8601: the end of the hours in which it was allowed. */
  windowClosesAt: string | null;
  /** Calls that the campaign might still begin, this one included. */
  freeCalls: number;
}

/** One round trip however many calls; their ids rise in the order in which they were given. */
const insertStoredCalls = statement<{ id: number }>(
  'insert_calls',
  `with given as (
     select nextval('call_ids') as id, g.* from jsonb_to_recordset($1) as g (
       "clientPhoneNumber" text, "assistantPhoneNumber" text, "inputVariables" jsonb, "trunkId" bigint,
       "sipCallId" text, "leadId" bigint, attempt int, decision jsonb, "intendedFor" jsonb)
   ), stored as (
     insert into calls (id, created_at, user_id, assistant_id, assistant_name, type, status, assistant_phone_number,
       client_phone_number, input_variables, configuration, campaign_id, campaign_name, lead_id, attempt, dial_decision,
       changed_at, updated_at)
     select id, $2, $3, $4, $5, $6, 'initiated', "assistantPhoneNumber", "clientPhoneNumber", "inputVariables", $7,
       $8::bigint, $9, "leadId", attempt, decision, clock_timestamp(), $2
     from given
   ), live as (
     insert into live_calls (call_id, call_created_at, user_id, assistant_id, type, client_phone_number, trunk_id,
       sip_call_id, voice_process_id, intent_at, invite_sent_at, ticket_hash, ticket_expires_at,
       campaign_id, lead_id, created_at, token_id)
     select id, $2, $3, $4, $6, "clientPhoneNumber", "trunkId", "sipCallId",
       coalesce($10::uuid, ("intendedFor" ->> 'processId')::uuid),
       case when "intendedFor" is null then $11::timestamptz else $2 end, $11::timestamptz, $12::bytea, $13::timestamptz, $8::bigint, "leadId", $2, $14::bigint
     from given
   ), begun as (
     insert into call_events (call_id, call_created_at, id, at, type, detail)
     select id, $2, nextval('call_event_ids'), $2, 'initiated', '{}' from given
   )
   select id from given order by id`,
);

/** @returns the id of the call; it is `initiated` */
export async function insertCall(tx: Tx, call: NewCall): Promise<number> {
  const [id] = await insertCalls(tx, call, [
    { ...call, leadId: null, attempt: null, decision: null, intendedFor: null },
  ]);
  if (id === undefined) throw new Error('A call could not be written');
  return id;
}

/**
 * Calls that differ in their numbers only.
 *
 * @returns their ids, in the same order; all are `initiated`
 */
export async function insertCalls(
  tx: Tx,
  shared: SharedCall,
  calls: readonly NewCallRow[],
): Promise<number[]> {
  const { at, userId, type, configuration, campaign, heldBy, ticket, tokenId } = shared;
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
  ]);
  return rows.map(({ id }) => id);
}

/** Only what belongs to the one call: everything else stands beside the list, once. */
function rowOf({ clientPhoneNumber, assistantPhoneNumber, inputVariables, ...call }: NewCallRow): NewCallRow {
  const { trunkId, sipCallId, leadId, attempt, decision, intendedFor } = call;
  const shown = { clientPhoneNumber, assistantPhoneNumber, inputVariables };
  return { ...shown, trunkId, sipCallId, leadId, attempt, decision, intendedFor };
}
