/** Which function does which job. The catalogue in core says what a payload looks like; it is checked here. */
import { jobs, type JobName, type JobPayload } from '@parley/core';
import type { Task, TaskList } from 'graphile-worker';
import { deliverWebhook } from './tasks/deliver-webhook.ts';
import { dialCall } from './tasks/dial-call.ts';
import { endDialog } from './tasks/end-dialog.ts';
import { ensurePartitions } from './tasks/ensure-partitions.ts';
import { evaluateCall } from './tasks/evaluate-call.ts';
import { hangUpCall } from './tasks/hang-up-call.ts';
import { removeLeadsTask } from './tasks/remove-leads.ts';
import { removeRecording } from './tasks/remove-recording.ts';
import { runCampaignTask } from './tasks/run-campaign.ts';
import { sweepCallsTask } from './tasks/sweep-calls.ts';
import { sweepCampaignsTask } from './tasks/sweep-campaigns.ts';
import type { WorkerContext } from './worker-context.ts';

type TaskFunction<Name extends JobName> = (worker: WorkerContext, payload: JobPayload<Name>) => Promise<void>;

/** Every job of the catalogue; the compiler sees that none is missing. */
const TASKS: { [Name in JobName]: TaskFunction<Name> } = {
  dial_call: dialCall,
  hang_up_call: hangUpCall,
  end_dialog: endDialog,
  evaluate_call: evaluateCall,
  deliver_webhook: deliverWebhook,
  remove_recording: removeRecording,
  run_campaign: runCampaignTask,
  remove_leads: removeLeadsTask,
  sweep_campaigns: sweepCampaignsTask,
  sweep_calls: sweepCallsTask,
  ensure_partitions: ensurePartitions,
};

/** Jobs that wait for servers of other people. */
export const WEBHOOK_JOBS: readonly JobName[] = ['deliver_webhook'];
/** All others. */
export const CALL_JOBS: readonly JobName[] = (Object.keys(TASKS) as JobName[]).filter(
  (name) => !WEBHOOK_JOBS.includes(name),
);

/** The tasks of some jobs, as the job queue wants them. */
export function createTaskList(worker: WorkerContext, names: readonly JobName[]): TaskList {
  return Object.fromEntries(names.map((name) => [name, createTask(worker, name)]));
}

function createTask(worker: WorkerContext, name: JobName): Task {
  // The schema and the function stand under the same name, which the compiler cannot follow.
  const task = TASKS[name] as (worker: WorkerContext, payload: unknown) => Promise<void>;
  return (payload) => task(worker, jobs[name].payload.parse(payload ?? {}));
}
