/** Creates a campaign for its owner: a draft, which dials nothing before it is started. */
import type { CampaignRecord, NewCampaign } from '@parley/contracts';
import { Campaign } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { checkAccountLimit } from './check-account-limit.ts';
import { newCampaignSettings } from './campaign-input.ts';
import { campaignRecord } from './campaign-record.ts';
import { checkCallerNumbers, checkDisclosure, findCampaignAssistant } from './campaign-references.ts';
import { requireBelowMaximum } from '../users/require-below-maximum.ts';

/** The maximum number of campaigns of one user, because lists show all of them. Deleted ones do not count. */
const MAX_CAMPAIGNS = 10_000;

/**
 * @throws DomainError `not-found` when the assistant is missing, inbound or another user's; `invalid` for caller numbers
 *   that the user does not own
 */
export async function createCampaign(
  ctx: CoreContext,
  identity: Identity,
  input: NewCampaign,
): Promise<CampaignRecord> {
  const { userId } = identity;
  return ctx.db.transaction(async (tx) => {
    const added = { userId, most: MAX_CAMPAIGNS, what: 'campaigns', field: 'name' };
    await requireBelowMaximum(tx, added, () => tx.em.count(Campaign, { userId, deletedAt: null }));
    const assistant = await findCampaignAssistant(tx, userId, input.assistant_id);
    await checkDisclosure(tx, assistant, input.disclosure_message);
    await checkCallerNumbers(tx, userId, input);
    await checkAccountLimit(tx, userId, input);
    const settings = newCampaignSettings(input, assistant);
    const at = now(ctx);
    const written = { ...settings, userId, createdAt: at, updatedAt: at };
    const campaign = tx.em.create(Campaign, {
      ...written,
      status: 'draft',
      heldBy: null,
      heldSince: null,
      deletedAt: null,
    });
    await tx.em.flush();
    return campaignRecord(campaign);
  });
}
