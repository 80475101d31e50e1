import { expect, it } from 'vitest';
import { customerLabel } from './customer-label.rules.ts';

it.each([
  ['inbound', '+12025550101', '+12025550101'],
  ['inbound', '', 'Unknown number'],
  ['outbound', '', 'Unknown number'],
  ['web', '', 'Browser'],
] as const)('the customer of an %s call with the number "%s" is "%s"', (type, number, label) => {
  expect(customerLabel({ type, client_phone_number: number })).toBe(label);
});
