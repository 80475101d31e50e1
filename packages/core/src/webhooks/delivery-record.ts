/** The only translation of a delivery's rows to the API. */
import {
  isoMicroseconds,
  type DeliveryAttemptDetail,
  type DeliveryDetail,
  type DeliveryRecord,
} from '@parley/contracts';
import type { DeliveryAttemptRow, DeliveryRow, DeliveryTarget } from '@parley/db';

/** The columns of the list. */
export interface DeliveryListRow extends Pick<
  DeliveryRow,
  'id' | 'callId' | 'event' | 'target' | 'endpointId' | 'url' | 'status' | 'reason' | 'attemptCount'
> {
  nextAttemptAt: Date | null;
  createdAt: Date;
  /** The status of the last attempt; null without an attempt or an answer. */
  lastStatus: number | null;
}

/** SQL of {@link DeliveryListRow}'s columns, for a query over `deliveries d`. */
export const DELIVERY_COLUMNS = `d.id, d.call_id, d.event, d.target, d.endpoint_id, d.url, d.status, d.reason, d.attempt_count,
  d.next_attempt_at, d.created_at,
  (select t.status from delivery_attempts t where t.delivery_id = d.id and t.number = d.attempt_count) as last_status`;

/** The record of lists. */
export function deliveryRecord(row: DeliveryListRow): DeliveryRecord {
  return {
    id: row.id,
    call_id: row.callId,
    event: row.event,
    target: targetOf(row.target),
    endpoint_id: row.endpointId,
    url: row.url,
    status: row.status,
    reason: row.reason,
    attempt_count: row.attemptCount,
    last_status: row.lastStatus,
    next_attempt_at: row.nextAttemptAt && isoMicroseconds(row.nextAttemptAt),
    created_at: isoMicroseconds(row.createdAt),
  };
}

function targetOf(target: DeliveryTarget): DeliveryRecord['target'] {
  return target.startsWith('endpoint:') ? 'endpoint' : (target as DeliveryRecord['target']);
}

/** The detail of a delivery. */
export function deliveryDetail(
  row: DeliveryListRow & Pick<DeliveryRow, 'payload'>,
  attempts: readonly DeliveryAttemptRow[],
): DeliveryDetail {
  return { ...deliveryRecord(row), payload: row.payload, attempts: attempts.map(attemptRecord) };
}

function attemptRecord(attempt: DeliveryAttemptRow): DeliveryAttemptDetail {
  const hasAnswer = attempt.status !== null;
  return {
    number: attempt.number,
    at: isoMicroseconds(attempt.at),
    duration_ms: attempt.durationMs,
    status: attempt.status,
    response_headers: attempt.responseHeaders,
    response_body: hasAnswer ? attempt.responseBody : null,
    error: attempt.error,
  };
}
