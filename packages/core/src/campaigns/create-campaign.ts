/** Makes a campaign for its owner: a draft, which dials nothing before it is started. */
import type { CampaignRecord, NewCampaign } from '@parley/contracts';
import { statement, type CampaignRow } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { checkAccountLimit } from './check-account-limit.ts';
import { boundSettings, newCampaignSettings } from './campaign-input.ts';
import { campaignRecord } from './campaign-record.ts';
import { checkCallerNumbers, findCampaignAssistant } from './campaign-references.ts';

const insertCampaign = statement<CampaignRow>(
  'insert_campaign',
  `insert into campaigns (user_id, status, created_at, updated_at, assistant_id, name, timezone,
     max_calls_in_parallel, is_completed_without_leads, allowed_from, allowed_until, allowed_days, max_retries,
     retry_interval_seconds, is_voicemail_retried, is_unmet_goal_retried, goal_variable, phone_number_ids,
     is_lead_timezone_respected)
   values ($1, 'draft', $2, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) returning *`,
);

/**
 * @throws DomainError `not-found` when the assistant is missing, inbound or somebody else's; `invalid` for caller numbers
 *   that are not the caller's
 */
export async function createCampaign(
  ctx: CoreContext,
  identity: Identity,
  input: NewCampaign,
): Promise<CampaignRecord> {
  const { userId } = identity;
  return ctx.db.transaction(async (tx) => {
    const assistant = await findCampaignAssistant(tx, userId, input.assistant_id);
    await checkCallerNumbers(tx, userId, input);
    await checkAccountLimit(tx, userId, input);
    const settings = newCampaignSettings(input, assistant);
    const [row] = await tx.query(insertCampaign, [userId, now(ctx), ...boundSettings(settings)]);
    if (!row) throw new Error('A campaign could not be written');
    return campaignRecord(row);
  });
}
