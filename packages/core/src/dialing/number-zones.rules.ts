/**
 * The time zones that a phone number may be in: all zones that ICU lists for its country, which libphonenumber
 * determines. Numbers are portable, so the area code does not narrow this down.
 */
import { Temporal } from 'temporal-polyfill';
import { countriesOfNumber } from '../shared/phone-number.ts';

/** ECMA-402 "Intl Locale Info"; not in the compiler's library yet. */
interface ZonedLocale extends Intl.Locale {
  getTimeZones(): string[] | undefined;
}

const byCountry = new Map<string, readonly string[]>();

/**
 * @param e164 - the number to be called
 * @returns IANA names, in order; empty for numbers of no country, such as +800
 */
export function zonesOfNumber(e164: string): readonly string[] {
  const zones = countriesOfNumber(e164).flatMap((country) => zonesOfCountry(country));
  return [...new Set(zones)].toSorted();
}

function zonesOfCountry(country: string): readonly string[] {
  const found = byCountry.get(country);
  if (found) return found;
  const zones = (new Intl.Locale(`und-${country}`) as ZonedLocale).getTimeZones() ?? [];
  const differing = withoutTwins(zones);
  byCountry.set(country, differing);
  return differing;
}

/** Long enough to include every change of clocks. */
const SAMPLES_FROM = Date.UTC(2025, 0, 1);
const SAMPLES_UNTIL = Date.UTC(2030, 0, 1);
const SAMPLE_STEP_MS = 14 * 86_400_000;

/** Keeps one of the zones whose clocks always agree: 8 of the 29 zones of the United States remain. */
function withoutTwins(zones: readonly string[]): string[] {
  const byClock = new Map<string, string>();
  for (const zone of zones) {
    const clock = clockOf(zone);
    if (!byClock.has(clock)) byClock.set(clock, zone);
  }
  return [...byClock.values()];
}

function clockOf(zone: string): string {
  const offsets: number[] = [];
  for (let ms = SAMPLES_FROM; ms < SAMPLES_UNTIL; ms += SAMPLE_STEP_MS) {
    offsets.push(Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).offsetNanoseconds);
  }
  return offsets.join();
}
