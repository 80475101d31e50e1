/** One lead of its owner, with its campaign and its contacts. */
import type { LeadRecord, LeadSummary } from '@parley/contracts';
import { Campaign, Lead, type CampaignRow, type LeadRow, type Tx } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { leadRecord } from './lead-record.ts';
import { summariseLeads } from './lead-summary.ts';

/**
 * A secondary contact is found by its id too; it has no contacts of its own.
 *
 * @throws DomainError `not-found`, also for another user's lead
 */
export async function findLead(ctx: CoreContext, identity: Identity, id: number): Promise<LeadRecord> {
  const { lead, campaign } = await readOwnLead(ctx.db, identity, id);
  const contacts = await ctx.db.em.find(Lead, { parentId: id }, { orderBy: { id: 'asc' } });
  return leadRecord({ ...lead, campaignName: campaign.name }, contacts, identity.timezone);
}

/**
 * The same for the admin app.
 *
 * @throws DomainError `not-found`, also for another user's lead
 */
export async function findLeadSummary(
  ctx: CoreContext,
  identity: Identity,
  id: number,
): Promise<LeadSummary> {
  const [summary] = await summariseLeads(ctx.db, [await findLead(ctx, identity, id)]);
  // It was removed meanwhile.
  if (!summary) throw leadNotFound();
  return summary;
}

/**
 * A lead and its campaign. The leads of a deleted campaign are treated as missing.
 *
 * @throws DomainError `not-found`, also for another user's lead
 */
export async function readOwnLead(
  tx: Tx,
  identity: Identity,
  id: number,
): Promise<{ lead: LeadRow; campaign: CampaignRow }> {
  const lead = await tx.em.findOne(Lead, { id, userId: identity.userId });
  const campaign = lead && (await tx.em.findOne(Campaign, { id: lead.campaignId, deletedAt: null }));
  if (!campaign) throw leadNotFound();
  return { lead, campaign };
}

/** The error for a lead that is missing. */
export function leadNotFound(): DomainError {
  return new DomainError('not-found', 'Lead not found');
}
