/**
 * The two ways in which the API writes an instant: ISO 8601 in UTC with microseconds (assistants, campaigns, webhooks)
 * and local date-time in the user's zone (calls, leads).
 */
import { z } from 'zod';

/** `2026-01-31T09:05:00.123000Z`. A Date has milliseconds only, so the last three digits are always zero. */
export function isoMicroseconds(instant: Date): string {
  return instant.toISOString().replace('Z', '000Z');
}

/** Since then, zones have changed their offsets only at full quarters of an hour (UTC). */
const QUARTER_MS = 15 * 60_000;
const QUARTERS_SINCE_MS = Date.UTC(1980, 0, 1);
/** Entries per zone before the cache is cleared: ten days of rows, a few kilobytes. */
const MAX_KNOWN_QUARTERS = 1000;

/** A zone's formatter, and its offsets by quarter of an hour: calling Intl for each row costs more than the query. */
interface Zone {
  formatter: Intl.DateTimeFormat;
  /** Milliseconds that local time is ahead of UTC. */
  offsets: Map<number, number>;
}

const zones = new Map<string, Zone>();

function zoneOf(timeZone: string): Zone {
  const known = zones.get(timeZone);
  if (known) return known;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const zone = { formatter, offsets: new Map<number, number>() };
  zones.set(timeZone, zone);
  return zone;
}

/** @param ms - whole seconds */
function askOffset({ formatter }: Zone, ms: number): number {
  const parts = new Map(formatter.formatToParts(ms).map((part) => [part.type, Number(part.value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const day = Date.UTC(part('year'), part('month') - 1, part('day'));
  return day + ((part('hour') * 60 + part('minute')) * 60 + part('second')) * 1000 - ms;
}

function offsetAt(zone: Zone, ms: number): number {
  if (ms < QUARTERS_SINCE_MS) return askOffset(zone, Math.floor(ms / 1000) * 1000);
  const quarter = Math.floor(ms / QUARTER_MS);
  const known = zone.offsets.get(quarter);
  if (known !== undefined) return known;
  const offset = askOffset(zone, quarter * QUARTER_MS);
  if (zone.offsets.size >= MAX_KNOWN_QUARTERS) zone.offsets.clear();
  zone.offsets.set(quarter, offset);
  return offset;
}

/**
 * `2026-01-31 10:05:00`, whole seconds, rounded down.
 *
 * @param timeZone - IANA name
 * @throws RangeError when the zone is unknown
 */
export function localDateTime(instant: Date, timeZone: string): string {
  const ms = instant.getTime();
  const local = new Date(ms + offsetAt(zoneOf(timeZone), ms));
  return local.toISOString().slice(0, 19).replace('T', ' ');
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
