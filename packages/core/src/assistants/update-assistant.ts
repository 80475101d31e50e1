/** Changes an assistant. Fields that were not sent stay as they are. Calls in progress keep the configuration they started with. */
import type { AssistantChanges, AssistantRecord } from '@parley/contracts';
import type { AssistantRow, Tx } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { disableDeliveries } from '../outbox/delivery-state.ts';
import { applyChanges } from './apply-changes.ts';
import { translateNumberTaken } from './invalid-assistant.ts';
import { describeAssistant, lockAssistant } from './own-assistant.ts';

/** The assistant, and its changes. */
export interface UpdateAssistantInput {
  id: number;
  changes: AssistantChanges;
}

/**
 * @throws DomainError `not-found`, also when it is deleted or has another owner; `invalid`, with messages per field, when
 *   the changes are not valid for this assistant
 */
export async function updateAssistant(
  ctx: CoreContext,
  identity: Identity,
  { id, changes }: UpdateAssistantInput,
): Promise<AssistantRecord> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const stored = await lockAssistant(tx, identity, id);
      Object.assign(stored, await applyChanges(ctx, tx, stored, changes));
      await disableWhatIsOff(ctx, tx, stored);
      return describeAssistant(tx, stored);
    });
  } catch (error) {
    throw translateNumberTaken(error);
  }
}

async function disableWhatIsOff(
  ctx: CoreContext,
  tx: Tx,
  { id: assistantId, isWebhookActive, inboundWebhookUrl }: AssistantRow,
): Promise<void> {
  if (!isWebhookActive) await disableDeliveries(ctx, tx, { assistantId, target: 'post-call' });
  if (inboundWebhookUrl === null) await disableDeliveries(ctx, tx, { assistantId, target: 'inbound' });
}
