/**
 * The two ways in which the API writes an instant: ISO 8601 in UTC with microseconds (assistants, campaigns, webhooks)
 * and local date-time in the user's zone (calls, leads).
 */
import { z } from 'zod';

/** `2026-01-31T09:05:00.123000Z`. A Date knows milliseconds only, so the last three digits are always zero. */
export function isoMicroseconds(instant: Date): string {
  return instant.toISOString().replace('Z', '000Z');
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formatters.set(timeZone, formatter);
  return formatter;
}

/**
 * `2026-01-31 10:05:00`, whole seconds, rounded down.
 *
 * @param timeZone - IANA name
 * @throws RangeError when the zone is unknown
 */
export function localDateTime(instant: Date, timeZone: string): string {
  const parts = new Map(
    formatterFor(timeZone)
      .formatToParts(instant)
      .map((part) => [part.type, part.value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  const date = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
  return `${date} ${part('hour')}:${part('minute')}:${part('second')}`;
}

/** Schema of {@link isoMicroseconds}. */
export const isoMicrosecondsField = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/)
  .meta({ format: 'date-time', examples: ['2026-01-31T09:05:00.123000Z'] });

/** Schema of {@link localDateTime}. */
export const localDateTimeField = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/)
  .meta({ examples: ['2026-01-31 10:05:00'] });
