import { describe, expect, it } from 'vitest';
import { SourceRateLimit } from './source-rate-limit.ts';

const admitted = (limit: SourceRateLimit, address: string, nowMs: number, messages: number): number =>
  Array.from({ length: messages }, () => limit.admits(address, nowMs)).filter(Boolean).length;

describe('the rate limit of one source', () => {
  it('admits a burst, then as many messages as the rate allows', () => {
    const limit = new SourceRateLimit({ perSecond: 10, burst: 20 });
    expect(admitted(limit, 'a', 0, 50)).toBe(20);
    expect(admitted(limit, 'a', 500, 50)).toBe(5);
    expect(admitted(limit, 'a', 100_000, 50)).toBe(20);
    expect(limit.dropped).toBe(105);
  });

  it('counts each source separately', () => {
    const limit = new SourceRateLimit({ perSecond: 1, burst: 1 });
    expect(admitted(limit, 'a', 0, 5)).toBe(1);
    expect(admitted(limit, 'b', 0, 5)).toBe(1);
  });

  it('counts the addresses of an IPv6 network together', () => {
    const limit = new SourceRateLimit({ perSecond: 1, burst: 1 });
    const addresses = Array.from({ length: 50 }, (_, index) => `2001:db8:0:1::${(index + 1).toString(16)}`);
    expect(addresses.filter((address) => limit.admits(address, 0))).toEqual(['2001:db8:0:1::1']);
    expect(admitted(limit, '2001:db8:0:2::1', 0, 5)).toBe(1);
  });

  it('still limits when there are more sources than it keeps', () => {
    const limit = new SourceRateLimit({ perSecond: 1, burst: 1 });
    for (let index = 0; index < 20_000; index += 1) limit.admits(`forged-${index}`, 0);
    expect(admitted(limit, 'a', 0, 3)).toBe(1);
  });
});
