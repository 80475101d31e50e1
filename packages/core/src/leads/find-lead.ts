/** One lead of its owner, with its campaign and its contacts. */
import type { LeadRecord } from '@parley/contracts';
import { statement, type Tx } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import {
  CONTACT_COLUMNS,
  LEAD_LIST_COLUMNS,
  leadRecord,
  type ContactListRow,
  type LeadListRow,
} from './lead-record.ts';

const selectLead = statement<LeadListRow>(
  'find_lead',
  `select ${LEAD_LIST_COLUMNS} from leads l join campaigns c on c.id = l.campaign_id
   where l.id = $1 and l.user_id = $2 and c.deleted_at is null`,
);
const selectContacts = statement<ContactListRow>(
  'find_lead_contacts',
  `select ${CONTACT_COLUMNS} from leads where parent_id = $1 order by id`,
);

const selectCampaignId = statement<{ campaignId: number }>(
  'campaign_of_lead',
  `select l.campaign_id from leads l join campaigns c on c.id = l.campaign_id
   where l.id = $1 and l.user_id = $2 and c.deleted_at is null`,
);

/**
 * A secondary contact is found by its id too; it has no contacts of its own.
 *
 * @throws DomainError `not-found`, also for somebody else's lead
 */
export async function findLead(ctx: CoreContext, identity: Identity, id: number): Promise<LeadRecord> {
  const [row] = await ctx.db.query(selectLead, [id, identity.userId]);
  if (!row) throw leadNotFound();
  return leadRecord(row, await ctx.db.query(selectContacts, [id]), identity.timezone);
}

/**
 * @returns the id of the campaign that the lead is in
 * @throws DomainError `not-found`, also for somebody else's lead
 */
export async function findLeadCampaign(tx: Tx, identity: Identity, id: number): Promise<number> {
  const [row] = await tx.query(selectCampaignId, [id, identity.userId]);
  if (!row) throw leadNotFound();
  return row.campaignId;
}

/** What every use case says of a lead that is missing. */
export function leadNotFound(): DomainError {
  return new DomainError('not-found', 'Lead not found');
}
