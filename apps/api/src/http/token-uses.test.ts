import { expect, it } from 'vitest';
import { TokenUses } from './token-uses.ts';

const HOUR_MS = 3_600_000;

it('the first use of a token and an address in an hour counts', () => {
  const uses = new TokenUses();
  expect([
    uses.isFirst(1, '192.0.2.1', 0),
    uses.isFirst(1, '192.0.2.1', HOUR_MS - 1),
    uses.isFirst(1, '192.0.2.2', HOUR_MS - 1),
    uses.isFirst(2, '192.0.2.1', HOUR_MS - 1),
    uses.isFirst(1, '192.0.2.1', HOUR_MS),
  ]).toEqual([true, false, true, true, true]);
});

it('a host cannot fill the audit log with the addresses of its IPv6 network', () => {
  const uses = new TokenUses();
  expect([
    uses.isFirst(1, '2001:db8::1', 0),
    uses.isFirst(1, '2001:db8::2', 0),
    uses.isFirst(1, '2001:db8:0:1::1', 0),
  ]).toEqual([true, false, true]);
});
