/**
 * The one job per campaign that looks after it (`run_campaign`). Whoever changes what a campaign may dial wakes it in
 * the same transaction: a start or stop, a lead that was added or queued, a setting, a number struck off the
 * do-not-call list. Waking too often costs a look; forgetting it costs up to a minute, until the sweep comes by.
 */
import type { Tx } from '@parley/db';
import { enqueue } from '../jobs/catalogue.ts';

/**
 * Has the campaign looked at as soon as the transaction is committed. Call it after the last write to `leads`,
 * `dial_queue` or `campaigns`: their locks on the campaign's row are what keeps an older plan from coming after it.
 */
export async function wakeCampaign(tx: Tx, campaignId: number): Promise<void> {
  await enqueue(tx, 'run_campaign', { campaignId }, { jobKey: jobKeyOf(campaignId) });
}

/** Has it looked at later, in place of whatever was planned. Only for those who hold the campaign's lock. */
export async function wakeCampaignAt(tx: Tx, campaignId: number, runAt: Date): Promise<void> {
  await enqueue(tx, 'run_campaign', { campaignId }, { runAt, jobKey: jobKeyOf(campaignId) });
}

function jobKeyOf(campaignId: number): string {
  return `campaign:${campaignId}`;
}
