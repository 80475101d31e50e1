/** Writes a new call: its history row, its live row, the first line of its timeline. For the three ways a call begins. */
import type { CallType } from '@parley/contracts';
import { json, statement, type Tx } from '@parley/db';
import type { VoiceFence } from '../voice-processes/lease.ts';
import { addCallEvent } from './call-events.ts';
import type { CallConfiguration } from './call-configuration.ts';

/** Everything that is known of a call when it begins. */
export interface NewCall {
  userId: number;
  type: CallType;
  configuration: CallConfiguration;
  /** E.164; empty for a web call. */
  assistantPhoneNumber: string;
  clientPhoneNumber: string;
  inputVariables: Record<string, unknown>;
  trunkId: number | null;
  /** The Call-ID of the one INVITE. For a web call a name that is never sent. */
  sipCallId: string;
  at: Date;
  /** For calls that begin at a voice process: it holds them, and there is no INVITE left to send. */
  heldBy?: VoiceFence;
  /** For web calls: what the browser shows to be let in. */
  ticket?: { hash: Buffer; expiresAt: Date };
}

/** The index that lets one call per user and number live; its violation means that there is one. */
export const ONE_CALL_PER_NUMBER = 'live_calls_one_call_per_number';

const insertStoredCall = statement<{ id: number }>(
  'insert_call',
  `insert into calls (id, created_at, user_id, assistant_id, assistant_name, type, status, assistant_phone_number,
     client_phone_number, input_variables, configuration, changed_at, updated_at)
   values (nextval('call_ids'), $1, $2, $3, $4, $5, 'initiated', $6, $7, $8, $9, clock_timestamp(), $1)
   returning id`,
);
const insertLiveCall = statement(
  'insert_live_call',
  `insert into live_calls (call_id, call_created_at, user_id, assistant_id, type, client_phone_number, trunk_id,
     sip_call_id, voice_process_id, voice_epoch, intent_at, invite_sent_at, ticket_hash, ticket_expires_at, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12, $13, $2)`,
);

/** @returns the id of the call; it is `initiated` */
export async function insertCall(tx: Tx, call: NewCall): Promise<number> {
  const { id: assistantId, name } = call.configuration.assistant;
  const [row] = await tx.query(insertStoredCall, [
    call.at,
    call.userId,
    assistantId,
    name,
    call.type,
    call.assistantPhoneNumber,
    call.clientPhoneNumber,
    json(call.inputVariables),
    json(call.configuration),
  ]);
  if (!row) throw new Error('A call could not be written');
  await tx.query(insertLiveCall, [
    row.id,
    call.at,
    call.userId,
    assistantId,
    call.type,
    call.clientPhoneNumber,
    call.trunkId,
    call.sipCallId,
    call.heldBy?.processId ?? null,
    call.heldBy?.epoch ?? null,
    call.heldBy ? call.at : null,
    call.ticket?.hash ?? null,
    call.ticket?.expiresAt ?? null,
  ]);
  await addCallEvent(tx, { id: row.id, createdAt: call.at }, { at: call.at, type: 'initiated' });
  return row.id;
}
