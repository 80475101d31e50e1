/** What the operator allows to be dialed: countries, kinds of numbers, and how much. See docs/decisions/toll-fraud.md. */
import { z } from 'zod';
import { callsPerDay, callsPerSecond, costPerDay } from './dial-limit-fields.ts';
import { choice, integer, list, nullable, shape, text } from './fields.ts';
import { numberKinds } from './number-kinds.ts';

/** ISO 3166 has about 250. */
const MAX_COUNTRIES = 300;

/** The limits of every user, API token or trunk; null: no limit. */
const limitsRecord = z.strictObject({
  calls_per_second: z.int().nullable(),
  calls_per_day: z.int().nullable(),
  cost_per_day: z.number().nullable(),
});

/** 80 % or all of a limit was used. */
const warningRecord = z.strictObject({
  scope: z.enum(['user', 'token', 'trunk']),
  /** The e-mail address of a user, the name of a token or trunk; empty when it no longer exists. */
  name: z.string(),
  measure: z.enum(['calls_per_second', 'calls_per_day', 'cost_per_day']),
  /** 80 or 100. */
  threshold_percent: z.int(),
  used: z.number(),
  limit: z.number(),
  reached_at: z.string(),
});

/** The settings as they are read. */
export const dialPolicyRecord = z.strictObject({
  /** Null: the countries of the operator's own numbers. */
  allowed_countries: z.array(z.string()).nullable(),
  /** The countries that are allowed now; null: all but those that are known for callback scams. */
  countries_in_force: z.array(z.string()).nullable(),
  blocked_number_types: z.array(z.enum(numberKinds)),
  /** Text messages of each user in a day of UTC; null: no limit. */
  sms_per_day: z.int().nullable(),
  limits: z.strictObject({ user: limitsRecord, token: limitsRecord, trunk: limitsRecord }),
  /** Newest first. */
  warnings: z.array(warningRecord),
});

const limitsBody = shape({
  calls_per_second: nullable(callsPerSecond).optional(),
  calls_per_day: nullable(callsPerDay).optional(),
  cost_per_day: nullable(costPerDay).optional(),
}).optional();

/** Only what is sent changes. */
export const dialPolicyBody = shape({
  /** Two letters each. */
  allowed_countries: nullable(list(text({ maximum: 2 }), { maximum: MAX_COUNTRIES })).optional(),
  blocked_number_types: list(choice(numberKinds), { maximum: numberKinds.length }).optional(),
  sms_per_day: nullable(integer({ minimum: 0, maximum: 1_000_000 })).optional(),
  limits: shape({ user: limitsBody, token: limitsBody, trunk: limitsBody }).optional(),
});

/** The settings as they are read. */
export type DialPolicyRecord = z.output<typeof dialPolicyRecord>;
/** The settings as they are written. */
export type DialPolicyInput = z.output<typeof dialPolicyBody>;
