import { expect, it } from 'vitest';
import { isExtension } from './referral-party.rules.ts';

it.each(['200', '899', '1001', '2001', '12345', '80000'])('%s is an extension', (user) => {
  expect(isExtension(user)).toBe(true);
});

it.each([
  '',
  '20',
  '112',
  '118',
  '144',
  '911',
  '999',
  '000',
  '0123',
  '9011',
  '11833',
  '123456',
  '+2001',
  '2a01',
  ' 200',
])('"%s" is none', (user) => {
  expect(isExtension(user)).toBe(false);
});
