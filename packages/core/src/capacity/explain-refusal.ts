/** Why a number may not be dialed, for the person who asked for the call. */
import type { NumberKind } from '@parley/contracts';
import { destinationOf } from '../shared/number-kind.ts';
import type { DestinationRefusal } from './destination.rules.ts';

const KIND_NAMES: Record<NumberKind, string> = {
  premium: 'premium-rate numbers',
  shared_cost: 'shared-cost numbers',
  satellite: 'satellite phones',
  international_network: 'international networks',
  personal: 'personal numbers',
  company: 'company-wide service numbers',
  pager: 'pagers',
  voicemail: 'voicemail access numbers',
};

const countryNames = new Intl.DisplayNames('en', { type: 'region' });

/** @param to - E.164 */
export function explainRefusal(refusal: DestinationRefusal, to: string): string {
  const { country, kind } = destinationOf(to);
  if (refusal === 'country_not_allowed') {
    const name = country === null ? 'this country' : `${countryNames.of(country)} (${country})`;
    return `Calls to ${name} are not allowed. An operator can allow the country under "Fraud protection" in the admin app.`;
  }
  const name = kind === null ? 'numbers of this kind' : KIND_NAMES[kind];
  return `Calls to ${name} are blocked. An operator can allow them under "Fraud protection" in the admin app.`;
}
