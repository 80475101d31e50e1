/** The imports of a campaign, newest first, and one import by its id. */
import type { ImportRecord } from '@parley/contracts';
import { Campaign, LeadImport, User, type LeadImportRow } from '@parley/db';
import { campaignNotFound } from '../campaigns/find-campaign.ts';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { importRecord } from './import-record.ts';

/** The length of the list. Each import is a file, and a campaign has few. */
const SHOWN = 100;

/** The campaign of an import. */
export interface ImportCampaign {
  id: number;
  /** The country of the account, for numbers without `+`. */
  defaultCountry: string | null;
}

/** @throws DomainError `not-found`, also for another user's campaign */
export async function findImportCampaign(
  ctx: CoreContext,
  identity: Identity,
  id: number,
): Promise<ImportCampaign> {
  const { em } = ctx.db;
  const campaign = await em.findOne(Campaign, { id, userId: identity.userId, deletedAt: null });
  if (!campaign) throw campaignNotFound();
  const { defaultCountry } = await em.findOneOrFail(User, { id: identity.userId });
  return { id, defaultCountry };
}

/** Newest first. @throws DomainError `not-found`, also for another user's campaign */
export async function listImports(
  ctx: CoreContext,
  identity: Identity,
  campaignId: number,
): Promise<ImportRecord[]> {
  await findImportCampaign(ctx, identity, campaignId);
  const newest = { orderBy: { id: 'desc' }, limit: SHOWN } as const;
  const rows = await ctx.db.em.find(LeadImport, { campaignId }, newest);
  return rows.map((row) => importRecord(row, now(ctx)));
}

/** @throws DomainError `not-found`, also for another user's import */
export async function findImport(ctx: CoreContext, identity: Identity, id: number): Promise<ImportRecord> {
  return importRecord(await findImportRow(ctx, identity, id), now(ctx));
}

/** @throws DomainError `not-found`, also for another user's import */
export async function findImportRow(
  ctx: CoreContext,
  identity: Identity,
  id: number,
): Promise<LeadImportRow> {
  const { em } = ctx.db;
  const row = await em.findOne(LeadImport, { id, userId: identity.userId });
  const campaigns = row ? await em.count(Campaign, { id: row.campaignId, deletedAt: null }) : 0;
  if (!row || campaigns === 0) throw new DomainError('not-found', 'Import not found');
  return row;
}
