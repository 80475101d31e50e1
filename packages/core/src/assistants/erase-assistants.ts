/**
 * Erases the configuration of deleted assistants after their last call has ended and was reported. Id and name stay, for
 * the call records. All other columns get the values of a new assistant, so that nothing its owner wrote stays and the row
 * references no voice, model or number of the owner. Part of the sweep.
 */
import { Assistant, statement, type AssistantRow, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { assistantFromInput, type NewAssistantReferences } from './assistant-input.ts';
import { disableDeliveries } from '../outbox/delivery-state.ts';
import { webhooksThatAreOff } from '../outbox/webhook-targets.rules.ts';

/**
 * A call may be placed in a transaction that read the assistant just before it was deleted. After this long every such
 * transaction has ended (statements and idle transactions are cut after 30 s) and its call is seen. Milliseconds.
 */
const UNSEEN_CALLS_MS = 60_000;
/** Erased in one sweep; the next takes the rest. */
const BATCH = 20;

/**
 * SQL, because it skips locked rows. Calls that are live or not completed keep an assistant: the report of a call's end uses
 * the settings of that moment.
 */
const lockErasable = statement<Pick<AssistantRow, 'id'>>(
  'lock_erasable_assistants',
  `select a.id from assistants a
   where a.deleted_at < $1 and a.deleted_at is not null and a.erased_at is null
     and not exists (select 1 from live_calls l where l.assistant_id = a.id)
     and not exists (select 1 from calls c where c.assistant_id = a.id
       and c.status in ('ended', 'ended_by_customer', 'ended_by_assistant'))
   order by a.deleted_at limit ${BATCH} for update of a skip locked`,
);
const deletePhrases = statement(
  'delete_phrases_of_assistant',
  'delete from recorded_phrases where assistant_id = $1',
);

interface BuiltIn {
  voiceId: number;
  languageId: number;
  llmModelId: number;
  iso2: string;
}

/** Present in every database. SQL, because it joins four tables. */
const selectBuiltIn = statement<BuiltIn>(
  'built_in_references',
  `select v.id as voice_id, g.id as language_id, m.id as llm_model_id, g.iso_2
   from providers p join voices v on v.provider_id = p.id join llm_models m on m.provider_id = p.id
   join languages g on g.id = v.language_id
   where p.kind = 'built-in' order by v.id, m.id limit 1`,
);

/** May run in several workers at once. */
export async function eraseDeletedAssistants(ctx: CoreContext): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const locked = await tx.query(lockErasable, [new Date(ctx.clock.now() - UNSEEN_CALLS_MS)]);
    const [builtIn] = locked.length === 0 ? [] : await tx.query(selectBuiltIn);
    if (!builtIn) return;
    const { iso2, ...ids } = builtIn;
    const references = { ids: { ...ids, phoneNumberId: null }, language: { iso2 } };
    const rows = await tx.em.find(Assistant, { id: locked.map(({ id }) => id) });
    for (const row of rows) await erase(ctx, tx, row, references);
  });
}

async function erase(
  ctx: CoreContext,
  tx: Tx,
  row: AssistantRow,
  references: NewAssistantReferences,
): Promise<void> {
  // The switches are erased too, so what is off is disabled here. Deliveries of webhooks that are on go out.
  await disableDeliveries(ctx, tx, { assistantId: row.id, targets: webhooksThatAreOff(row) });
  await tx.query(deletePhrases, [row.id]);
  Object.assign(row, blank(row, references), { erasedAt: now(ctx) });
  ctx.log.info({ assistantId: row.id }, 'The configuration of a deleted assistant was erased');
}

function blank(row: AssistantRow, references: NewAssistantReferences): AssistantRow {
  const { id, userId, uuid, name, type, mode, createdAt, updatedAt, deletedAt } = row;
  const empty = { timezone: 'UTC', initial_message: '', system_prompt: '', post_call_schema: [] };
  const input = { ...empty, name, type, mode, voice_id: references.ids.voiceId, post_call_evaluation: false };
  const fresh = assistantFromInput(input, references, { userId, at: createdAt });
  return { ...fresh, id, uuid, updatedAt, deletedAt };
}
