/**
 * The job that looks after a campaign (`run_campaign`). Whoever changes what a campaign may dial wakes it in
 * the same transaction: a start or stop, a lead that was added or queued, a setting, a number struck off the
 * do-not-call list. Waking too often costs a look; forgetting it costs up to a minute, until the sweep comes by.
 */
import type { Tx } from '@parley/db';
import { enqueue } from './catalogue.ts';

/** Has the campaign looked at as soon as the transaction is committed. */
export async function wakeCampaign(tx: Tx, campaignId: number): Promise<void> {
  await enqueue(tx, 'run_campaign', { campaignId }, { jobKey: jobKeyOf(campaignId) });
}

/** Has it looked at later too, in place of what was planned; whoever wants a look at once gets it all the same. */
export async function wakeCampaignAt(tx: Tx, campaignId: number, runAt: Date): Promise<void> {
  await enqueue(tx, 'run_campaign', { campaignId }, { runAt, jobKey: `${jobKeyOf(campaignId)}:later` });
}

function jobKeyOf(campaignId: number): string {
  return `campaign:${campaignId}`;
}
