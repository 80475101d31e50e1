/** Copies an assistant with all of its settings, so that a variant can be tried beside it. */
import { randomUUID } from 'node:crypto';
import type { AssistantRecord } from '@parley/contracts';
import { Assistant, statement } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { describeAssistant, lockAssistant } from './own-assistant.ts';
import { recordFirstVersion } from './record-version.ts';
import { requireAssistantsBelowMaximum } from './assistant-maximum.ts';

/** SQL, so that the sounds stay in the database. */
const copyPhrases = statement(
  'copy_recorded_phrases',
  `with copied as (
     select id, nextval('recorded_phrases_id_seq') as new_id, user_id, text, duration_ms from recorded_phrases
     where assistant_id = $1 and status = 'active'),
   added as (
     insert into recorded_phrases
       (id, user_id, assistant_id, text, status, failure, duration_ms, created_at, updated_at)
     select new_id, user_id, $2, text, 'active', null, duration_ms, $3, $3 from copied)
   insert into recorded_phrase_sounds (recorded_phrase_id, content)
   select c.new_id, s.content from copied c join recorded_phrase_sounds s on s.recorded_phrase_id = c.id`,
);

/**
 * The copy has the recorded phrases too. It has no phone number, because a number has at most one inbound assistant.
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
    await requireAssistantsBelowMaximum(tx, identity.userId);
    const { id: _, ...settings } = await lockAssistant(tx, identity, id);
    const at = now(ctx);
    const own = { name, uuid: randomUUID(), phoneNumberId: null, createdAt: at, updatedAt: at };
    const copy = tx.em.create(Assistant, { ...settings, ...own });
    await tx.em.flush();
    await tx.query(copyPhrases, [id, copy.id, at]);
    await recordFirstVersion(tx, copy, { tokenId: identity.tokenId, at });
    return describeAssistant(tx, copy);
  });
}
