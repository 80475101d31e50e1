/**
 * Changes what is sent about a lead: its number and variables, its campaign, or, by its status, whether it is dialed.
 * Locks are taken in the order in which the dialer takes them: call, lead, campaign.
 */
import {
  errorText,
  fieldErrors,
  toObject,
  variables as variablesField,
  type LeadChanges,
  type LeadStatus,
} from '@parley/contracts';
import { json, statement, type LeadRow, type Tx } from '@parley/db';
import { moveQueuedLead, queueLead, unqueueLead } from '../dialing/dial-queue.ts';
import { endCampaignCalls, findLeadCalls } from '../lifecycle/end-campaign-calls.ts';
import { campaignNotFound } from '../campaigns/find-campaign.ts';
import { setDialState } from '../dialing/lead-writes.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { readAccountNumbers } from '../users/account-number.ts';
import { findLeadCampaign, leadNotFound } from './find-lead.ts';
import { decideDialingChange, type DialingChange } from './lead-change.rules.ts';

const lockLead = statement<LeadRow>(
  'lock_lead',
  `select * from leads where id = $1 and user_id = $2 for update`,
);
const shareCampaign = statement<{ status: string }>(
  'share_own_campaign',
  `select status from campaigns where id = $1 and user_id = $2 and deleted_at is null for share`,
);
const writeLead = statement(
  'update_lead',
  `update leads set campaign_id = $2, phone_number = $3, variables = $4, status = $5, attempts = $6, updated_at = $7
   where id = $1`,
);
const moveContacts = statement(
  'move_lead_contacts',
  `update leads set campaign_id = $2 where parent_id = $1 and campaign_id <> $2`,
);
const restartContacts = statement(
  'restart_lead_contacts',
  `update leads set status = 'created', dial_state = 'waiting', attempts = 0, updated_at = $2
   where parent_id = $1 and dial_state <> 'dialing'`,
);

/**
 * @throws DomainError `not-found` for a lead or a campaign that is missing or somebody else's; `invalid` for a number
 *   that cannot be, for variables that have become too large, and for moving a secondary contact away from its lead
 */
export async function updateLead(
  ctx: CoreContext,
  identity: Identity,
  change: { id: number; changes: LeadChanges },
): Promise<void> {
  const { id, changes } = change;
  const phoneNumber = await readNumber(ctx, identity, change);
  const callIds = await ctx.db.transaction(async (tx) => {
    const [lead] = await tx.query(lockLead, [id, identity.userId]);
    if (!lead) throw leadNotFound();
    const campaign = await shareTarget(tx, identity, lead, changes.campaign_id);
    const dialing = decideDialingChange(lead, changes.status);
    const isFresh = dialing === 'restart' || dialing === 'recount';
    const changed = {
      ...lead,
      campaignId: campaign.id,
      phoneNumber: phoneNumber ?? lead.phoneNumber,
      variables: changes.variables ? mergeVariables(lead.variables, changes.variables) : lead.variables,
      status: changes.status ?? lead.status,
      attempts: isFresh ? 0 : lead.attempts,
    };
    await write(tx, changed, now(ctx));
    if (changed.campaignId !== lead.campaignId) await move(tx, lead, changed);
    await applyDialing(tx, changed, dialing, now(ctx));
    if (campaign.isRunning) await wakeCampaign(tx, campaign.id);
    return dialing === 'end' ? findLeadCalls(tx, lead) : [];
  });
  await endCampaignCalls(ctx, { callIds, reason: 'lead_done' });
}

/** What somebody sees of a lead that is not theirs must not depend on what they sent, so the lead comes first. */
async function readNumber(
  ctx: CoreContext,
  identity: Identity,
  { id, changes }: { id: number; changes: LeadChanges },
): Promise<string | undefined> {
  if (changes.phone_number === undefined) return undefined;
  const [number] = await readAccountNumbers(ctx.db, identity.userId, [changes.phone_number]);
  if (number) return number;
  await findLeadCampaign(ctx.db, identity, id);
  throw new DomainError('invalid', 'Invalid phone number');
}

/** The campaign that the lead will be in; nobody starts, stops or deletes it meanwhile. */
async function shareTarget(
  tx: Tx,
  identity: Identity,
  lead: LeadRow,
  wanted: number | undefined,
): Promise<{ id: number; isRunning: boolean }> {
  const id = wanted ?? lead.campaignId;
  const [campaign] = await tx.query(shareCampaign, [id, identity.userId]);
  // A lead whose own campaign is being deleted goes with it.
  if (!campaign) throw wanted === undefined ? leadNotFound() : campaignNotFound();
  if (lead.parentId !== null && id !== lead.campaignId) {
    throw invalid({ campaign_id: ['A secondary contact can only be moved together with its lead.'] });
  }
  return { id, isRunning: campaign.status === 'in-progress' };
}

/** Merged, not replaced; together they may not be larger than they may be alone. */
function mergeVariables(
  stored: Record<string, unknown>,
  sent: Record<string, unknown>,
): Record<string, unknown> {
  const merged = variablesField().safeParse(toObject([stored, sent]));
  if (merged.success) return merged.data;
  const issues = merged.error.issues.map(({ message }) => ({ message, path: ['variables'] }));
  throw invalid(fieldErrors(issues));
}

function invalid(fields: Record<string, string[]>): DomainError {
  return new DomainError('invalid', errorText.validationFailed, { fields });
}

type WrittenLead = Omit<LeadRow, 'status'> & { status: LeadStatus };

async function write(tx: Tx, lead: WrittenLead, at: Date): Promise<void> {
  const { id, campaignId, phoneNumber, variables, status, attempts } = lead;
  await tx.query(writeLead, [id, campaignId, phoneNumber, json(variables), status, attempts, at]);
}

async function move(tx: Tx, from: Pick<LeadRow, 'campaignId'>, lead: WrittenLead): Promise<void> {
  await tx.query(moveContacts, [lead.id, lead.campaignId]);
  await moveQueuedLead(tx, lead);
  // The one it leaves may have waited for nobody else.
  await wakeCampaign(tx, from.campaignId);
}

async function applyDialing(tx: Tx, lead: WrittenLead, dialing: DialingChange, at: Date): Promise<void> {
  if (dialing === 'end') {
    await setDialState(tx, [lead.id], 'done');
    if (lead.parentId === null) await unqueueLead(tx, lead);
  }
  if (dialing === 'restart') {
    await tx.query(restartContacts, [lead.id, at]);
    await setDialState(tx, [lead.id], 'waiting');
    await unqueueLead(tx, lead);
    await queueLead(tx, lead, at);
  }
  if (dialing === 'recount' && lead.dialState !== 'dialing') await setDialState(tx, [lead.id], 'waiting');
}
