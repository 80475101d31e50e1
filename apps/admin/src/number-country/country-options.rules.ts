/** The countries that can be selected, by name. */
import { texts } from './texts.ts';

/** The language of the names. */
const LANGUAGE = 'en';

interface CountryOption {
  /** Two upper-case letters; empty for none. */
  value: string;
  label: string;
}

/** In the order of their names, after the option for none. */
export function countryOptions(countries: readonly string[]): CountryOption[] {
  const names = new Intl.DisplayNames(LANGUAGE, { type: 'region' });
  const options = countries.map((value) => ({ value, label: names.of(value) ?? value }));
  options.sort((one, other) => one.label.localeCompare(other.label, LANGUAGE));
  return [{ value: '', label: texts.none }, ...options];
}
