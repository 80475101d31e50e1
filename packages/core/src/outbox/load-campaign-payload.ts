/** The lead and the campaign of a call, in the form that webhooks use. */
import { localDateTime, type CallFinishedPayload } from '@parley/contracts';
import { sendTogether, statement, type LeadRow, type Tx } from '@parley/db';
import { readCallDisposition } from '../calls/call-disposition.ts';
import type { StoredCall } from '../calls/lock-call.ts';

/** All are null for a call without a campaign; only the lead is null when it was deleted. */
export type CampaignPayload = Pick<CallFinishedPayload, 'lead' | 'campaign' | 'disposition'>;

type LeadOfCall = Pick<LeadRow, 'id' | 'phoneNumber' | 'variables' | 'status' | 'createdAt' | 'updatedAt'> & {
  timezone: string;
};

const selectLead = statement<LeadOfCall>(
  'lead_of_call',
  `select l.id, l.phone_number, l.variables, l.status, l.created_at, l.updated_at, u.timezone
   from leads l join users u on u.id = l.user_id where l.id = $1`,
);

/** @param call - already settled, so that the lead has its status */
export async function loadCampaignPayload(tx: Tx, call: StoredCall): Promise<CampaignPayload> {
  if (call.campaignId === null) return { lead: null, campaign: null, disposition: null };
  const campaign = { id: call.campaignId, name: call.campaignName ?? '' };
  const [leads, given] = await sendTogether(tx, [
    call.leadId !== null && ((tx: Tx) => tx.query(selectLead, [call.leadId])),
    (tx: Tx) => readCallDisposition(tx, call.id),
  ]);
  const [lead] = leads ?? [];
  return {
    lead: lead ? leadPayload(lead, campaign) : null,
    campaign,
    disposition: given?.disposition ?? null,
  };
}

function leadPayload(
  { id, phoneNumber, variables, status, createdAt, updatedAt, timezone }: LeadOfCall,
  campaign: { id: number; name: string },
): NonNullable<CallFinishedPayload['lead']> {
  return {
    id,
    phone_number: phoneNumber,
    variables,
    status,
    created_at: localDateTime(createdAt, timezone),
    updated_at: localDateTime(updatedAt, timezone),
    campaign,
  };
}
