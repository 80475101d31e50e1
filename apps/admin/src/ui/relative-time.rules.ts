/** How long ago an instant was, or how far ahead it is. Apart from the other formats, because few pages need it at their first load. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const relativeFormat = new Intl.RelativeTimeFormat();
const NOW = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' }).format(0, 'second');

/** `12 minutes ago`, `in 3 hours`, in the browser's language; within a minute: `now`. */
export function formatRelative(iso: string, nowMs: number): string {
  const difference = Date.parse(iso) - nowMs;
  const distance = Math.abs(difference);
  if (distance < MINUTE_MS) return NOW;
  if (distance < HOUR_MS) return relativeFormat.format(Math.trunc(difference / MINUTE_MS), 'minute');
  if (distance < DAY_MS) return relativeFormat.format(Math.trunc(difference / HOUR_MS), 'hour');
  return relativeFormat.format(Math.trunc(difference / DAY_MS), 'day');
}

/** Less than 24 hours before or after now. */
export function isWithinDay(iso: string, nowMs: number): boolean {
  return Math.abs(Date.parse(iso) - nowMs) < DAY_MS;
}
