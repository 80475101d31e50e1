/** Words of campaigns, their leads and their imports. */
import type {
  CampaignDetail,
  CampaignForecast,
  CampaignStatus,
  DialVerdictRecord,
  ImportRecord,
  LeadStatus,
} from '@parley/contracts';
import { formatInstant } from '../ui/format.rules.ts';

const STATUS_WORDS: Readonly<Record<CampaignStatus, string>> = {
  draft: 'Draft',
  'in-progress': 'Running',
  stopped: 'Stopped',
  completed: 'Completed',
};

const LEAD_WORDS: Readonly<Record<LeadStatus, string>> = {
  created: 'Waiting',
  completed: 'Completed',
  'reached-max-retries': 'Not reached',
};

const LIMIT_WORDS: Readonly<Record<CampaignForecast['limited_by'], string>> = {
  calls_in_parallel: 'limit of the campaign',
  account_calls: 'limit of the account',
  trunk_calls: 'limit of the lines',
};

const STATE_WORDS: Readonly<Record<ImportRecord['state'], string>> = {
  running: 'Running',
  interrupted: 'Broke off',
  finished: 'Finished',
  undoing: 'Being undone',
  undone: 'Undone',
};

/** What a campaign is doing. */
export function campaignStatusLabel(status: CampaignStatus): string {
  return STATUS_WORDS[status];
}

/** What has become of a lead. */
export function leadStatusLabel(status: LeadStatus): string {
  return LEAD_WORDS[status];
}

/** For a list to choose from. */
export const leadStatusChoices: readonly { value: LeadStatus; label: string }[] = (
  Object.keys(LEAD_WORDS) as LeadStatus[]
).map((value) => ({ value, label: LEAD_WORDS[value] }));

/** What a list of choices gave back may be anything. */
export function isLeadStatus(value: string): value is LeadStatus {
  return Object.hasOwn(LEAD_WORDS, value);
}

/** Which limit holds a campaign back. */
export function limitWords(limit: CampaignForecast['limited_by']): string {
  return LIMIT_WORDS[limit];
}

type CallingHours = Pick<
  CampaignDetail,
  'allowed_days' | 'allowed_hours_start_time' | 'allowed_hours_end_time' | 'timezone'
>;

/** `Mon, Tue 09:00 to 17:00, Europe/Berlin`. */
export function callingHours(campaign: CallingHours): string {
  const { allowed_days: days, allowed_hours_start_time: from, allowed_hours_end_time: to } = campaign;
  const named = days.map((day) => day.slice(0, 1).toUpperCase() + day.slice(1, 3));
  const when = days.length === 7 ? 'Every day' : named.join(', ');
  return `${when} ${from.slice(0, 5)} to ${to.slice(0, 5)}, ${campaign.timezone}`;
}

/** What the dial rule says of a lead, in a few words; its explanation stands below. */
export function verdictHeadline({ decision, until }: Pick<DialVerdictRecord, 'decision' | 'until'>): string {
  if (decision === 'never') return 'It will not be called again';
  if (decision === 'dial') return 'It is its turn now';
  return until === null ? 'It waits' : `It waits until ${formatInstant(until)}`;
}

/** Where an import stands. */
export function importStateLabel(state: ImportRecord['state']): string {
  return STATE_WORDS[state];
}

/** How much of a running import's file has come, in percent; null where nobody knows. */
export function importPercent({ bytes_read, bytes_total }: ImportRecord): number | null {
  if (bytes_total === null || bytes_total === 0) return null;
  return Math.min(100, Math.floor((bytes_read / bytes_total) * 100));
}

/** What became of the rows, in one line. */
export function importResult(record: ImportRecord): string {
  const parts: [count: number, words: string][] = [
    [record.rows_imported, 'imported'],
    [record.rows_duplicate, 'duplicate'],
    [record.rows_refused, 'refused'],
    [record.leads_removed, 'removed again'],
  ];
  const said = parts.filter(([count], place) => place === 0 || count > 0);
  return said.map(([count, words]) => `${count.toLocaleString('en')} ${words}`).join(', ');
}

/** True while the list is worth asking for again. */
export function isMoving({ state }: ImportRecord): boolean {
  return state === 'running' || state === 'undoing';
}
