/**
 * Lists, adds and names phone numbers. Members add numbers on their own trunks. On a shared trunk only an operator adds
 * numbers, because the owner of a number receives its calls.
 */
import {
  errorText,
  fieldFault,
  wording,
  type ListedNumberRecord,
  type NewNumber,
  type NewTrunkWithNumber,
  type NumberChanges,
  type OwnNumberRecord,
  type TrunkRecord,
} from '@parley/contracts';
import {
  isUniqueViolation,
  LockMode,
  NumberPurchase,
  PhoneNumber,
  User,
  type PhoneNumberRow,
  type Transaction,
  type Tx,
} from '@parley/db';
import { loadDestinationPolicy } from '../capacity/load-destination-policy.ts';
import { now, type CoreContext } from '../context.ts';
import { lockRunningCampaigns } from '../dialing/campaign-rows.ts';
import { queueRefusedLeads } from '../dialing/lead-state.ts';
import { DomainError } from '../shared/domain-error.ts';
import { destinationOf } from '../shared/number-kind.ts';
import { countryOfNumber } from '../shared/phone-number.ts';
import type { Identity } from '../users/identity.ts';
import { requireOperator } from '../users/require-operator.ts';
import { findVisibleTrunk } from './own-trunk.ts';
import { describeNumbers, listedNumberRecord } from './phone-number-record.ts';
import { readCountry } from '../users/number-country.ts';
import { readOwnNumber } from './read-own-number.ts';
import { namingSentFields } from './naming-sent-fields.ts';
import { addTrunk, addTrunkIn } from './trunks.ts';
import { requireBelowMaximum } from '../users/require-below-maximum.ts';

/**
 * @param of - the owner; only operators may list another user's numbers
 * @throws DomainError `forbidden`
 */
export async function listOwnNumbers(
  ctx: CoreContext,
  identity: Identity,
  of: number = identity.userId,
): Promise<OwnNumberRecord[]> {
  if (of !== identity.userId) requireOperator(identity);
  const numbers = await ctx.db.em.find(PhoneNumber, { userId: of }, { orderBy: { id: 'asc' } });
  return describeNumbers(ctx.db, numbers);
}

/**
 * @throws DomainError `forbidden` when a member names a shared trunk or another user; `invalid` for a number that is
 *   impossible or taken, and for a trunk or user that does not exist
 */
export async function addNumber(
  ctx: CoreContext,
  identity: Identity,
  input: NewNumber,
): Promise<OwnNumberRecord> {
  const userId = input.user_id ?? identity.userId;
  if (userId !== identity.userId) requireOperator(identity);
  return addingNumber(ctx, async (tx) => {
    const trunk = await findVisibleTrunk(tx, identity, input.sip_trunk_id);
    if (!trunk) throw fault('sip_trunk_id', wording.selected);
    if (trunk.userId === null) requireOperator(identity);
    // A user's own trunk carries only that user's calls.
    else if (trunk.userId !== userId) throw fault('user_id', wording.selected);
    const about = { userId: identity.userId, field: 'phone_number', text: input.phone_number };
    const phoneNumber = await readOwnNumber(tx, about);
    if (!(await tx.em.findOne(User, { id: userId }))) throw fault('user_id', wording.selected);
    const typeLabel = input.type_label;
    return insertNumber(ctx, tx, { userId, trunkId: trunk.id, phoneNumber, typeLabel, ...OF_NO_ACCOUNT });
  });
}

/** The maximum of phone numbers of one user. */
const MAX_NUMBERS = 10_000;

/** A number that no carrier account owns. */
const OF_NO_ACCOUNT = { carrierAccountId: null, carrierRef: null, isSmsCapable: false };

/**
 * Adds a trunk and, in the same transaction, the number that it is for, which its outbound calls show.
 *
 * @throws DomainError as `addTrunk`; `invalid` for a number that is impossible or taken
 */
export async function addTrunkWithNumber(
  ctx: CoreContext,
  identity: Identity,
  { trunk: settings, phoneNumber: text, isOneLine, sent }: NewTrunkWithNumber,
): Promise<TrunkRecord> {
  const trunk = { ...settings, isOneLine };
  if (text === null) return namingSentFields(sent, () => addTrunk(ctx, identity, trunk));
  const { userId } = identity;
  const add = async (tx: Transaction): Promise<TrunkRecord> => {
    const country = readCountry(trunk.default_country) ?? null;
    const phoneNumber = await readOwnNumber(tx, { userId, field: 'phone_number', text, country });
    const added = await addTrunkIn(ctx, tx, identity, { caller_number: phoneNumber, ...trunk });
    const row = { userId, trunkId: added.id, phoneNumber, typeLabel: 'SIP' as const, ...OF_NO_ACCOUNT };
    await insertNumber(ctx, tx, row);
    return added;
  };
  return namingSentFields(sent, () => addingNumber(ctx, add));
}

async function addingNumber<Result>(
  ctx: CoreContext,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await ctx.db.transaction(work);
  } catch (error) {
    if (!isUniqueViolation(error, 'phone_numbers_phone_number_unique')) throw error;
    throw fault('phone_number', wording.taken);
  }
}

/** A number without its id and what follows from it. */
export type NewNumberRow = Pick<
  PhoneNumberRow,
  'userId' | 'trunkId' | 'phoneNumber' | 'typeLabel' | 'carrierAccountId' | 'carrierRef' | 'isSmsCapable'
>;

/**
 * Purchases that are not confirmed yet keep a place each, so that what was bought can be stored. Called first in the transaction
 * that creates the number or its purchase.
 *
 * @throws DomainError `invalid`
 */
export async function requireFewNumbers(
  tx: Transaction,
  { userId, phoneNumber }: Pick<PhoneNumberRow, 'userId' | 'phoneNumber'>,
): Promise<void> {
  const added = { userId, most: MAX_NUMBERS, what: 'phone numbers', field: 'phone_number' };
  await requireBelowMaximum(tx, added, async () => {
    const others = { userId, state: 'open', phoneNumber: { $ne: phoneNumber } } as const;
    return (await tx.em.count(PhoneNumber, { userId })) + (await tx.em.count(NumberPurchase, others));
  });
}

/** The caller has checked that the trunk may have it. @throws an error of the unique constraint when it is taken */
export async function insertNumber(
  ctx: CoreContext,
  tx: Transaction,
  row: NewNumberRow,
): Promise<OwnNumberRecord> {
  await requireFewNumbers(tx, row);
  // The number may make the dialer allow its country (docs/decisions/toll-fraud.md).
  const { allowedCountries: allowed } = await loadDestinationPolicy(tx);
  const countryCode = countryOfNumber(row.phoneNumber);
  const number = tx.em.create(PhoneNumber, { ...row, countryCode, nickname: null, createdAt: now(ctx) });
  await tx.em.flush();
  if (!allowed?.has(destinationOf(row.phoneNumber).country ?? '')) {
    await lockRunningCampaigns(tx, null);
    await queueRefusedLeads(tx, now(ctx));
  }
  return describeNumber(tx, number);
}

async function describeNumber(tx: Tx, number: PhoneNumberRow): Promise<OwnNumberRecord> {
  const [record] = await describeNumbers(tx, [number]);
  if (!record) throw new Error('A number has no record');
  return record;
}

/** In the shape of other products of the API family. */
export async function listAllNumbers(ctx: CoreContext, { userId }: Identity): Promise<ListedNumberRecord[]> {
  const numbers = await ctx.db.em.find(PhoneNumber, { userId }, { orderBy: { id: 'asc' } });
  return numbers.map(listedNumberRecord);
}

/** @throws DomainError `not-found`, also for another user's number */
export async function changeNumber(
  ctx: CoreContext,
  identity: Identity,
  { id, nickname }: NumberChanges & { id: number },
): Promise<OwnNumberRecord> {
  return ctx.db.transaction(async (tx) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    const number = await tx.em.findOne(PhoneNumber, { id, userId: identity.userId }, lock);
    if (!number) throw new DomainError('not-found', 'Phone number not found');
    number.nickname = nickname?.trim() || null;
    return describeNumber(tx, number);
  });
}

function fault(field: string, template: string): DomainError {
  return new DomainError('invalid', errorText.invalidData, { fields: fieldFault(field, template) });
}
