/** Changes what is sent about a campaign and leaves the rest. A running one is looked at again at once. */
import { errorText, fieldFault, wording, type CampaignChanges, type CampaignRecord } from '@parley/contracts';
import { statement, type CampaignRow } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { checkAccountLimit } from './check-account-limit.ts';
import { boundSettings, changedCampaignSettings, type CampaignSettings } from './campaign-input.ts';
import { campaignRecord } from './campaign-record.ts';
import { checkCallerNumbers, findCampaignAssistant } from './campaign-references.ts';
import { lockOwnCampaign } from './find-campaign.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';

const writeSettings = statement<CampaignRow>(
  'update_campaign',
  `update campaigns set updated_at = $2, assistant_id = $3, name = $4, timezone = $5, max_calls_in_parallel = $6,
     is_completed_without_leads = $7, allowed_from = $8, allowed_until = $9, allowed_days = $10, max_retries = $11,
     retry_interval_seconds = $12, is_voicemail_retried = $13, is_unmet_goal_retried = $14, goal_variable = $15,
     phone_number_ids = $16, is_lead_timezone_respected = $17
   where id = $1 returning *`,
);

/**
 * @throws DomainError `not-found` for a campaign or an assistant that is missing, somebody else's or inbound; `invalid`
 *   for caller numbers that are not the caller's, and for a goal without a variable
 */
export async function updateCampaign(
  ctx: CoreContext,
  identity: Identity,
  change: { id: number; changes: CampaignChanges },
): Promise<CampaignRecord> {
  const { id, changes } = change;
  return ctx.db.transaction(async (tx) => {
    const row = await lockOwnCampaign(tx, identity, id);
    if (changes.assistant_id !== undefined) {
      await findCampaignAssistant(tx, identity.userId, changes.assistant_id);
    }
    await checkCallerNumbers(tx, identity.userId, changes);
    await checkAccountLimit(tx, identity.userId, changes);
    const settings = changedCampaignSettings(row, changes);
    if (changes.retry_on_goal_incomplete !== undefined || changes.goal_completion_variable !== undefined) {
      requireGoalVariable(settings);
    }
    const [changed] = await tx.query(writeSettings, [id, now(ctx), ...boundSettings(settings)]);
    if (!changed) throw new Error('A locked campaign vanished');
    if (changed.status === 'in-progress') await wakeCampaign(tx, id);
    return campaignRecord(changed);
  });
}

/** A variable that was stored before will do. */
function requireGoalVariable(settings: CampaignSettings): void {
  if (!settings.isUnmetGoalRetried || settings.goalVariable !== null) return;
  const fields = fieldFault(
    'goal_completion_variable',
    wording.requiredWhen('retry_on_goal_incomplete is true'),
  );
  throw new DomainError('invalid', errorText.validationFailed, { fields });
}
