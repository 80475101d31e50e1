/**
 * Records of consent of a user, by number. Campaigns that require consent call only numbers that have one: the dial rule
 * asks when a lead is claimed, and once more before the INVITE.
 */
import { errorText } from '@parley/contracts';
import { Consent, type ConsentRow } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { queueLeadsOfNumber } from '../dialing/lead-state.ts';
import { DomainError } from '../shared/domain-error.ts';
import { containing } from '../shared/containing.ts';
import { requireAccountNumber } from '../users/account-number.ts';
import type { Identity } from '../users/identity.ts';

/** One record. */
export type ConsentEntry = Omit<ConsentRow, 'userId'>;

/** What a user says about the consent of a person. */
export interface NewConsent {
  /** In any common notation. */
  phoneNumber: string;
  source: string;
  text?: string | undefined;
  /** Default: now. */
  consentedAt?: Date | undefined;
}

/**
 * Writes a record, in place of an older one of the number. Leads that waited for it are queued again.
 *
 * @throws DomainError `invalid` for an impossible number, and for a time in the future
 */
export async function recordConsent(
  ctx: CoreContext,
  { userId }: Identity,
  { phoneNumber: written, source, text = '', consentedAt }: NewConsent,
): Promise<ConsentEntry> {
  const at = now(ctx);
  if (consentedAt && consentedAt > at) {
    const fields = { consented_at: ['The consented at field must not be in the future.'] };
    throw new DomainError('invalid', errorText.invalidData, { fields });
  }
  return ctx.db.transaction(async (tx) => {
    const phoneNumber = await requireAccountNumber(tx, userId, written);
    const entry = { userId, phoneNumber, source, text, consentedAt: consentedAt ?? at, createdAt: at };
    const stored = entryOf(await tx.em.upsert(Consent, entry));
    await queueLeadsOfNumber(tx, { userId, phoneNumber, at });
    return stored;
  });
}

/** @throws DomainError `not-found` when the number has no record; `invalid` for an impossible number */
export async function removeConsent(
  ctx: CoreContext,
  { userId }: Identity,
  input: { phoneNumber: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const phoneNumber = await requireAccountNumber(tx, userId, input.phoneNumber);
    const deleted = await tx.em.nativeDelete(Consent, { userId, phoneNumber });
    if (deleted === 0) throw new DomainError('not-found', 'No record of consent for this number');
  });
}

/** A page of the records, newest first. `phoneNumber` is a part of the number. */
export async function listConsents(
  ctx: CoreContext,
  { userId }: Identity,
  query: { page: number; perPage: number; phoneNumber?: string | undefined },
): Promise<{ rows: ConsentEntry[]; total: number }> {
  const { page, perPage, phoneNumber: part } = query;
  const wanted = { userId, ...(part !== undefined && { phoneNumber: containing(part) }) };
  const [rows, total] = await ctx.db.em.findAndCount(Consent, wanted, {
    orderBy: [{ createdAt: 'desc' }, { phoneNumber: 'asc' }],
    limit: perPage,
    offset: (page - 1) * perPage,
  });
  return { rows: rows.map(entryOf), total };
}

function entryOf({ phoneNumber, source, text, consentedAt, createdAt }: ConsentRow): ConsentEntry {
  return { phoneNumber, source, text, consentedAt, createdAt };
}
