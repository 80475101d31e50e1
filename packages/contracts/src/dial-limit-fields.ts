/** Limits of a single user or SIP trunk, beside those of all (dial-policy.ts). Null: only those of all apply. */
import { z } from 'zod';
import { integer, nullable, number } from './fields.ts';

/** Bounds of every limit of calls per second. */
export const callsPerSecond = integer({ minimum: 1, maximum: 1000 });
/** Bounds of every limit of calls per day. */
export const callsPerDay = integer({ minimum: 0, maximum: 100_000_000 });
/** Bounds of every limit of costs per day. */
export const costPerDay = number({ minimum: 0, maximum: 100_000 });

/** The limits as they are read. */
export const ownLimitsRecord = {
  max_calls_per_second: z.int().nullable(),
  /** A day is UTC's. */
  max_calls_per_day: z.int().nullable(),
  max_cost_per_day: z.number().nullable(),
};

/** The limits as operators write them. */
export const ownLimitsBody = {
  max_calls_per_second: nullable(callsPerSecond).optional(),
  max_calls_per_day: nullable(callsPerDay).optional(),
  max_cost_per_day: nullable(costPerDay).optional(),
};
