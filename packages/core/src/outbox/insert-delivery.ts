/** Writes a webhook into the outbox. */
import { randomUUID } from 'node:crypto';
import { json, statement, type DeliveryRow, type Tx } from '@parley/db';
import type { StoredCall } from '../calls/lock-call.ts';
import { originSql } from './receiver-origin.ts';

/** A webhook to be. */
export interface NewDelivery extends Pick<DeliveryRow, 'event' | 'target' | 'url' | 'payload'> {
  call: Pick<StoredCall, 'id' | 'createdAt' | 'userId'>;
  assistantId: number;
  at: Date;
  /** Default: anybody may claim it. Otherwise its attempt was made by whoever has this name. */
  claimedBy?: string;
  /** Default: a fresh one. */
  id?: string;
}

/** One webhook per call, event and target, whoever tries: the unique index is the last word. */
const insert = statement(
  'insert_delivery',
  `insert into deliveries (id, call_id, call_created_at, user_id, assistant_id, event, target, url, origin, payload,
     status, stage, claimed_by, claimed_at, next_attempt_at, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, ${originSql('$8')}, $9, 'pending',
     case when $11::text is null then 'due' else 'sending' end, $11, case when $11 is not null then $10::timestamptz end,
     $10, $10)
   on conflict (call_id, event, target) do nothing`,
);

/** Does nothing where the same was written before. */
export async function insertDelivery(tx: Tx, delivery: NewDelivery): Promise<void> {
  const { call, assistantId, event, target, url, payload, at, claimedBy, id } = delivery;
  await tx.query(insert, [
    id ?? randomUUID(),
    call.id,
    call.createdAt,
    call.userId,
    assistantId,
    event,
    target,
    url,
    json(payload),
    at,
    claimedBy ?? null,
  ]);
}
