/** A call from the browser with unsaved changes of an assistant. They apply to this call only and are never stored in the assistant. */
import type { AssistantChanges } from '@parley/contracts';
import { Assistant } from '@parley/db';
import { addCallEvent } from '../calls/call-events.ts';
import type { CoreContext } from '../context.ts';
import { insertWebCall, type PlacedWebCall, type WebCallInput } from '../lifecycle/place-web-call.ts';
import type { Identity } from '../users/identity.ts';
import { applyChanges } from './apply-changes.ts';
import { assistantNotFound, ownAssistants } from './own-assistant.ts';

/** `changes`: what differs from the stored assistant, as for `updateAssistant`. */
export interface DraftCallInput extends WebCallInput {
  changes: AssistantChanges;
}

/**
 * The timeline of the call begins with an event `draft_used` that names the changed settings.
 *
 * @throws DomainError `not-found` for an assistant that does not exist or belongs to another user; `invalid`, with messages
 *   per field, when the changes are not valid for this assistant, or when it would be inactive with them
 */
export async function placeDraftCall(
  ctx: CoreContext,
  identity: Identity,
  { changes, ...input }: DraftCallInput,
): Promise<PlacedWebCall> {
  return ctx.db.transaction(async (tx) => {
    const stored = await tx.em.findOne(Assistant, { id: input.assistantId, ...ownAssistants(identity) });
    if (!stored) throw assistantNotFound();
    const draft = await applyChanges(ctx, tx, stored, changes);
    const { placed, createdAt } = await insertWebCall(ctx, tx, identity, { ...input, draft });
    const settings = Object.keys(changes).toSorted();
    const call = { id: placed.callId, createdAt };
    await addCallEvent(tx, call, { at: createdAt, type: 'draft_used', detail: { settings } });
    return placed;
  });
}
