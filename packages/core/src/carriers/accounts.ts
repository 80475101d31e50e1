/** Accounts at carriers: a user's own, and the shared ones, which operators manage. Secrets are stored sealed and never returned. */
import { randomBytes } from 'node:crypto';
import {
  errorText,
  fieldFault,
  isoMicroseconds,
  type CarrierAccountChanges,
  type CarrierAccountRecord,
  type CarrierInboundWay,
  type CarrierOutboundWay,
  type NewCarrierAccount,
} from '@parley/contracts';
import {
  CarrierAccount,
  LockMode,
  NumberPurchase,
  PhoneNumber,
  type CarrierAccountRow,
  type Transaction,
  type Tx,
} from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { sharedOrOwn } from '../lookups/shared-or-own.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { lockOwner } from '../users/require-below-maximum.ts';
import { requireOperator } from '../users/require-operator.ts';
import { findOwnAccount, forUser, withCarrier, CARRIER_NAMES } from './open-carrier.ts';
import { CarrierError, type CarrierCredentials } from './wire/carrier.ts';

/** More than a user needs; each account may be asked for its numbers. */
const MAX_ACCOUNTS = 20;
const TAG_BYTES = 6;

/** The user's own and the shared ones. */
export async function listCarrierAccounts(
  ctx: CoreContext,
  identity: Identity,
): Promise<CarrierAccountRecord[]> {
  const visible = sharedOrOwn(identity.userId);
  const rows = await ctx.db.em.find(CarrierAccount, visible, { orderBy: { id: 'asc' } });
  return rows.map((row) => accountRecord(row, identity));
}

/** Translates an account to the API's record. */
export function accountRecord(row: CarrierAccountRow, reader: Identity): CarrierAccountRecord {
  const isHidden = row.userId === null && reader.role !== 'operator';
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    account_sid: isHidden ? null : row.accountSid,
    is_connected: row.connection !== null && row.trunkId !== null,
    inbound_calls: inboundWay(row),
    outbound_calls: outboundWayOf(row),
    sip_trunk_id: row.trunkId,
    is_shared: row.userId === null,
    created_at: isoMicroseconds(row.createdAt),
  };
}

/** How calls to the numbers of an account come. @returns null when it is not connected */
export function inboundWay({ connection, trunkId }: CarrierAccountRow): CarrierInboundWay | null {
  if (connection === null || trunkId === null) return null;
  return connection.applicationRef ? 'media_stream' : 'sip_trunk';
}

/** How outbound calls over the trunk of an account leave. @returns null when it is not connected */
export function outboundWayOf({ connection, trunkId }: CarrierAccountRow): CarrierOutboundWay | null {
  if (connection === null || trunkId === null) return null;
  return connection.outboundWay ?? 'sip_trunk';
}

/**
 * @throws DomainError `forbidden` when a member adds a shared one; `invalid`, at the secret, when the carrier refuses it;
 *   `unavailable` when it does not answer; `conflict` beyond the largest number of accounts
 */
export async function addCarrierAccount(
  ctx: CoreContext,
  identity: Identity,
  input: NewCarrierAccount,
): Promise<CarrierAccountRecord> {
  if (input.is_shared) requireOperator(identity);
  const userId = input.is_shared ? null : identity.userId;
  await requireFewAccounts(ctx.db, userId);
  const { kind } = input;
  const [accountSid, secret] = [input.account_sid ?? null, input.secret.trim()];
  await testCredentials(ctx, { kind, accountSid, secret });
  return ctx.db.transaction(async (tx) => {
    // Others may have been added while the carrier was asked.
    await lockOwner(tx, identity.userId);
    await requireFewAccounts(tx, userId);
    const account = tx.em.create(CarrierAccount, {
      userId,
      name: input.name.trim(),
      kind,
      accountSid,
      secretSealed: ctx.secretBox.seal(secret),
      tag: randomBytes(TAG_BYTES).toString('hex'),
      connection: null,
      trunkId: null,
      createdAt: now(ctx),
    });
    await tx.em.flush();
    return accountRecord(account, identity);
  });
}

/** @param userId - null: the shared ones */
async function requireFewAccounts(tx: Tx, userId: number | null): Promise<void> {
  if ((await tx.em.count(CarrierAccount, { userId })) >= MAX_ACCOUNTS)
    throw new DomainError('conflict', `There may be at most ${MAX_ACCOUNTS} carrier accounts.`);
}

/** @throws DomainError as `findOwnAccount` and {@link addCarrierAccount} */
export async function changeCarrierAccount(
  ctx: CoreContext,
  identity: Identity,
  { id, name, secret }: CarrierAccountChanges & { id: number },
): Promise<CarrierAccountRecord> {
  if (secret !== undefined) {
    const { kind, accountSid } = await findOwnAccount(ctx.db, identity, id);
    await testCredentials(ctx, { kind, accountSid, secret: secret.trim() });
  }
  return ctx.db.transaction(async (tx) => {
    const account = await lockOwnAccount(tx, identity, id);
    account.name = name?.trim() ?? account.name;
    if (secret !== undefined) account.secretSealed = ctx.secretBox.seal(secret.trim());
    return accountRecord(account, identity);
  });
}

/** Its SIP trunk stays. @throws DomainError as `findOwnAccount`; `conflict` while numbers or an open purchase need it */
export async function removeCarrierAccount(
  ctx: CoreContext,
  identity: Identity,
  accountId: number,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const account = await lockOwnAccount(tx, identity, accountId);
    const carrierAccountId = account.id;
    if ((await tx.em.count(PhoneNumber, { carrierAccountId })) > 0)
      throw new DomainError('conflict', 'This carrier account still has phone numbers. Remove them first.');
    if ((await tx.em.count(NumberPurchase, { carrierAccountId, state: 'open' })) > 0)
      throw new DomainError('conflict', 'A purchase of this carrier account is not over.');
    tx.em.remove(account);
  });
}

/** Locks it until the transaction ends. @throws DomainError as `findOwnAccount` */
export async function lockOwnAccount(
  tx: Transaction,
  identity: Identity,
  accountId: number,
): Promise<CarrierAccountRow> {
  const { id } = await findOwnAccount(tx, identity, accountId);
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  const account = await tx.em.findOne(CarrierAccount, { id }, lock);
  if (!account) throw new DomainError('not-found', 'Carrier account not found');
  return account;
}

/** Outside a transaction, which must not wait for a carrier. */
async function testCredentials(ctx: CoreContext, credentials: CarrierCredentials): Promise<void> {
  try {
    await withCarrier(ctx, credentials, (carrier) => carrier.check());
  } catch (error) {
    if (!(error instanceof CarrierError) || !REFUSALS.includes(error.kind))
      throw forUser(credentials.kind, error);
    const text = `${CARRIER_NAMES[credentials.kind]} refuses these credentials. ${error.message}`;
    throw new DomainError('invalid', errorText.invalidData, { fields: fieldFault('secret', text) });
  }
}

/** Twilio answers 404 for an account that the token does not belong to. */
const REFUSALS: readonly string[] = ['unauthorised', 'rejected', 'missing'];
