import { describe, expect, it } from 'vitest';
import {
  isServiceDenied,
  orderSrvRecords,
  srvNameFrom,
  srvNameOf,
  type NaptrRecord,
} from './sip-servers.rules.ts';

const srv = (name: string, priority: number, weight = 0) => ({ name, priority, weight, port: 5060 });
const naptr = (order: number, preference: number, service: string, replacement: string): NaptrRecord => ({
  order,
  preference,
  flags: 'S',
  service,
  replacement,
});

describe('the SRV name of a NAPTR record', () => {
  const records = [
    naptr(20, 1, 'SIP+D2U', 'late.udp'),
    naptr(10, 9, 'sip+d2u', 'second.udp'),
    naptr(10, 5, 'SIP+D2U', 'first.udp'),
    naptr(1, 1, 'SIPS+D2T', 'first.tls'),
    { ...naptr(0, 0, 'SIP+D2U', 'address.udp'), flags: 'a' },
  ];

  it('is that of the lowest order and preference for the transport of the trunk', () => {
    expect(srvNameFrom(records, 'udp')).toBe('first.udp');
    expect(srvNameFrom(records, 'tls')).toBe('first.tls');
  });

  it('is none where no record offers the transport, so that the usual name is asked for', () => {
    expect(srvNameFrom(records, 'tcp')).toBeNull();
    expect(srvNameOf('carrier.example', 'tcp')).toBe('_sip._tcp.carrier.example');
    expect(srvNameOf('carrier.example', 'tls')).toBe('_sips._tcp.carrier.example');
  });
});

describe('the order of SRV records', () => {
  const names = (records: ReturnType<typeof srv>[], ...random: number[]) =>
    orderSrvRecords(records, () => random.shift() ?? 0).map(({ name }) => name);

  it('follows the priority', () => {
    expect(names([srv('c', 30, 9), srv('a', 10), srv('b', 20, 99)])).toEqual(['a', 'b', 'c']);
  });

  it('is drawn by weight within a priority, without repetition', () => {
    const records = [srv('heavy', 1, 80), srv('light', 1, 20)];
    expect(names(records, 0.1)).toEqual(['light', 'heavy']);
    expect(names(records, 0.25)).toEqual(['heavy', 'light']);
  });

  it('gives a server of weight 0 a small chance only', () => {
    const records = [srv('heavy', 1, 99), srv('never', 1, 0)];
    expect(names(records, 0.009)).toEqual(['never', 'heavy']);
    expect(names(records, 0.02)).toEqual(['heavy', 'never']);
  });

  it('draws in proportion to the weights', () => {
    let seed = 1;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    const drawn = Array.from(
      { length: 4000 },
      () => orderSrvRecords([srv('a', 1, 75), srv('b', 1, 25)], random)[0]?.name,
    );
    const share = drawn.filter((name) => name === 'a').length / drawn.length;
    expect(share).toBeGreaterThan(0.7);
    expect(share).toBeLessThan(0.8);
  });

  it('has no server where the domain says that it does not offer the service', () => {
    expect(isServiceDenied([srv('.', 0)])).toBe(true);
    expect(isServiceDenied([srv('', 0)])).toBe(true);
    expect(isServiceDenied([])).toBe(false);
    expect(names([srv('', 0), srv('a', 1)])).toEqual(['a']);
  });
});
