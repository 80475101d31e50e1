/** What the operator allows to be dialed: countries, and kinds of numbers. See docs/decisions/toll-fraud.md. */
import { z } from 'zod';
import { choice, list, nullable, shape, text } from './fields.ts';
import { numberKinds } from './number-kinds.ts';

/** ISO 3166 has about 250. */
const MAX_COUNTRIES = 300;

/** The settings as they are read. */
export const dialPolicyRecord = z.strictObject({
  /** Null: the countries of the operator's own numbers. */
  allowed_countries: z.array(z.string()).nullable(),
  /** The countries that are allowed now; null: all but those that are known for callback scams. */
  countries_in_force: z.array(z.string()).nullable(),
  blocked_number_types: z.array(z.enum(numberKinds)),
});

/** Only what is sent changes. */
export const dialPolicyBody = shape({
  /** Two letters each. */
  allowed_countries: nullable(list(text({ maximum: 2 }), { maximum: MAX_COUNTRIES })).optional(),
  blocked_number_types: list(choice(numberKinds), { maximum: numberKinds.length }).optional(),
});

/** The settings as they are read. */
export type DialPolicyRecord = z.output<typeof dialPolicyRecord>;
/** The settings as they are written. */
export type DialPolicyInput = z.output<typeof dialPolicyBody>;
