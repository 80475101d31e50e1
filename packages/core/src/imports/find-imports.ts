/** The imports of a campaign, newest first, and one by its id. */
import type { ImportRecord } from '@parley/contracts';
import { statement, type LeadImportRow } from '@parley/db';
import { campaignNotFound } from '../campaigns/find-campaign.ts';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { importRecord } from './import-record.ts';

/** Enough to look back on; an import is a file, and people send few. */
const SHOWN = 100;

const selectCampaign = statement<ImportCampaign>(
  'import_campaign',
  `select c.id, u.default_country from campaigns c join users u on u.id = c.user_id
   where c.id = $1 and c.user_id = $2 and c.deleted_at is null`,
);
const selectImports = statement<LeadImportRow>(
  'list_imports',
  `select * from lead_imports where campaign_id = $1 order by id desc limit ${SHOWN}`,
);
const selectImport = statement<LeadImportRow>(
  'find_import',
  `select i.* from lead_imports i join campaigns c on c.id = i.campaign_id
   where i.id = $1 and i.user_id = $2 and c.deleted_at is null`,
);

/** What an import needs to know of its campaign. */
export interface ImportCampaign {
  id: number;
  /** The account's, by which numbers without `+` are read. */
  defaultCountry: string | null;
}

/** @throws DomainError `not-found`, also for somebody else's campaign */
export async function findImportCampaign(
  ctx: CoreContext,
  identity: Identity,
  id: number,
): Promise<ImportCampaign> {
  const [campaign] = await ctx.db.query(selectCampaign, [id, identity.userId]);
  if (!campaign) throw campaignNotFound();
  return campaign;
}

/** The newest of them. @throws DomainError `not-found`, also for somebody else's campaign */
export async function listImports(
  ctx: CoreContext,
  identity: Identity,
  campaignId: number,
): Promise<ImportRecord[]> {
  await findImportCampaign(ctx, identity, campaignId);
  const rows = await ctx.db.query(selectImports, [campaignId]);
  return rows.map((row) => importRecord(row, now(ctx)));
}

/** @throws DomainError `not-found`, also for somebody else's */
export async function findImport(ctx: CoreContext, identity: Identity, id: number): Promise<ImportRecord> {
  return importRecord(await findImportRow(ctx, identity, id), now(ctx));
}

/** @throws DomainError `not-found`, also for somebody else's */
export async function findImportRow(
  ctx: CoreContext,
  identity: Identity,
  id: number,
): Promise<LeadImportRow> {
  const [row] = await ctx.db.query(selectImport, [id, identity.userId]);
  if (!row) throw new DomainError('not-found', 'Import not found');
  return row;
}
