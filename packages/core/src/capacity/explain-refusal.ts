/** Explains to the user why a call was refused. */
import type { NumberKind } from '@parley/contracts';
import { destinationOf } from '../shared/number-kind.ts';
import type { DestinationRefusal } from './destination.rules.ts';
import type { UsageVerdict } from './dial-usage.rules.ts';

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

/** @param to - E.164 @param what - is refused, in the plural */
export function explainRefusal(refusal: DestinationRefusal, to: string, what = 'Calls'): string {
  const { country, kind } = destinationOf(to);
  if (refusal === 'country_not_allowed') {
    const name = country === null ? 'this country' : `${countryNames.of(country)} (${country})`;
    return `${what} to ${name} are not allowed. An operator can allow the country under "Fraud protection" in the admin app.`;
  }
  const name = kind === null ? 'numbers of this kind' : KIND_NAMES[kind];
  return `${what} to ${name} are blocked. An operator can allow them under "Fraud protection" in the admin app.`;
}

const SCOPE_NAMES = { user: 'Your account', token: 'This API token', trunk: 'The SIP trunk' } as const;

/** Why no call may be placed now under the limits per second and per day. */
export function explainUsage(verdict: UsageVerdict): string {
  if (verdict.reason === 'wait') return 'Calls are placed faster than your limit of calls per second allows.';
  const limit = verdict.reason === 'calls_per_day' ? 'calls per day' : 'costs per day';
  return `${SCOPE_NAMES[verdict.scope]} has reached its limit of ${limit} (${verdict.max}).`;
}
