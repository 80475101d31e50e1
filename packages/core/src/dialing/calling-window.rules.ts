/**
 * The calling window of a campaign: hours and weekdays on the wall clock of its time zone. Each allowed day gives one
 * span of real time, from its start up to but not including its end. See docs/api.md, "Campaigns".
 *
 * - An end before the start crosses midnight; the span belongs to the day on which it starts.
 * - `23:59` and `23:59:59` as an end mean midnight. Equal times mean the whole day.
 * - A wall-clock time that is skipped (spring) counts with the offset before the change, one that occurs twice (autumn)
 *   with the offset after it, as in PostgreSQL's `at time zone`. A span whose end then precedes its start is empty.
 */
import { Temporal } from 'temporal-polyfill';

/** The settings of the window. */
export interface CallingWindow {
  /** IANA name. */
  timezone: string;
  /** `HH:MM:SS`, local. */
  allowedFrom: string;
  allowedUntil: string;
  /** Lower case English weekday names. */
  allowedDays: readonly string[];
}

/** Whether the window is open; if not, when it opens next (null: never). */
export type WindowState = { isOpen: true; closesAt: Date } | { isOpen: false; opensAt: Date | null };

/** Days before today that are examined: yesterday's span may cross midnight, and a zone may have skipped a day. */
const DAYS_BACK = 2;
/** Two weeks, because one span can be empty (the change of clocks in spring on the only allowed weekday). */
const DAYS_AHEAD = 14;

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const ENDS_THAT_MEAN_MIDNIGHT = ['23:59:00', '23:59:59'];
const MIDNIGHT = '00:00:00';

/** The state of the window at a given time; `closesAt` is the end of the current span. */
export function windowAt(window: CallingWindow, now: Date): WindowState {
  const nowMs = now.getTime();
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs)
    .toZonedDateTimeISO(window.timezone)
    .toPlainDate();
  let opensMs = Infinity;
  for (let offset = -DAYS_BACK; offset <= DAYS_AHEAD; offset++) {
    const span = spanOf(window, today.add({ days: offset }));
    if (!span) continue;
    if (span.fromMs <= nowMs && nowMs < span.untilMs)
      return { isOpen: true, closesAt: new Date(span.untilMs) };
    if (span.fromMs > nowMs) opensMs = Math.min(opensMs, span.fromMs);
    // Spans begin in the order of their days, except in a zone that skips a day: one more day covers that case.
    if (offset > 1) break;
  }
  return { isOpen: false, opensAt: opensMs === Infinity ? null : new Date(opensMs) };
}

/** The span of a local day in real time; null when the day is not allowed or the span is empty. */
function spanOf(window: CallingWindow, day: Temporal.PlainDate): { fromMs: number; untilMs: number } | null {
  if (!window.allowedDays.includes(WEEKDAYS[day.dayOfWeek - 1] ?? '')) return null;
  const { from, until, isOvernight } = timesOf(window);
  const fromMs = instantMs(day, from, window.timezone);
  const untilMs = instantMs(isOvernight ? day.add({ days: 1 }) : day, until, window.timezone);
  return fromMs < untilMs ? { fromMs, untilMs } : null;
}

function timesOf(window: CallingWindow): { from: string; until: string; isOvernight: boolean } {
  const [from, until] = [withSeconds(window.allowedFrom), withSeconds(window.allowedUntil)];
  if (from === until) return { from: MIDNIGHT, until: MIDNIGHT, isOvernight: true };
  if (ENDS_THAT_MEAN_MIDNIGHT.includes(until)) return { from, until: MIDNIGHT, isOvernight: true };
  return { from, until, isOvernight: until < from };
}

function withSeconds(time: string): string {
  return time.length === 'HH:MM'.length ? `${time}:00` : time;
}

function instantMs(day: Temporal.PlainDate, time: string, timezone: string): number {
  return day.toPlainDateTime(time).toZonedDateTime(timezone, { disambiguation: 'later' }).epochMilliseconds;
}
