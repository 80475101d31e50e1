/** Labels and summaries of campaigns. */
import type { CampaignDetail, CampaignForecast } from '@parley/contracts';
import { formatInZone, formatTimeOfDay } from '../ui/format.rules.ts';
import { texts } from './texts.ts';

/** The limit that holds a campaign back. */
export function limitLabel(limit: CampaignForecast['limited_by']): string {
  return texts.limits[limit];
}

/**
 * How many people would be called: without those whom the forecast does not reach, such as people on the do-not-call list.
 *
 * @param blocked - leads that are blocked already, and not among the waiting ones
 */
export function peopleOf({ leads, unreachable }: CampaignForecast, blocked: number): number {
  const never = unreachable.reduce((sum, group) => sum + group.leads, 0);
  return Math.max(0, leads - Math.max(0, never - blocked));
}

/**
 * When the last call ends, within a year: the forecast looks no further. In the zone of the calling hours, which are beside it.
 *
 * @param people - how many would be called
 */
export function finishOf(
  { finish_at: at }: Pick<CampaignForecast, 'finish_at'>,
  timezone: string,
  people: number,
): string | null {
  if (at !== null) return formatInZone(at, timezone);
  return people > 0 ? texts.forecast.neverFinishes : null;
}

type CallingHours = Pick<
  CampaignDetail,
  'allowed_days' | 'allowed_hours_start_time' | 'allowed_hours_end_time' | 'timezone'
>;

/** `Mon, Tue, 9:00 AM to 5:00 PM (Europe/Berlin)`, in the browser's language. */
export function callingHours(campaign: CallingHours): string {
  const { allowed_days: days, allowed_hours_start_time: from, allowed_hours_end_time: to } = campaign;
  const named = days.map((day) => texts.days[day]).join(', ');
  const when = days.length === 7 ? texts.everyDay : named;
  return texts.hours(when, formatTimeOfDay(from), formatTimeOfDay(to), campaign.timezone);
}

type CampaignNow = Pick<CampaignDetail, 'status' | 'opens_at' | 'progress'> & {
  obstacle: object | null;
};

/** What the campaign is doing, in one sentence. */
export function campaignNow({ status, opens_at: opensAt, obstacle, progress }: CampaignNow): string {
  const { leads, completed, reached_max_retries: missed, live_calls: live } = progress;
  const left = leads - completed - missed;
  switch (status) {
    case 'draft':
      return texts.now.draft(left);
    case 'stopped':
      return texts.now.stopped(left);
    case 'completed':
      return texts.now.completed(completed, leads);
    case 'in-progress':
      if (obstacle !== null) return texts.now.stuck;
      return live === 0 && opensAt !== null ? texts.now.closed(left) : texts.now.running(live, left);
  }
}

/** The status, and whether a running campaign is outside its calling hours. */
export function campaignState({
  status,
  opens_at: opensAt,
}: Pick<CampaignDetail, 'status' | 'opens_at'>): string {
  return status === 'in-progress' && opensAt !== null ? texts.runningOutsideHours : texts.status[status];
}
