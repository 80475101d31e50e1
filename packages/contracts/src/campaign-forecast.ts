/** The flight plan of a campaign: what would happen if it ran, by the rule that dials. Ours; nothing is dialed. */
import { z } from 'zod';
import { isoMicrosecondsField } from './dates.ts';
import { instant, integer, number, shape } from './fields.ts';

/** Seconds. */
const LONGEST_CALL = 14_400;
const LONGEST_RING = 300;

/** Body of POST /api/user/campaigns/{id}/forecast. */
export const forecastBody = shape({
  /** Share of dials that somebody answers, 0 to 1. */
  answer_rate: number({ minimum: 0, maximum: 1 }),
  average_duration_seconds: integer({ minimum: 1, maximum: LONGEST_CALL }),
  /** Default: now. */
  start_at: instant().optional(),
  /** How long it rings where nobody answers. */
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
    /** End of the last call; null where it would not end within a year, or nobody can be called. */
    finish_at: isoMicrosecondsField.nullable(),
    /** Leads that wait to be called. */
    leads: z.int(),
    calls: z.int(),
    /** Of the leads. */
    reached: z.int(),
    reached_max_retries: z.int(),
    /** Leads that would never be called, and why. */
    unreachable: z.array(unreachable),
    /** Calls at once, by the tightest limit, and which that is. */
    calls_at_once: z.int(),
    limited_by: z.enum(['calls_in_parallel', 'account_calls', 'trunk_calls']),
    /** Length of a bucket; it grows with the length of the run. */
    bucket_seconds: z.int(),
    /** In order; those without a call are left out. */
    buckets: z.array(bucket),
  })
  .meta({ id: 'CampaignForecast' });

/** What is expected of the calls. */
export type ForecastQuestion = z.output<typeof forecastBody>;
/** The flight plan. */
export type CampaignForecast = z.output<typeof campaignForecast>;
