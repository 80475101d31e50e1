/**
 * Changes a lead: its number and variables, its campaign, or, by its status, whether it is dialed. Locks are taken in the
 * order of the dialer: call, lead, campaign.
 */
import {
  errorText,
  fieldErrors,
  toObject,
  variables as variablesField,
  type LeadChanges,
} from '@parley/contracts';
import { Campaign, Lead, LockMode, type LeadRow, type Transaction } from '@parley/db';
import { moveQueuedLead, queueLead, unqueueLead } from '../dialing/dial-queue.ts';
import { withdrawCalls, findLeadCalls } from '../lifecycle/withdraw-calls.ts';
import { campaignNotFound } from '../campaigns/find-campaign.ts';
import { applyDialEvent, queueUnattendedLeads, restartLead, setOwnerStatus } from '../dialing/lead-state.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { readAccountNumbers } from '../users/account-number.ts';
import { leadNotFound, readOwnLead } from './find-lead.ts';
import { decideDialingChange, type DialingChange } from './lead-change.rules.ts';

/**
 * @throws DomainError `not-found` for a lead or a campaign that is missing or another user's; `invalid` for an
 *   impossible number, for variables that are too large, and for moving a secondary contact away from its lead
 */
export async function updateLead(
  ctx: CoreContext,
  identity: Identity,
  change: { id: number; changes: LeadChanges },
): Promise<void> {
  const { id, changes } = change;
  const phoneNumber = await readNumber(ctx, identity, change);
  const callIds = await ctx.db.transaction(async (tx) => {
    const own = { id, userId: identity.userId };
    const lead = await tx.em.findOne(Lead, own, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!lead) throw leadNotFound();
    const campaign = await shareTarget(tx, identity, lead, changes.campaign_id);
    const dialing = decideDialingChange(lead, changes.status);
    const previous = lead.campaignId;
    const at = now(ctx);
    Object.assign(lead, {
      campaignId: campaign.id,
      phoneNumber: phoneNumber ?? lead.phoneNumber,
      variables: changes.variables ? mergeVariables(lead.variables, changes.variables) : lead.variables,
      updatedAt: at,
    });
    if (lead.campaignId !== previous) await move(tx, lead, previous);
    if (changes.status) await setOwnerStatus(tx, { leadId: id, status: changes.status, at });
    await applyDialing(tx, lead, dialing, at);
    await tx.em.flush();
    await queueUnattendedLeads(tx, [id], at);
    if (campaign.isRunning) await wakeCampaign(tx, campaign.id);
    return dialing === 'end' ? findLeadCalls(tx, lead) : [];
  });
  await withdrawCalls(ctx, { callIds, reason: 'lead_done' });
}

/** The lead is checked first, so that the answer for another user's lead does not depend on the number that was sent. */
async function readNumber(
  ctx: CoreContext,
  identity: Identity,
  { id, changes }: { id: number; changes: LeadChanges },
): Promise<string | undefined> {
  if (changes.phone_number === undefined) return undefined;
  const [number] = await readAccountNumbers(ctx.db, identity.userId, [changes.phone_number]);
  if (number) return number;
  await readOwnLead(ctx.db, identity, id);
  throw new DomainError('invalid', 'Invalid phone number');
}

/** Locks the campaign that the lead will be in, so that it is not started, stopped or deleted meanwhile. */
async function shareTarget(
  tx: Transaction,
  identity: Identity,
  lead: LeadRow,
  wanted: number | undefined,
): Promise<{ id: number; isRunning: boolean }> {
  const id = wanted ?? lead.campaignId;
  const own = { id, userId: identity.userId, deletedAt: null };
  const campaign = await tx.em.findOne(Campaign, own, { lockMode: LockMode.PESSIMISTIC_READ });
  // The leads of a deleted campaign are treated as missing.
  if (!campaign) throw wanted === undefined ? leadNotFound() : campaignNotFound();
  if (lead.parentId !== null && id !== lead.campaignId) {
    throw invalid({ campaign_id: ['A secondary contact can only be moved together with its lead.'] });
  }
  return { id, isRunning: campaign.status === 'in-progress' };
}

/** Merged, not replaced. The size limit applies to the result. */
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

async function move(tx: Transaction, lead: LeadRow, previous: number): Promise<void> {
  const { id: parentId, campaignId } = lead;
  await tx.em.flush();
  await tx.em.nativeUpdate(Lead, { parentId, campaignId: { $ne: campaignId } }, { campaignId });
  await moveQueuedLead(tx, lead);
  // The previous campaign may have waited for this lead only.
  await wakeCampaign(tx, previous);
}

async function applyDialing(tx: Transaction, lead: LeadRow, dialing: DialingChange, at: Date): Promise<void> {
  if (dialing === 'end') {
    await applyDialEvent(tx, [lead.id], 'ended');
    if (lead.parentId === null) await unqueueLead(tx, lead);
  }
  if (dialing === 'restart') {
    await restartLead(tx, lead.id, at);
    await unqueueLead(tx, lead);
    await queueLead(tx, { ...lead, attempts: 0 }, at);
  }
  if (dialing === 'recount') await applyDialEvent(tx, [lead.id], 'restarted');
}
