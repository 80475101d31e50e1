import { DnsServer, type DnsRecord } from '@parley/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from './clock.ts';
import { addressFinder, HostResolver } from './host-resolver.ts';
import { recordFinder, SipServerResolver } from './sip-server-resolver.ts';

async function setup(records: Record<string, DnsRecord[]>) {
  const dns = await DnsServer.open();
  onTestFinished(() => dns.close());
  for (const [name, ofName] of Object.entries(records)) dns.records.set(name, ofName);
  const hosts = new HostResolver(systemClock, 4, addressFinder([dns.address]));
  const servers = new SipServerResolver(systemClock, hosts, {
    records: recordFinder([dns.address]),
    random: () => 0,
  });
  const locate = (host: string, port: number | null = null, transport: 'udp' | 'tcp' | 'tls' = 'udp') =>
    servers.locate({ host, port, transport });
  return { dns, servers, locate };
}

const a = (address: string): DnsRecord => ({ type: 'A', address });
const srv = (target: string, priority: number, port: number): DnsRecord => ({
  type: 'SRV',
  priority,
  weight: 0,
  port,
  target,
});
const naptr = (service: string, replacement: string): DnsRecord => ({
  type: 'NAPTR',
  order: 1,
  preference: 1,
  flags: 's',
  service,
  replacement,
});

it('follows NAPTR, then SRV by priority, then the addresses of each server', async () => {
  const { locate } = await setup({
    'carrier.test': [naptr('SIP+D2U', '_sip._udp.hosting.test'), naptr('SIPS+D2T', '_sips._tcp.other.test')],
    '_sip._udp.hosting.test': [srv('b.hosting.test', 2, 5080), srv('a.hosting.test', 1, 5070)],
    'a.hosting.test': [a('127.0.0.2'), a('127.0.0.3')],
    'b.hosting.test': [a('127.0.0.4')],
  });
  const { source, servers } = await locate('carrier.test');
  expect(source).toBe('naptr');
  expect(
    servers
      .slice(0, 2)
      .map(({ address }) => address)
      .toSorted(),
  ).toEqual(['127.0.0.2', '127.0.0.3']);
  expect(servers.map(({ port }) => port)).toEqual([5070, 5070, 5080]);
});

it('asks for SRV records of the transport where there is no NAPTR record', async () => {
  const { locate } = await setup({
    'carrier.test': [a('127.0.0.9')],
    '_sips._tcp.carrier.test': [srv('a.carrier.test', 1, 5443)],
    'a.carrier.test': [a('127.0.0.2')],
  });
  expect(await locate('carrier.test', null, 'tls')).toEqual({
    source: 'srv',
    servers: [{ address: '127.0.0.2', port: 5443, priority: 1 }],
  });
  expect(await locate('carrier.test')).toEqual({
    source: 'host',
    servers: [{ address: '127.0.0.9', port: 5060 }],
  });
});

it('asks for no record of an address, of a host with a port, and of this machine', async () => {
  const { locate, dns } = await setup({ 'carrier.test': [a('127.0.0.2')] });
  expect((await locate('192.0.2.1')).servers).toEqual([{ address: '192.0.2.1', port: 5060 }]);
  expect((await locate('carrier.test', 5070)).servers).toEqual([{ address: '127.0.0.2', port: 5070 }]);
  expect((await locate('localhost', null, 'tls')).servers).toEqual([{ address: '127.0.0.1', port: 5061 }]);
  expect(dns.asked).toEqual(['A carrier.test']);
});

it('uses the addresses of the host when no name server answers about its records', async () => {
  const { locate, dns } = await setup({ 'carrier.test': [a('127.0.0.2')] });
  dns.silent.add('_sip._udp.carrier.test');
  expect((await locate('carrier.test')).servers).toEqual([{ address: '127.0.0.2', port: 5060 }]);
});

it('finds nothing where the domain says that it does not offer SIP over the transport', async () => {
  const { locate } = await setup({
    'carrier.test': [a('127.0.0.2')],
    '_sip._udp.carrier.test': [srv('', 0, 0)],
  });
  await expect(locate('carrier.test')).rejects.toThrow('does not offer SIP over udp');
});

it('leaves out a server without an address', async () => {
  const { locate } = await setup({
    '_sip._udp.carrier.test': [srv('gone.carrier.test', 1, 5060), srv('a.carrier.test', 2, 5070)],
    'a.carrier.test': [a('127.0.0.2')],
  });
  expect((await locate('carrier.test')).servers).toEqual([{ address: '127.0.0.2', port: 5070, priority: 2 }]);
});

it('tries at most eight servers, however many a domain names', async () => {
  const names = Array.from({ length: 40 }, (_, n) => `s${n}.test`);
  const { locate } = await setup({
    '_sip._udp.carrier.test': names.slice(0, 12).map((name, n) => srv(name, n, 5060)),
    ...Object.fromEntries(names.map((name, n) => [name, [a(`127.0.1.${n}`)]])),
  });
  expect((await locate('carrier.test')).servers).toHaveLength(8);
});

it('knows the addresses from which calls of a domain come, over every transport', async () => {
  const { servers } = await setup({
    'carrier.test': [a('127.0.0.2')],
    '_sip._tcp.carrier.test': [srv('a.carrier.test', 1, 5070)],
    'a.carrier.test': [a('127.0.0.3')],
  });
  const found = await servers.allAddresses({ host: 'carrier.test', port: null });
  expect(found.toSorted()).toEqual(['127.0.0.2', '127.0.0.3']);
});
