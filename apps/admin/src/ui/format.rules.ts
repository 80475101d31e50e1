/** How durations, instants and sizes are written on screen. */

const dateFormats = new Map<string, Intl.DateTimeFormat>();

/**
 * A formatter in the browser's language, or in a given one. Each is made once: making one takes seventy times as long as using it, and the rows of
 * a list use the same.
 */
function dateFormat(options: Intl.DateTimeFormatOptions, language?: string): Intl.DateTimeFormat {
  const key = `${language ?? ''} ${Object.entries(options).join(' ')}`;
  const format = dateFormats.get(key) ?? new Intl.DateTimeFormat(language, options);
  dateFormats.set(key, format);
  return format;
}

/** `m:ss`, or `h:mm:ss` from an hour on. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const rest = String(whole % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

/** `350 ms` below a second, `1.4 s` above. */
export function formatMilliseconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

const MOST_DECIMALS = 6;

/**
 * An amount with its currency, in at most six decimals.
 *
 * @param currency - ISO 4217; null: a number with two decimals at least
 * @param decimals - absent: as many as the amount has, and at least those of the currency
 */
export function formatAmount(amount: number, currency: string | null, decimals?: number): string {
  const digits =
    decimals === undefined
      ? { maximumFractionDigits: MOST_DECIMALS }
      : { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return currency === null
    ? new Intl.NumberFormat('en', { minimumFractionDigits: 2, ...digits }).format(amount)
    : new Intl.NumberFormat('en', { style: 'currency', currency, ...digits }).format(amount);
}

/** `09:00:00` or `09:00`, a time of day of the API, as the browser's language writes it: like the fields for times, and all other times. */
export function formatTimeOfDay(time: string): string {
  return dateFormat({ timeStyle: 'short', timeZone: 'UTC' }).format(
    new Date(`1970-01-01T${time.slice(0, 5)}Z`),
  );
}

/** `09:00`, a full hour of the API, without minutes. */
export function formatHour(time: string): string {
  return dateFormat({ hour: 'numeric', timeZone: 'UTC' }).format(new Date(`1970-01-01T${time}Z`));
}

/** Hours and minutes of an instant, in the browser's zone. */
export function formatMinute(iso: string): string {
  return dateFormat({ timeStyle: 'short' }).format(new Date(iso));
}

/** Hours, minutes and seconds of an instant, in the browser's zone. */
export function formatClock(iso: string): string {
  return dateFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(new Date(iso));
}

/** Day of an instant, in the browser's zone and language. */
export function formatDay(iso: string): string {
  return dateFormat({ dateStyle: 'medium' }).format(new Date(iso));
}

/** The day of an instant in a time zone, `2026-01-31`. */
export function dayIn(iso: string, timezone: string): string {
  return dateFormat({ timeZone: timezone }, 'sv-SE').format(new Date(iso));
}

/** `2026-01-31`, written in the browser's language. */
export function formatDate(day: string): string {
  return dateFormat({ dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));
}

/** Day and time of an instant, in the browser's zone and language. */
export function formatInstant(iso: string): string {
  return dateFormat({ dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));
}

/** The same with seconds, to find a request in a log. */
export function formatInstantWithSeconds(iso: string): string {
  return dateFormat({ dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(iso));
}

/** Day and time of an instant in a given zone, with the name of the zone. */
export function formatInZone(iso: string, timezone: string): string {
  const format = dateFormat({ dateStyle: 'full', timeStyle: 'short', timeZone: timezone });
  return `${format.format(new Date(iso))} (${timezone})`;
}

/** Day and time of an instant, in the browser's zone, which it names: for places where another zone appears too. */
export function formatInstantWithZone(iso: string): string {
  return dateFormat({
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(iso));
}

/**
 * The instant of `2026-01-31 10:05:00`, a local date-time of the API, as ISO 8601 in UTC. Where clocks are set back, an hour
 * occurs twice: the local date-time does not say which is meant.
 *
 * @param timezone - the account's
 */
export function instantOfLocal(local: string, timezone: string): string {
  const asIfUtc = Date.parse(`${local.replace(' ', 'T')}Z`);
  const guess = asIfUtc - offsetAt(asIfUtc, timezone);
  return new Date(asIfUtc - offsetAt(guess, timezone)).toISOString();
}

/** How far the clocks of a zone are ahead of UTC, milliseconds. */
function offsetAt(instant: number, timezone: string): number {
  const options = { dateStyle: 'short', timeStyle: 'medium', timeZone: timezone } as const;
  const local = dateFormat(options, 'sv-SE').format(new Date(instant));
  return Date.parse(`${local.replace(' ', 'T')}Z`) - instant;
}
