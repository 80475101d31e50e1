/**
 * Every job: its name, its payload, how often it is tried, and `enqueue` inside the transaction that makes it necessary.
 * Names go into the database and are kept for ever. Handlers live in `apps/worker/src/tasks/`, one file per job.
 */
import { statement, type Tx } from '@parley/db';
import { z } from 'zod';

const callJob = z.object({ callId: z.int() });

/**
 * The catalogue. `maxAttempts` is never 1: graphile-worker counts an attempt when it locks a job, so that a killed
 * worker's job would not come back. Every task can run twice.
 */
export const jobs = {
  dial_call: { payload: callJob, maxAttempts: 25 },
  hang_up_call: { payload: callJob, maxAttempts: 10 },
  /** `dialog` is telephony's `StoredDialog`. Some voice process may first have to come back. */
  end_dialog: { payload: z.object({ callId: z.int(), dialog: z.unknown() }), maxAttempts: 10 },
  evaluate_call: { payload: callJob, maxAttempts: 10 },
  /** What `webhooks/resend-many.ts` was asked for; the names are those of its `ResendRequest`. */
  resend_deliveries: {
    payload: z.object({
      userId: z.int(),
      timezone: z.string(),
      status: z.enum(['failed', 'disabled']),
      dateFrom: z.string(),
      dateTo: z.string(),
      event: z.string().nullable(),
      requestedAt: z.iso.datetime(),
    }),
    maxAttempts: 25,
  },
  remove_old_deliveries: { payload: z.object({}), maxAttempts: 5 },
  /** One per campaign at most, by its key: `jobs/wake-campaign.ts`. */
  run_campaign: { payload: z.object({ campaignId: z.int() }), maxAttempts: 25 },
  /** Repeats the removal of a deleted campaign's leads if it was interrupted: `campaigns/remove-leads.ts`. */
  remove_leads: { payload: z.object({ campaignId: z.int() }), maxAttempts: 10 },
  /** The undoing of an import may have been interrupted: `imports/undo-import.ts`. */
  undo_import: { payload: z.object({ importId: z.int() }), maxAttempts: 10 },
  /** `key` is the recording storage's. */
  remove_recording: { payload: z.object({ key: z.string() }), maxAttempts: 25 },
  /** Without a provider: of all of them, one job each. */
  refresh_provider_voices: { payload: z.object({ providerId: z.int().optional() }), maxAttempts: 8 },
  sweep_campaigns: { payload: z.object({}), maxAttempts: 2 },
  sweep_calls: { payload: z.object({}), maxAttempts: 2 },
  fold_call_counts: { payload: z.object({}), maxAttempts: 2 },
  ensure_partitions: { payload: z.object({}), maxAttempts: 5 },
} as const;

/** Name of a job, as the queue stores it. */
export type JobName = keyof typeof jobs;
/** The payload of a job. */
export type JobPayload<Name extends JobName> = z.output<(typeof jobs)[Name]['payload']>;

/** When and how often a job runs. */
export interface EnqueueOptions {
  /** Default: at once. */
  runAt?: Date;
  /** A job with the same key that has not started yet is replaced. */
  jobKey?: string;
}

const addJob = statement<unknown>(
  'add_job',
  `select 1 from graphile_worker.add_job($1, payload := $2::json, run_at := $3, max_attempts := $4, job_key := $5)`,
);

/** Adds a job on the connection of the transaction: either both are committed or neither. */
export async function enqueue<Name extends JobName>(
  tx: Tx,
  name: Name,
  payload: JobPayload<Name>,
  options: EnqueueOptions = {},
): Promise<void> {
  const job = jobs[name];
  await tx.query(addJob, [
    name,
    JSON.stringify(job.payload.parse(payload)),
    options.runAt ?? null,
    job.maxAttempts,
    options.jobKey ?? null,
  ]);
}
