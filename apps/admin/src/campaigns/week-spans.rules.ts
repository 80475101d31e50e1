/** The calling hours of a week as spans of minutes, by the rules of docs/api.md, "Campaigns". */
import type { CampaignDetail } from '@parley/contracts';
import { dayChoices } from './campaign-draft.rules.ts';

const MINUTES_OF_DAY = 1440;
/** An end at this minute means midnight. */
const LAST_MINUTE = MINUTES_OF_DAY - 1;

type Hours = Pick<CampaignDetail, 'allowed_days' | 'allowed_hours_start_time' | 'allowed_hours_end_time'>;

/** Minutes since midnight; the end is exclusive. */
export interface Span {
  from: number;
  until: number;
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** One entry for each day, Monday first. Hours that cross midnight belong to the day on which they begin. */
export function weekSpans(campaign: Hours): { label: string; spans: Span[] }[] {
  const from = minuteOf(campaign.allowed_hours_start_time);
  const end = minuteOf(campaign.allowed_hours_end_time);
  const until = end === LAST_MINUTE ? MINUTES_OF_DAY : end;
  const isWholeDay = from === end;
  const isOvernight = !isWholeDay && until < from;
  const isAllowed = dayChoices.map(({ day }) => campaign.allowed_days.includes(day));
  return dayChoices.map(({ label }, index) => {
    const spans: Span[] = [];
    // What is left of the night before.
    if (isOvernight && isAllowed.at(index - 1)) spans.push({ from: 0, until });
    if (isAllowed[index]) spans.push({ from, until: isOvernight || isWholeDay ? MINUTES_OF_DAY : until });
    if (isAllowed.at(index - 1) && isWholeDay && from > 0) spans.unshift({ from: 0, until: from });
    return { label, spans };
  });
}
