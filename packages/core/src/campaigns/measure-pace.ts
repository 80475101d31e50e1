/**
 * How fast a campaign has called in the last hour, minute by minute, and how fast it can. SQL, because it counts calls: those of
 * one hour, from the index of the list.
 */
import { isoMicroseconds, type CampaignPace } from '@parley/contracts';
import { Campaign, statement } from '@parley/db';
import { loadRouteOptions } from '../capacity/load-route-options.ts';
import { now, type CoreContext } from '../context.ts';
import { readCampaign } from '../dialing/campaign-rows.ts';
import type { Identity } from '../users/identity.ts';
import { campaignNotFound } from './find-campaign.ts';
import { selectAccountLimit, tightestLimit } from './forecast-campaign.ts';
import { callsPerSecondOf } from './forecast.rules.ts';

const selectMinutes = statement<{ minute: Date; calls: number }>(
  'campaign_pace',
  `select date_trunc('minute', created_at, 'UTC') as minute, count(*) as calls from calls
   where user_id = $1 and campaign_id = $2 and created_at >= $3 group by 1`,
);
/** The length of the newest calls; only of these, so that the time of the query does not depend on the number of calls. */
const selectLength = statement<{ calls: number; seconds: number | null }>(
  'campaign_call_length',
  `select count(*) as calls, avg(extract(epoch from ended_at - created_at))::float8 as seconds from (
     select created_at, ended_at from calls
     where user_id = $1 and campaign_id = $2 and created_at >= $3 and ended_at is not null
     order by created_at desc, id desc limit 500) recent`,
);

const MINUTES = 60;
const MINUTE_MS = 60_000;
/** With fewer calls their mean length says little. */
const FEWEST_MEASURED = 20;
/** A third of the people answer and talk for a minute, the others' phones ring for 25 s. */
const ASSUMED_SECONDS = 37;

/** @throws DomainError `not-found`, also when it is deleted or has another owner */
export async function measurePace(
  ctx: CoreContext,
  { userId }: Identity,
  campaignId: number,
): Promise<CampaignPace> {
  const own = await ctx.db.em.count(Campaign, { id: campaignId, userId, deletedAt: null });
  if (own === 0) throw campaignNotFound();
  const startMs = Math.floor(now(ctx).getTime() / MINUTE_MS) * MINUTE_MS - MINUTES * MINUTE_MS;
  const values = [userId, campaignId, new Date(startMs)];
  return ctx.db.transaction(async (tx) => {
    const campaign = await readCampaign(tx, campaignId);
    if (!campaign) throw campaignNotFound();
    const minutes = await tx.query(selectMinutes, values);
    const [length] = await tx.query(selectLength, values);
    const [account] = await tx.query(selectAccountLimit, [userId]);
    const limits = tightestLimit(campaign, await loadRouteOptions(tx, userId), account?.maxCalls ?? Infinity);
    const isMeasured = length !== undefined && length.calls >= FEWEST_MEASURED && (length.seconds ?? 0) > 0;
    const callSeconds = isMeasured ? (length.seconds ?? ASSUMED_SECONDS) : ASSUMED_SECONDS;
    const counts = new Map(minutes.map(({ minute, calls }) => [minute.getTime(), calls]));
    return {
      minutes: Array.from({ length: MINUTES + 1 }, (_, index) => {
        const atMs = startMs + index * MINUTE_MS;
        return { at: isoMicroseconds(new Date(atMs)), calls: counts.get(atMs) ?? 0 };
      }),
      expected: 60 * callsPerSecondOf(limits, callSeconds),
      calls_at_once: limits.callsAtOnce,
      limited_by: limits.limitedBy,
      call_seconds: callSeconds,
      measured_calls: isMeasured ? length.calls : 0,
    };
  });
}
