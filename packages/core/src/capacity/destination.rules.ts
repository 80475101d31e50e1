/**
 * Whether a call may go to a destination: the operator's list of countries, and the kinds of numbers that are blocked
 * because their owners earn money with each call (docs/decisions/toll-fraud.md).
 */
import type { Destination } from '../shared/number-kind.ts';

/** What the operator allows. */
export interface DestinationPolicy {
  /** Null: the operator has no list, and no numbers whose countries would be allowed. */
  allowedCountries: ReadonlySet<string> | null;
  blockedKinds: ReadonlySet<string>;
}

/** Why a number must not be dialed. */
export type DestinationRefusal = 'country_not_allowed' | 'number_type_blocked';

/**
 * Countries of callback scams ("wangiri") and traffic pumping, refused as long as no list or number of the operator
 * allows countries. The first line is from the warnings of the United States' FCC and FTC about one-ring calls.
 */
const CALLBACK_SCAM_COUNTRIES: ReadonlySet<string> = new Set(
  [
    'AG DM DO GD JM MR MS SL TC VG',
    'AI BB BS CU GY HT KN KY LC VC',
    'BI CF DJ GM GN GW KM LR SO ST TD TN ZW',
    'AC CK FK FM IO KI MH MV NR NU PG PW SB SH TK TL TO TV VU WF WS',
    'BY LV',
  ].flatMap((line) => line.split(' ')),
);

/** @returns null for a number that may be dialed */
export function refusalOfDestination(
  { allowedCountries, blockedKinds }: DestinationPolicy,
  { country, kind }: Destination,
): DestinationRefusal | null {
  if (kind !== null && blockedKinds.has(kind)) return 'number_type_blocked';
  // Numbers without a country that are not blocked: freephone, or networks that the operator has allowed.
  if (country === null) return null;
  const isAllowed = allowedCountries?.has(country) ?? !CALLBACK_SCAM_COUNTRIES.has(country);
  return isAllowed ? null : 'country_not_allowed';
}
