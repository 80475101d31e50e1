/**
 * The job that processes a campaign (`run_campaign`). Every change of what a campaign may dial enqueues it in the same
 * transaction: a start or stop, a lead that was added or queued, a setting, a number that was removed from the
 * do-not-call list. An unnecessary run costs one query; a missing one delays the campaign by up to a minute, until the
 * next sweep.
 */
import type { Tx } from '@parley/db';
import { enqueue } from './catalogue.ts';

/** Processes the campaign as soon as the transaction is committed. */
export async function wakeCampaign(tx: Tx, campaignId: number): Promise<void> {
  await enqueue(tx, 'run_campaign', { campaignId }, { jobKey: jobKeyOf(campaignId) });
}

/** Schedules the next run at a later time, instead of an earlier plan. {@link wakeCampaign} still runs it at once. */
export async function wakeCampaignAt(tx: Tx, campaignId: number, runAt: Date): Promise<void> {
  await enqueue(tx, 'run_campaign', { campaignId }, { runAt, jobKey: `${jobKeyOf(campaignId)}:later` });
}

function jobKeyOf(campaignId: number): string {
  return `campaign:${campaignId}`;
}
