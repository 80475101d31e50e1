/** Numbers that a carrier offers. */
import type { NumberSearchQuery, OfferedNumberRecord } from '@parley/contracts';
import { CarrierAccount, type CarrierAccountRow, type Tx } from '@parley/db';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { CoreContext } from '../context.ts';
import { sharedOrOwn } from '../lookups/shared-or-own.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { askCarrier, findAccount } from './open-carrier.ts';
import { numberTypes, type AvailableNumber, type Carrier } from './wire/carrier.ts';

const DEFAULT_COUNTRY = 'US';

/** @throws DomainError as `askCarrier`; `not-found` for an account of another user; `conflict` without any account */
export async function searchCarrierNumbers(
  ctx: CoreContext,
  identity: Identity,
  query: NumberSearchQuery,
): Promise<OfferedNumberRecord[]> {
  const account = await chooseAccount(ctx.db, identity, query.carrier_account_id ?? null);
  const country = (query.country_code ?? DEFAULT_COUNTRY).toUpperCase();
  const { area_code: area, contains, type = 'local' } = query;
  const search = { country, type, area: area || undefined, contains: contains || undefined };
  const found = await askCarrier(ctx, account, (carrier) => carrier.searchNumbers(search));
  return found.map((number) => offeredRecord(number, account));
}

function offeredRecord(number: AvailableNumber, account: CarrierAccountRow): OfferedNumberRecord {
  const { phoneNumber } = number;
  return {
    phone_number: phoneNumber,
    phone_number_formatted: parsePhoneNumberFromString(phoneNumber)?.formatInternational() ?? phoneNumber,
    country_code: number.country,
    type: number.type,
    locality: number.locality,
    price: number.monthly,
    setup_price: number.setup,
    currency: number.currency,
    sms_capable: number.isSmsCapable,
    address_requirements: number.addressRequirements,
    carrier_account_id: account.id,
  };
}

/**
 * @param accountId - null: the user's first account, otherwise the first shared one
 * @throws DomainError `not-found` for an account of another user; `conflict` without any account
 */
export async function chooseAccount(
  tx: Tx,
  identity: Identity,
  accountId: number | null,
): Promise<CarrierAccountRow> {
  if (accountId !== null) return findAccount(tx, identity, accountId);
  const accounts = await tx.em.find(CarrierAccount, sharedOrOwn(identity.userId), { orderBy: { id: 'asc' } });
  const account = accounts.find(({ userId }) => userId !== null) ?? accounts[0];
  if (account) return account;
  throw new DomainError(
    'conflict',
    'There is no carrier account. Add a Twilio or Telnyx account under "Trunks and numbers" first.',
  );
}

/** One number that is on sale. @param phoneNumber - E.164 @returns null when it is not */
export async function findOffer(
  carrier: Carrier,
  { phoneNumber, country }: { phoneNumber: string; country: string },
): Promise<AvailableNumber | null> {
  const contains = phoneNumber.slice(1);
  for (const type of numberTypes) {
    const found = await carrier.searchNumbers({ country, type, contains });
    const offer = found.find((number) => number.phoneNumber === phoneNumber);
    if (offer) return offer;
  }
  return null;
}
