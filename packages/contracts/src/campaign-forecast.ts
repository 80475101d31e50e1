/** The forecast of a campaign: a simulation with the rule that dials. An endpoint of our own; it dials nothing. */
import { z } from 'zod';
import { isoMicrosecondsField } from './dates.ts';
import { instant, integer, number, shape } from './fields.ts';

/** Seconds. */
const LONGEST_CALL = 14_400;
const LONGEST_RING = 300;

/** Body of POST /api/user/campaigns/{id}/forecast. */
export const forecastBody = shape({
  /** Expected share of answered calls, 0 to 1. */
  answer_rate: number({ minimum: 0, maximum: 1 }),
  average_duration_seconds: integer({ minimum: 1, maximum: LONGEST_CALL }),
  /** Default: now. */
  start_at: instant().optional(),
  /** Ringing time of an unanswered call. */
  ring_seconds: integer({ minimum: 1, maximum: LONGEST_RING }).default(25),
}).meta({ id: 'ForecastQuestion' });

const unreachable = z
  .strictObject({ reason: z.string(), explanation: z.string(), leads: z.int() })
  .meta({ id: 'UnreachableLeads' });

const bucket = z
  .strictObject({ at: isoMicrosecondsField, calls: z.int(), answered: z.int() })
  .meta({ id: 'ForecastBucket' });

/** Answer of the forecast. */
export const campaignForecast = z
  .strictObject({
    campaign_id: z.int(),
    start_at: isoMicrosecondsField,
    /** End of the last call; null if that is more than a year away, or if no lead can be called. */
    finish_at: isoMicrosecondsField.nullable(),
    /** Leads that wait to be called. */
    leads: z.int(),
    calls: z.int(),
    /** The number of leads by their final state. */
    reached: z.int(),
    reached_max_retries: z.int(),
    /**
     * In the currency of the price list, by what a minute of the latest conversations of the assistant has cost; null where
     * no conversation has costs of which all parts are known.
     */
    expected_cost: z.number().nullable(),
    /** If everybody who can be called talks for the longest time that the assistant allows. */
    highest_cost: z.number().nullable(),
    /** Leads that would never be called, and why. */
    unreachable: z.array(unreachable),
    /** Concurrent calls, by the strictest limit, and that limit. */
    calls_at_once: z.int(),
    limited_by: z.enum(['calls_in_parallel', 'account_calls', 'trunk_calls']),
    /** Length of a bucket; it grows with the length of the run. */
    bucket_seconds: z.int(),
    /** In order; buckets without a call are omitted. */
    buckets: z.array(bucket),
  })
  .meta({ id: 'CampaignForecast' });

/** The assumptions of a forecast. */
export type ForecastQuestion = z.output<typeof forecastBody>;
/** A forecast. */
export type CampaignForecast = z.output<typeof campaignForecast>;
