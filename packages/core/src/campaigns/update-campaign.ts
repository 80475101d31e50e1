/** Changes the settings that were sent. A running campaign is filled again at once. */
import { errorText, fieldFault, wording, type CampaignChanges, type CampaignRecord } from '@parley/contracts';
import type { CampaignRow } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { checkAccountLimit } from './check-account-limit.ts';
import { readSettings } from './campaign-input.ts';
import { queueLeadsBlockedByCampaign } from '../dialing/lead-state.ts';
import { campaignRecord } from './campaign-record.ts';
import { checkCallerNumbers, checkDisclosure, findCampaignAssistant } from './campaign-references.ts';
import { lockOwnCampaign } from './find-campaign.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';

/**
 * @throws DomainError `not-found` for a campaign or an assistant that is missing, another user's or inbound; `invalid`
 *   for caller numbers that the user does not own, a goal without a variable, and another status
 */
export async function updateCampaign(
  ctx: CoreContext,
  identity: Identity,
  change: { id: number; changes: CampaignChanges },
): Promise<CampaignRecord> {
  const { id, changes } = change;
  return ctx.db.transaction(async (tx) => {
    const campaign = await lockOwnCampaign(tx, identity, id);
    if (changes.status !== undefined && changes.status !== campaign.status)
      throw fault('status', wording.statusIsAutomatic);
    const { assistant_id: assistantId, disclosure_message: message } = changes;
    if (assistantId !== undefined || message != null) {
      const id = assistantId ?? campaign.assistantId;
      const assistant = await findCampaignAssistant(tx, identity.userId, id);
      await checkDisclosure(tx, assistant, message === undefined ? campaign.disclosureMessage : message);
    }
    await checkCallerNumbers(tx, identity.userId, changes);
    await checkAccountLimit(tx, identity.userId, changes);
    Object.assign(campaign, readSettings(changes), { updatedAt: now(ctx) });
    if (changes.retry_on_goal_incomplete !== undefined || changes.goal_completion_variable !== undefined) {
      requireGoalVariable(campaign);
    }
    await queueLeadsBlockedByCampaign(tx, id, now(ctx));
    if (campaign.status === 'in-progress') await wakeCampaign(tx, id);
    return campaignRecord(campaign);
  });
}

/** The variable may have been stored before. */
function requireGoalVariable(settings: Pick<CampaignRow, 'isUnmetGoalRetried' | 'goalVariable'>): void {
  if (!settings.isUnmetGoalRetried || settings.goalVariable !== null) return;
  throw fault('goal_completion_variable', wording.requiredWhen('retry_on_goal_incomplete is true'));
}

function fault(field: string, template: string): DomainError {
  return new DomainError('invalid', errorText.validationFailed, { fields: fieldFault(field, template) });
}
