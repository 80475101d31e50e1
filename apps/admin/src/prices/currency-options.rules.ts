/** The choices of the currency. */
import { texts } from './texts.ts';

/** @param code - ISO 4217; empty: none */
export function currencyName(code: string): string {
  if (code === '') return texts.currency.none;
  const name = new Intl.DisplayNames('en', { type: 'currency' }).of(code);
  return name === undefined || name === code ? code : `${name} (${code})`;
}

/** None, and then every currency that the browser knows, by name. */
export function currencyOptions(): { value: string; label: string }[] {
  const known = Intl.supportedValuesOf('currency').map((value) => ({ value, label: currencyName(value) }));
  return [
    { value: '', label: texts.currency.none },
    ...known.toSorted((one, other) => one.label.localeCompare(other.label, 'en')),
  ];
}
