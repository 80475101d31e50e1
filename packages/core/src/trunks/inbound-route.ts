/** Sets and removes the route of a phone number: what happens to its calls by day, time and country of the caller. */
import {
  errorText,
  fieldFault,
  wording,
  type InboundAction,
  type NewInboundRoute,
  type OwnNumberRecord,
} from '@parley/contracts';
import {
  Assistant,
  LockMode,
  PhoneNumber,
  type AssistantRow,
  type PhoneNumberRow,
  type Transaction,
} from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError, type FieldMessages } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { DISCLOSING } from '../lookups/stored-stream.ts';
import { storedRoute } from './inbound-route-record.ts';
import { describeNumbers } from './phone-number-record.ts';

/** A short body must not cause a long answer. */
const MAX_FAULTS = 20;
const OUTBOUND = 'This assistant makes calls and answers none.';

/**
 * @throws DomainError `not-found`, also for another user's number; `invalid` for an assistant that is missing or takes no
 *   calls; `conflict` for a number that takes no calls
 */
export async function setInboundRoute(
  ctx: CoreContext,
  identity: Identity,
  numberId: number,
  input: NewInboundRoute,
): Promise<OwnNumberRecord> {
  return ctx.db.transaction(async (tx) => {
    const number = await lockOwnNumber(tx, identity, numberId);
    if (number.typeLabel === 'Caller ID')
      throw new DomainError('conflict', 'This number is only shown as caller ID: it takes no calls.');
    await checkAssistants(tx, identity, input);
    number.inboundRoute = storedRoute(input);
    await tx.em.flush();
    const [record] = await describeNumbers(tx, [number]);
    if (!record) throw new Error('A number has no record');
    return record;
  });
}

/** Harmless when there is none. @throws DomainError `not-found`, also for another user's number */
export async function removeInboundRoute(
  ctx: CoreContext,
  identity: Identity,
  numberId: number,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const number = await lockOwnNumber(tx, identity, numberId);
    number.inboundRoute = null;
  });
}

async function lockOwnNumber(
  tx: Transaction,
  { userId }: Identity,
  numberId: number,
): Promise<PhoneNumberRow> {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  const number = await tx.em.findOne(PhoneNumber, { id: numberId, userId }, lock);
  if (!number) throw new DomainError('not-found', 'Phone number not found');
  return number;
}

async function checkAssistants(
  tx: Transaction,
  { userId }: Identity,
  { rules, otherwise, queue }: NewInboundRoute,
): Promise<void> {
  const wanted = [
    ...rules.flatMap(({ action }, index) => assistantsIn(action, `rules.${index}.action`)),
    ...assistantsIn(otherwise, 'otherwise'),
    ...(queue ? assistantsIn(queue.overflow, 'queue.overflow') : []),
  ];
  const own = { id: wanted.map(({ id }) => id), userId, deletedAt: null };
  const found = await tx.em.find(Assistant, own, { fields: ['id', 'type', 'disclosureMessage'] });
  const assistants = new Map(found.map((assistant) => [assistant.id, assistant]));
  const faults = wanted
    .map((one) => faultOf(one, assistants.get(one.id)))
    .filter((fault) => fault !== null)
    .slice(0, MAX_FAULTS);
  if (faults.length === 0) return;
  const fields = Object.assign({}, ...faults) as FieldMessages;
  throw new DomainError('invalid', errorText.invalidData, { fields });
}

interface WantedAssistant {
  field: string;
  id: number;
  isStreamed: boolean;
}

function faultOf(
  { field, isStreamed }: WantedAssistant,
  assistant?: Pick<AssistantRow, 'type' | 'disclosureMessage'>,
): FieldMessages | null {
  if (!assistant) return fieldFault(field, wording.selected);
  if (assistant.type !== 'inbound') return { [field]: [OUTBOUND] };
  return isStreamed && assistant.disclosureMessage ? { [field]: [DISCLOSING] } : null;
}

function assistantsIn(action: InboundAction, path: string): WantedAssistant[] {
  if (action.type === 'reject') return [];
  const isStreamed = action.type === 'stream';
  const choices = action.type === 'menu' ? action.choices : [];
  return [
    { field: `${path}.assistant_id`, id: action.assistant_id, isStreamed },
    ...choices.map(({ assistant_id: id }, place) => ({
      field: `${path}.choices.${place}.assistant_id`,
      id,
      isStreamed,
    })),
  ];
}
