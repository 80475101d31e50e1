/** Kinds of phone numbers that cost the caller more than an ordinary call, or that are blocked for another reason. */

/** As the operator's settings name them; docs/decisions/toll-fraud.md says what each of them is. */
export const numberKinds = [
  'premium',
  'shared_cost',
  'satellite',
  'international_network',
  'personal',
  'company',
  'pager',
  'voicemail',
] as const;

/** One of {@link numberKinds}. */
export type NumberKind = (typeof numberKinds)[number];
