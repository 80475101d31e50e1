import { expect, it } from 'vitest';
import { currencyName, currencyOptions } from './currency-options.rules.ts';

it('offers every currency by its name, after none', () => {
  const options = currencyOptions();
  expect(options[0]).toEqual({ value: '', label: 'No currency' });
  expect(options).toContainEqual({ value: 'EUR', label: 'Euro (EUR)' });
  const labels = options.slice(1).map(({ label }) => label);
  expect(labels).toEqual(labels.toSorted((one, other) => one.localeCompare(other, 'en')));
  expect(currencyName('QQQ')).toBe('QQQ');
});
