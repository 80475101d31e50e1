import { expect, test } from 'vitest';
import { countryOptions } from './country-options.rules.ts';

test('countries are in the order of their names, after the option for none', () => {
  expect(countryOptions(['US', 'AT', 'DE', 'AX'])).toEqual([
    { value: '', label: expect.any(String) },
    { value: 'AX', label: 'Åland Islands' },
    { value: 'AT', label: 'Austria' },
    { value: 'DE', label: 'Germany' },
    { value: 'US', label: 'United States' },
  ]);
});
