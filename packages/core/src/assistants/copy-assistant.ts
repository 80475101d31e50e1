/** Copies an assistant with all of its settings, so that a variant can be tried beside it. */
import { randomUUID } from 'node:crypto';
import type { AssistantRecord } from '@parley/contracts';
import { Assistant } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { describeAssistant, lockAssistant } from './own-assistant.ts';
import { recordFirstVersion } from './record-version.ts';

/**
 * The copy has no phone number, because a number has at most one inbound assistant.
 *
 * @param input - the assistant, and the name of the copy
 * @throws DomainError `not-found`
 */
export async function copyAssistant(
  ctx: CoreContext,
  identity: Identity,
  { id, name }: { id: number; name: string },
): Promise<AssistantRecord> {
  return ctx.db.transaction(async (tx) => {
    const { id: _, ...settings } = await lockAssistant(tx, identity, id);
    const at = now(ctx);
    const own = { name, uuid: randomUUID(), phoneNumberId: null, createdAt: at, updatedAt: at };
    const copy = tx.em.create(Assistant, { ...settings, ...own });
    await tx.em.flush();
    await recordFirstVersion(tx, copy, { tokenId: identity.tokenId, at });
    return describeAssistant(tx, copy);
  });
}
