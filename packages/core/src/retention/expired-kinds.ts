/** Each kind of data with its period of retention, and what the next run removes, for people who look before it runs. */
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { requireOperator } from '../users/require-operator.ts';
import { countExpiredData, daysOfTraces, IDEMPOTENCY_DAYS, type RetentionDays } from './expired-data.ts';

/** The settings of the periods, by the names of their variables. */
export interface RetentionSettings {
  RECORDING_DAYS: number;
  TRANSCRIPT_DAYS: number;
  CALL_NUMBER_DAYS: number;
  WEBHOOK_LOG_DAYS: number;
  SIP_TRACE_DAYS: number;
  AUDIT_LOG_DAYS: number;
  API_LOG_DAYS: number;
  CONSENT_DAYS: number;
}

/** The periods of a process's settings. */
export function retentionDaysOf(settings: RetentionSettings): RetentionDays {
  return {
    recordings: settings.RECORDING_DAYS,
    transcripts: settings.TRANSCRIPT_DAYS,
    callNumbers: settings.CALL_NUMBER_DAYS,
    deliveries: settings.WEBHOOK_LOG_DAYS,
    sipTraces: settings.SIP_TRACE_DAYS,
    auditEntries: settings.AUDIT_LOG_DAYS,
    apiRequests: settings.API_LOG_DAYS,
    consents: settings.CONSENT_DAYS,
  };
}

/** Names of the kinds outside of core, in the order in which they are shown. */
const KINDS = [
  ['recordings', 'recordings'],
  ['transcripts', 'transcripts'],
  ['call_numbers', 'callNumbers'],
  ['deliveries', 'deliveries'],
  ['sip_traces', 'sipTraces'],
  ['audit_entries', 'auditEntries'],
  ['api_requests', 'apiRequests'],
  ['consents', 'consents'],
  ['idempotency_records', 'idempotencyRecords'],
] as const;

/** One kind. */
export interface RetentionPeriod {
  name: (typeof KINDS)[number][0];
  /** 0: without limit. */
  days: number;
}

function daysOf(kept: RetentionDays): Record<(typeof KINDS)[number][1], number> {
  return { ...kept, sipTraces: daysOfTraces(kept), idempotencyRecords: IDEMPOTENCY_DAYS };
}

/** The periods with the number of each kind that the next run removes. Reads all calls that are older than their period. */
export async function countExpiredKinds(
  ctx: CoreContext,
  kept: RetentionDays,
): Promise<(RetentionPeriod & { expired: number })[]> {
  const counts = await countExpiredData(ctx, kept);
  const days = daysOf(kept);
  return KINDS.map(([name, kind]) => ({ name, days: days[kind], expired: counts[kind] }));
}

/** The periods in force. @throws DomainError `forbidden` for members */
export function readRetentionPeriods(identity: Identity, kept: RetentionDays): RetentionPeriod[] {
  requireOperator(identity);
  const days = daysOf(kept);
  return KINDS.map(([name, kind]) => ({ name, days: days[kind] }));
}

/** The same with the next run. @throws DomainError `forbidden` for members */
export async function previewRetention(
  ctx: CoreContext,
  identity: Identity,
  kept: RetentionDays,
): Promise<(RetentionPeriod & { expired: number })[]> {
  requireOperator(identity);
  return countExpiredKinds(ctx, kept);
}
