/** What tests of leads and of campaigns as their owner writes them stand on. */
import { newCampaignBody, newLeadBody, type CampaignRecord, type LeadRecord } from '@parley/contracts';
import { statement } from '@parley/db';
import { findLeadFaults } from '../src/dialing/check-leads.ts';
import { createCampaign, createLead } from '../src/index.ts';
import { freshNumber, type Arrangement } from './arrange.ts';

/** A draft, written as a client would. */
export async function writeCampaign(
  { ctx, identity, assistant }: Pick<Arrangement, 'ctx' | 'identity' | 'assistant'>,
  fields: Record<string, unknown> = {},
): Promise<CampaignRecord> {
  const body = newCampaignBody.parse({ name: 'Spring', assistant_id: assistant.id, ...fields });
  return createCampaign(ctx, identity, body);
}

/** Written as a client would. */
export async function writeLead(
  { ctx, identity }: Pick<Arrangement, 'ctx' | 'identity'>,
  campaignId: number,
  fields: Record<string, unknown> = {},
): Promise<LeadRecord> {
  const body = newLeadBody.parse({ campaign_id: campaignId, phone_number: freshNumber(), ...fields });
  return createLead(ctx, identity, body);
}

const selectQueue = statement<{ leadId: number; readyAt: Date; attempt: number }>(
  '',
  `select lead_id, ready_at, attempt from dial_queue where campaign_id = $1 order by ready_at, lead_id`,
);

/** Whom a campaign still has to dial, in order. */
export function queueOf({ ctx }: Pick<Arrangement, 'ctx'>, campaignId: number) {
  return ctx.db.query(selectQueue, [campaignId]);
}

const countLeads = statement<{ leads: number }>(
  '',
  `select count(*) as leads from leads where campaign_id = $1`,
);

/** Contacts included. */
export async function leadsOf({ ctx }: Pick<Arrangement, 'ctx'>, campaignId: number): Promise<number> {
  return (await ctx.db.query(countLeads, [campaignId]))[0]?.leads ?? 0;
}

/** Who was asked to hang up, and why. */
export function hangUpsOf({ ctx }: Pick<Arrangement, 'ctx'>, campaignId: number) {
  const select = statement<{ callId: number; reason: string }>(
    '',
    `select call_id, hang_up_reason as reason from live_calls
     where campaign_id = $1 and hang_up_requested_at is not null order by call_id`,
  );
  return ctx.db.query(select, [campaignId]);
}

/** Fails when a change has left a lead behind that nothing would call. */
export async function expectNoLeadFaults(
  { ctx }: Pick<Arrangement, 'ctx'>,
  campaignId: number,
): Promise<void> {
  const faults = await findLeadFaults(ctx.db, campaignId);
  if (faults.length > 0) throw new Error(`Leads violate the invariant: ${JSON.stringify(faults)}`);
}
