/** Resolves what a campaign refers to: its assistant and its caller numbers. */
import { errorText, fieldFault, wording, type CampaignChanges } from '@parley/contracts';
import { Assistant, LockMode, PhoneNumber, type AssistantRow, type Transaction, type Tx } from '@parley/db';
import { disclosureFault } from '../lookups/disclosure-fault.ts';
import { DomainError } from '../shared/domain-error.ts';

/**
 * Locks the assistant `for share` against its deletion. A deletion is an update of the row, which the weaker lock of a foreign
 * key, `for key share`, does not stop.
 *
 * @throws DomainError `not-found`, also for an inbound assistant and for another user's
 */
export async function findCampaignAssistant(
  tx: Transaction,
  userId: number,
  assistantId: number,
): Promise<AssistantRow> {
  const usable = { id: assistantId, userId, type: 'outbound', deletedAt: null } as const;
  const assistant = await tx.em.findOne(Assistant, usable, { lockMode: LockMode.PESSIMISTIC_READ });
  if (assistant) return assistant;
  throw new DomainError('not-found', 'Assistant not found or not an outbound assistant.');
}

/** @throws DomainError `invalid` for a disclosure message that the assistant cannot speak */
export async function checkDisclosure(
  tx: Tx,
  assistant: AssistantRow,
  message: string | null | undefined,
): Promise<void> {
  const fields = await disclosureFault(tx, assistant, message ?? null);
  if (Object.keys(fields).length === 0) return;
  throw new DomainError('invalid', errorText.validationFailed, { fields });
}

/**
 * Locks the numbers `for share` against their removal, which looks for the campaigns that use them.
 *
 * @throws DomainError `invalid`, with the index of each number that the user does not own
 */
export async function checkCallerNumbers(
  tx: Transaction,
  userId: number,
  input: CampaignChanges,
): Promise<void> {
  const ids = input.phone_number_ids ?? [];
  if (ids.length === 0) return;
  const lock = { lockMode: LockMode.PESSIMISTIC_READ } as const;
  const numbers = await tx.em.find(PhoneNumber, { userId, id: ids }, lock);
  const known = new Set(numbers.map(({ id }) => id));
  const faults = ids.flatMap((id, place) =>
    known.has(id) ? [] : [fieldFault(`phone_number_ids.${place}`, wording.selected)],
  );
  if (faults.length === 0) return;
  throw new DomainError('invalid', errorText.validationFailed, { fields: Object.assign({}, ...faults) });
}
