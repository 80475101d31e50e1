/** Labels and summaries of campaigns, their leads and their imports. */
import type { CampaignDetail, CampaignForecast, ImportRecord } from '@parley/contracts';
import { texts } from './texts.ts';

/** The limit that holds a campaign back. */
export function limitLabel(limit: CampaignForecast['limited_by']): string {
  return texts.limits[limit];
}

type CallingHours = Pick<
  CampaignDetail,
  'allowed_days' | 'allowed_hours_start_time' | 'allowed_hours_end_time' | 'timezone'
>;

/** `Mon, Tue, 09:00 to 17:00 (Europe/Berlin)`. */
export function callingHours(campaign: CallingHours): string {
  const { allowed_days: days, allowed_hours_start_time: from, allowed_hours_end_time: to } = campaign;
  const named = days.map((day) => texts.days[day]).join(', ');
  const when = days.length === 7 ? texts.everyDay : named;
  return texts.hours(when, from.slice(0, 5), to.slice(0, 5), campaign.timezone);
}

/** The status, and whether a running campaign is outside its calling hours. */
export function campaignState({
  status,
  opens_at: opensAt,
}: Pick<CampaignDetail, 'status' | 'opens_at'>): string {
  return status === 'in-progress' && opensAt !== null ? texts.runningOutsideHours : texts.status[status];
}

/** How much of a running import's file has arrived, in percent; null when the size is unknown. */
export function importPercent({ bytes_read, bytes_total }: ImportRecord): number | null {
  if (bytes_total === null || bytes_total === 0) return null;
  return Math.min(100, Math.floor((bytes_read / bytes_total) * 100));
}

/** How many rows of a file were imported, and how many were not, in one line. */
export function importResult(record: ImportRecord): string {
  const { imported, duplicate, refused, removed } = texts.importResult;
  const others = [
    record.rows_duplicate > 0 && duplicate(record.rows_duplicate),
    record.rows_refused > 0 && refused(record.rows_refused),
    record.leads_removed > 0 && removed(record.leads_removed),
  ];
  return [imported(record.rows_imported), ...others].filter(Boolean).join(', ');
}

/** Whether an import is still changing. */
export function isMoving({ state }: ImportRecord): boolean {
  return state === 'running' || state === 'undoing';
}
