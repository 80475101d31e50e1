/**
 * Every job: its name, its payload, its number of attempts, and `enqueue` within the transaction that requires it.
 * Names are stored in the database and must not change. Handlers are in `apps/worker/src/tasks/`, one file per job.
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
  /** `dialog` is telephony's `StoredDialog`. The job is repeated until a voice process is available. */
  end_dialog: { payload: z.object({ callId: z.int(), dialog: z.unknown() }), maxAttempts: 10 },
  /** Ends a call at Twilio that no process here holds any more: `carriers/end-carrier-call.ts`. */
  end_carrier_call: {
    payload: z.object({ carrierAccountId: z.int(), carrierCallId: z.string() }),
    maxAttempts: 10,
  },
  evaluate_call: { payload: callJob, maxAttempts: 10 },
  /** A request to resend deliveries (`webhooks/resend-many.ts`), with the names of its `ResendRequest`. */
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
  /** Removes all data whose retention period is over: `retention/expired-data.ts`. */
  remove_old_deliveries: { payload: z.object({}), maxAttempts: 5 },
  /** At most one per campaign, by its key: `jobs/wake-campaign.ts`. */
  run_campaign: { payload: z.object({ campaignId: z.int() }), maxAttempts: 25 },
  /** Repeats the removal of a deleted campaign's leads if it was interrupted: `campaigns/remove-leads.ts`. */
  remove_leads: { payload: z.object({ campaignId: z.int() }), maxAttempts: 10 },
  /** Repeats the undo of an import if it was interrupted: `imports/undo-import.ts`. */
  undo_import: { payload: z.object({ importId: z.int() }), maxAttempts: 10 },
  /** Deletes the data of a user: `accounts/remove-user-data.ts`. Repeated until the last call of the user is over. */
  remove_user: { payload: z.object({ userId: z.int() }), maxAttempts: 25 },
  /** `key` is a key of the recording storage. */
  remove_recording: { payload: z.object({ key: z.string() }), maxAttempts: 25 },
  /** One at a time in the whole installation, because the work of many would keep dials waiting. */
  remove_noise: {
    payload: z.object({ callId: z.int(), key: z.string() }),
    maxAttempts: 5,
    queue: 'remove_noise',
  },
  /** Reads the text of a document: `knowledgebases/read-document.ts`. One at a time, so that dials do not wait for them. */
  read_document: {
    payload: z.object({ documentId: z.int() }),
    maxAttempts: 5,
    queue: 'read_document',
  },
  /**
   * Embeds passages of a knowledge base: `knowledgebases/embed-passages.ts`. One at a time, so that it leaves the other
   * jobs their places.
   */
  embed_passages: {
    payload: z.object({ knowledgebaseId: z.int() }),
    maxAttempts: 25,
    queue: 'embed_passages',
  },
  /** Decodes an uploaded sound: `assistants/decode-phrase.ts`. One at a time, so that dials do not wait for them. */
  decode_phrase: {
    payload: z.object({ phraseId: z.int() }),
    maxAttempts: 5,
    queue: 'decode_phrase',
  },
  /** Without a provider, enqueues one job for each. */
  refresh_provider_voices: { payload: z.object({ providerId: z.int().optional() }), maxAttempts: 8 },
  /** Asks a carrier whether a number has been bought: `carriers/settle-purchase.ts`. */
  settle_purchase: { payload: z.object({ purchaseId: z.int() }), maxAttempts: 25 },
  /** The next step of a text message: `carriers/advance-sms.ts`. */
  advance_sms: { payload: z.object({ smsId: z.int() }), maxAttempts: 25 },
  repair_leads: { payload: z.object({}), maxAttempts: 5 },
  sweep_campaigns: { payload: z.object({}), maxAttempts: 2 },
  sweep_calls: { payload: z.object({}), maxAttempts: 2 },
  /** Ends written conversations without a message for long: `written-conversations/end-conversation.ts`. */
  end_written_conversations: { payload: z.object({}), maxAttempts: 2 },
  fold_call_counts: { payload: z.object({}), maxAttempts: 2 },
  fold_lead_counts: { payload: z.object({}), maxAttempts: 2 },
  ensure_partitions: { payload: z.object({}), maxAttempts: 5 },
} as const;

interface CataloguedJob {
  payload: z.ZodType;
  maxAttempts: number;
  /** Jobs of one queue run one after the other. */
  queue?: string;
}

/** The name of a job, as stored in the queue. */
export type JobName = keyof typeof jobs;
/** The payload of a job. */
export type JobPayload<Name extends JobName> = z.output<(typeof jobs)[Name]['payload']>;

/** When and how often a job runs. */
export interface EnqueueOptions {
  /** Default: at once. */
  runAt?: Date;
  /** A job with the same key that has not started yet is replaced. */
  jobKey?: string;
  /** Jobs with a lower number come first. Default: 0. */
  priority?: number;
}

const addJob = statement<unknown>(
  'add_job',
  `select 1 from graphile_worker.add_job($1, payload := $2::json, run_at := $3, max_attempts := $4, job_key := $5,
     queue_name := $6, priority := $7)`,
);

/** Adds a job on the connection of the transaction, so that both are committed or neither is. */
export async function enqueue<Name extends JobName>(
  tx: Tx,
  name: Name,
  payload: JobPayload<Name>,
  options: EnqueueOptions = {},
): Promise<void> {
  const job: CataloguedJob = jobs[name];
  await tx.query(addJob, [
    name,
    JSON.stringify(job.payload.parse(payload)),
    options.runAt ?? null,
    job.maxAttempts,
    options.jobKey ?? null,
    job.queue ?? null,
    options.priority ?? 0,
  ]);
}
