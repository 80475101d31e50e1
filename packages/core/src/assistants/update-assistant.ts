/** Changes an assistant. Fields that were not sent stay as they are. Calls in progress keep the configuration they started with. */
import type { AssistantChanges, AssistantRecord } from '@parley/contracts';
import type { AssistantRow, Transaction } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { disableDeliveries } from '../outbox/delivery-state.ts';
import { webhooksThatAreOff } from '../outbox/webhook-targets.rules.ts';
import { applyChanges } from './apply-changes.ts';
import { translateNumberTaken } from './invalid-assistant.ts';
import { describeAssistant, lockAssistant } from './own-assistant.ts';
import { recordVersion } from './record-version.ts';

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
      await storeChanged(ctx, tx, identity, {
        stored,
        changed: await applyChanges(ctx, tx, stored, changes),
      });
      return describeAssistant(tx, stored);
    });
  } catch (error) {
    throw translateNumberTaken(error);
  }
}

/**
 * Stores a changed assistant, and makes a version of it.
 *
 * @param change - `stored`: the locked row; `changed`: the result of {@link applyChanges}; `restoredVersion`: where the
 *   settings come from
 */
export async function storeChanged(
  ctx: CoreContext,
  tx: Transaction,
  identity: Identity,
  { stored, changed, restoredVersion = null }: StoredChange,
): Promise<void> {
  await recordVersion(tx, { stored, changed, restoredVersion, tokenId: identity.tokenId });
  Object.assign(stored, changed);
  await disableDeliveries(ctx, tx, { assistantId: stored.id, targets: webhooksThatAreOff(stored) });
}

interface StoredChange {
  stored: AssistantRow;
  changed: AssistantRow;
  restoredVersion?: number | null;
}
