/** Looks up what a campaign refers to: the assistant that speaks, and the numbers that it shows. */
import { errorText, fieldFault, wording, type CampaignChanges } from '@parley/contracts';
import { statement, type Tx } from '@parley/db';
import { DomainError } from '../shared/domain-error.ts';

/** Locked against its deletion, which an update is: `for key share` would let that pass. */
const selectAssistant = statement<{ id: number; timezone: string }>(
  'campaign_assistant',
  `select id, timezone from assistants
   where id = $1 and user_id = $2 and type = 'outbound' and deleted_at is null for share`,
);
const selectNumbers = statement<{ id: number }>(
  'campaign_numbers',
  `select id from phone_numbers where user_id = $1 and id = any($2)`,
);

/** @throws DomainError `not-found`, also for an inbound assistant and for somebody else's */
export async function findCampaignAssistant(
  tx: Tx,
  userId: number,
  assistantId: number,
): Promise<{ id: number; timezone: string }> {
  const [assistant] = await tx.query(selectAssistant, [assistantId, userId]);
  if (assistant) return assistant;
  throw new DomainError('not-found', 'Assistant not found or not an outbound assistant.');
}

/** @throws DomainError `invalid`, naming each number that is not the caller's by its place in the list */
export async function checkCallerNumbers(tx: Tx, userId: number, input: CampaignChanges): Promise<void> {
  const ids = input.phone_number_ids ?? [];
  if (ids.length === 0) return;
  const known = new Set((await tx.query(selectNumbers, [userId, ids])).map(({ id }) => id));
  const faults = ids.flatMap((id, place) =>
    known.has(id) ? [] : [fieldFault(`phone_number_ids.${place}`, wording.selected)],
  );
  if (faults.length === 0) return;
  throw new DomainError('invalid', errorText.validationFailed, { fields: Object.assign({}, ...faults) });
}
