/**
 * Buys a number. A row claims the purchase before the carrier is asked, so that of several requests one buys, and the carrier is
 * asked whether it owns the number before anything is bought. When the answer to the purchase is lost, the carrier is asked
 * again, here and later by a job (`settle-purchase.ts`), and nothing is bought a second time.
 */
import { errorText, type OwnNumberRecord, type PurchaseNumber } from '@parley/contracts';
import { LockMode, NumberPurchase, type CarrierAccountRow } from '@parley/db';
import { pause } from '@parley/runtime';
import { now, type CoreContext } from '../context.ts';
import { enqueue } from '../jobs/catalogue.ts';
import { DomainError } from '../shared/domain-error.ts';
import { countryOfNumber } from '../shared/phone-number.ts';
import { requireAccountNumber } from '../users/account-number.ts';
import { requireFewNumbers } from '../trunks/phone-numbers.ts';
import type { Identity } from '../users/identity.ts';
import { adoptNumber, findAdopted, requireConnection } from './account-numbers.ts';
import { askCarrier, CARRIER_NAMES, findOwnAccount } from './open-carrier.ts';
import { chooseAccount, findOffer } from './search-numbers.ts';
import { CarrierError, type AvailableNumber, type Carrier, type OwnedNumber } from './wire/carrier.ts';

/** How often the carrier is asked whether it owns the number now, a second apart. Orders take some seconds. */
const LOOKUPS = 6;
const LOOKUP_PAUSE_MS = 1_000;
/** The first look of the job. */
const SETTLE_AFTER_MS = 30_000;
const RETRY_SECONDS = 30;

/** A purchase that a request has claimed. */
interface Claim {
  purchaseId: number;
  account: CarrierAccountRow;
  userId: number;
  /** E.164. */
  phoneNumber: string;
  /** Null: any. */
  maxMonthlyPrice: number | null;
}

/**
 * A number that the account owns already is imported, and nothing is bought.
 *
 * @throws DomainError as `findOwnAccount`, `askCarrier`, `requireFewNumbers` and `adoptNumber`; `conflict` without a connected account, while
 *   the same number is being bought, and for a number that is not on sale, needs an address or costs too much; `unavailable`
 *   when the carrier has not confirmed the purchase yet
 */
export async function purchaseNumber(
  ctx: CoreContext,
  identity: Identity,
  input: PurchaseNumber,
): Promise<OwnNumberRecord> {
  const chosen = await chooseAccount(ctx.db, identity, input.carrier_account_id ?? null);
  const account = await findOwnAccount(ctx.db, identity, chosen.id);
  requireConnection(account);
  const { userId } = identity;
  const phoneNumber = await requireAccountNumber(ctx.db, userId, input.phone_number);
  const known = await findAdopted(ctx, { account, userId, phoneNumber });
  if (known) return known;
  const maxMonthlyPrice = input.max_monthly_price ?? null;
  const purchaseId = await claimPurchase(ctx, { account, userId, phoneNumber });
  const claim: Claim = { purchaseId, account, userId, phoneNumber, maxMonthlyPrice };
  const number = await askCarrier(ctx, account, (carrier) => buyOnce(ctx, carrier, claim));
  return askCarrier(ctx, account, (carrier) => finishPurchase(ctx, carrier, { ...claim, number }));
}

/**
 * @returns the id of the row
 * @throws DomainError `conflict` while another request has claimed it; `invalid` when the user has as many numbers as are allowed
 */
async function claimPurchase(
  ctx: CoreContext,
  { account, userId, phoneNumber }: Pick<Claim, 'account' | 'userId' | 'phoneNumber'>,
): Promise<number> {
  const at = now(ctx);
  return ctx.db.transaction(async (tx) => {
    await requireFewNumbers(tx, { userId, phoneNumber });
    const key = { carrierAccountId: account.id, phoneNumber };
    const fresh = { ...key, userId, state: 'failed' as const, createdAt: at, updatedAt: at };
    // Two requests for a new row would otherwise both insert it.
    await tx.em.upsert(NumberPurchase, fresh, { onConflictAction: 'ignore' });
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
    const row = await tx.em.findOneOrFail(NumberPurchase, key, lock);
    if (row.state === 'open')
      throw new DomainError('conflict', 'This number is being bought. Its purchase is not confirmed yet.', {
        retryAfterSeconds: RETRY_SECONDS,
      });
    Object.assign(row, { userId, state: 'open', reason: null, createdAt: at, updatedAt: at });
    const runAt = new Date(at.getTime() + SETTLE_AFTER_MS);
    await enqueue(tx, 'settle_purchase', { purchaseId: row.id }, { runAt });
    return row.id;
  });
}

/** @throws CarrierError, DomainError; the purchase is failed, unless the answer of the carrier is not known */
async function buyOnce(ctx: CoreContext, carrier: Carrier, claim: Claim): Promise<OwnedNumber> {
  let hasOrdered = false;
  try {
    const owned = await carrier.findNumber(claim.phoneNumber);
    if (owned) return owned;
    const offer = await requireOffer(carrier, claim);
    await notePrice(ctx, claim, offer);
    hasOrdered = true;
    await carrier.buyNumber(claim.phoneNumber);
  } catch (error) {
    const isKnown = !hasOrdered || !(error instanceof CarrierError) || error.kind !== 'uncertain';
    if (isKnown) {
      await failPurchase(ctx, claim.purchaseId, error instanceof Error ? error.message : 'Unknown error');
      throw error;
    }
    ctx.log.warn({ err: error, purchaseId: claim.purchaseId }, 'A carrier has not confirmed a purchase');
  }
  const owned = await waitForNumber(ctx, carrier, claim.phoneNumber);
  if (owned) return owned;
  const name = CARRIER_NAMES[claim.account.kind];
  const text = `${name} has not confirmed the purchase yet. It is asked again in the background, and the number is listed as soon as it is yours.`;
  throw new DomainError('unavailable', text, { retryAfterSeconds: RETRY_SECONDS });
}

async function requireOffer(carrier: Carrier, claim: Claim): Promise<AvailableNumber> {
  const { phoneNumber, maxMonthlyPrice } = claim;
  const offer = await findOffer(carrier, { phoneNumber, country: countryOfNumber(phoneNumber) });
  if (!offer) throw refusal('phone_number', 'The carrier does not offer this number any more.');
  if (offer.addressRequirements !== 'none')
    throw refusal(
      'phone_number',
      'The carrier asks for an address with this number. Buy it in the pages of the carrier, and import it here.',
    );
  const isTooMuch = maxMonthlyPrice !== null && (offer.monthly === null || offer.monthly > maxMonthlyPrice);
  if (!isTooMuch) return offer;
  const price =
    offer.monthly === null ? 'an unknown price' : `${offer.monthly} ${offer.currency ?? ''}`.trim();
  throw refusal('max_monthly_price', `The carrier asks for ${price} in a month. Nothing was bought.`);
}

function refusal(field: string, text: string): DomainError {
  return new DomainError('invalid', errorText.invalidData, { fields: { [field]: [text] } });
}

async function notePrice(ctx: CoreContext, { purchaseId: id }: Claim, offer: AvailableNumber): Promise<void> {
  const { monthly: monthlyPrice, currency } = offer;
  const price = { monthlyPrice, currency };
  await ctx.db.transaction(({ em }) => em.nativeUpdate(NumberPurchase, { id, state: 'open' }, price));
}

/** @returns null when the carrier does not list it yet, or does not answer */
async function waitForNumber(
  ctx: CoreContext,
  carrier: Carrier,
  phoneNumber: string,
): Promise<OwnedNumber | null> {
  for (let lookup = 1; ; lookup++) {
    const owned = await findQuietly(carrier, phoneNumber);
    if (owned || lookup === LOOKUPS) return owned;
    await pause(ctx.clock, LOOKUP_PAUSE_MS);
  }
}

async function findQuietly(carrier: Carrier, phoneNumber: string): Promise<OwnedNumber | null> {
  try {
    return await carrier.findNumber(phoneNumber);
  } catch (error) {
    if (error instanceof CarrierError) return null;
    throw error;
  }
}

/** Imports a number that the account owns. May be repeated. */
export async function finishPurchase(
  ctx: CoreContext,
  carrier: Carrier,
  claim: Pick<Claim, 'purchaseId' | 'account' | 'userId'> & { number: OwnedNumber },
): Promise<OwnNumberRecord> {
  const { purchaseId: id, account, userId, number } = claim;
  const access = requireConnection(account);
  const record = await adoptNumber(ctx, carrier, { account, ...access, userId, number });
  const bought = { state: 'bought' as const, reason: null, updatedAt: now(ctx) };
  await ctx.db.transaction(({ em }) => em.nativeUpdate(NumberPurchase, { id, state: 'open' }, bought));
  return record;
}

/** @param reason - a sentence */
export async function failPurchase(ctx: CoreContext, id: number, reason: string): Promise<void> {
  const failed = { state: 'failed' as const, reason, updatedAt: now(ctx) };
  await ctx.db.transaction(({ em }) => em.nativeUpdate(NumberPurchase, { id, state: 'open' }, failed));
}
