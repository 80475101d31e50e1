/** Maps each job to its function and validates payloads against the catalogue in core. */
import { jobs, type JobName, type JobPayload } from '@parley/core';
import type { Task, TaskList } from 'graphile-worker';
import { advanceSmsTask } from './tasks/advance-sms.ts';
import { decodePhrase } from './tasks/decode-phrase.ts';
import { dialCall } from './tasks/dial-call.ts';
import { embedPassagesTask } from './tasks/embed-passages.ts';
import { endCarrierCallTask } from './tasks/end-carrier-call.ts';
import { endDialog } from './tasks/end-dialog.ts';
import { ensurePartitions } from './tasks/ensure-partitions.ts';
import { endWrittenConversationsTask } from './tasks/end-written-conversations.ts';
import { evaluateCall } from './tasks/evaluate-call.ts';
import { foldCallCountsTask } from './tasks/fold-call-counts.ts';
import { foldLeadCountsTask } from './tasks/fold-lead-counts.ts';
import { hangUpCall } from './tasks/hang-up-call.ts';
import { readDocument } from './tasks/read-document.ts';
import { refreshProviderVoices } from './tasks/refresh-provider-voices.ts';
import { removeLeadsTask } from './tasks/remove-leads.ts';
import { removeExpiredDataTask } from './tasks/remove-expired-data.ts';
import { removeNoise } from './tasks/remove-noise.ts';
import { removeRecording } from './tasks/remove-recording.ts';
import { removeUserTask } from './tasks/remove-user.ts';
import { repairLeadsTask } from './tasks/repair-leads.ts';
import { resendDeliveriesTask } from './tasks/resend-deliveries.ts';
import { runCampaignTask } from './tasks/run-campaign.ts';
import { settlePurchaseTask } from './tasks/settle-purchase.ts';
import { sweepCallsTask } from './tasks/sweep-calls.ts';
import { sweepCampaignsTask } from './tasks/sweep-campaigns.ts';
import { undoImportTask } from './tasks/undo-import.ts';
import type { WorkerContext } from './worker-context.ts';

type TaskFunction<Name extends JobName> = (worker: WorkerContext, payload: JobPayload<Name>) => Promise<void>;

/** All jobs of the catalogue; the compiler reports a missing one. */
const TASKS: { [Name in JobName]: TaskFunction<Name> } = {
  dial_call: dialCall,
  hang_up_call: hangUpCall,
  end_dialog: endDialog,
  end_carrier_call: endCarrierCallTask,
  evaluate_call: evaluateCall,
  resend_deliveries: resendDeliveriesTask,
  remove_old_deliveries: removeExpiredDataTask,
  remove_recording: removeRecording,
  remove_noise: removeNoise,
  run_campaign: runCampaignTask,
  remove_leads: removeLeadsTask,
  undo_import: undoImportTask,
  remove_user: removeUserTask,
  read_document: readDocument,
  embed_passages: embedPassagesTask,
  decode_phrase: decodePhrase,
  refresh_provider_voices: refreshProviderVoices,
  settle_purchase: settlePurchaseTask,
  advance_sms: advanceSmsTask,
  repair_leads: repairLeadsTask,
  sweep_campaigns: sweepCampaignsTask,
  end_written_conversations: endWrittenConversationsTask,
  sweep_calls: sweepCallsTask,
  fold_call_counts: foldCallCountsTask,
  fold_lead_counts: foldLeadCountsTask,
  ensure_partitions: ensurePartitions,
};

/** The task list for graphile-worker, by default with all jobs. */
export function createTaskList(
  worker: WorkerContext,
  names: readonly JobName[] = Object.keys(TASKS) as JobName[],
): TaskList {
  return Object.fromEntries(names.map((name) => [name, createTask(worker, name)]));
}

function createTask(worker: WorkerContext, name: JobName): Task {
  // TASKS and `jobs` have the same keys, but the compiler cannot relate their types for a variable key.
  const task = TASKS[name] as (worker: WorkerContext, payload: unknown) => Promise<void>;
  return (payload) => task(worker, jobs[name].payload.parse(payload ?? {}));
}
