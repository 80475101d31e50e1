/** The country in which an account's numbers without `+` are read, as its user sees and sets it. */
import { errorText, fieldFault, wording } from '@parley/contracts';
import { User } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { isCountry, numberCountries } from '../shared/phone-number.ts';
import type { Identity } from './identity.ts';

/** The setting of the account, and what it may be. */
export interface NumberCountry {
  /** Two upper-case letters; null: every number needs `+` or `00`. */
  country: string | null;
  countries: readonly string[];
}

/** Returns the setting of the account and all supported countries. */
export async function findNumberCountry(ctx: CoreContext, { userId }: Identity): Promise<NumberCountry> {
  const { defaultCountry } = await ctx.db.em.findOneOrFail(User, { id: userId });
  return { country: defaultCountry, countries: numberCountries() };
}

/** @throws DomainError `invalid` for an unknown country */
export async function changeNumberCountry(
  ctx: CoreContext,
  { userId }: Identity,
  text: string | null,
): Promise<void> {
  const defaultCountry = readCountry(text) ?? null;
  await ctx.db.transaction((tx) => tx.em.nativeUpdate(User, { id: userId }, { defaultCountry }));
}

/**
 * Reads a country code in either case; null and undefined stay what they are.
 *
 * @throws DomainError `invalid` for an unknown country
 */
export function readCountry(text: string | null | undefined): string | null | undefined {
  if (text == null) return text;
  const country = text.toUpperCase();
  if (isCountry(country)) return country;
  const fields = fieldFault('default_country', wording.selected);
  throw new DomainError('invalid', errorText.invalidData, { fields });
}
