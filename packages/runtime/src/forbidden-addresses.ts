/**
 * The one list of addresses that are not public unicast addresses. Users name addresses for webhooks, tools, model
 * providers and SIP trunks; none of them may lead into this server's own network. Ask at the point of use, for the very
 * address that is connected to: a check of the name beforehand would be undone by a DNS answer that changes.
 *
 * @see IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890)
 */
import { BlockList, isIP } from 'node:net';

/** Which addresses that are not public are allowed nevertheless. */
export type PrivateAddresses = 'none' | 'loopback' | 'all';

type Network = readonly [address: string, prefix: number];

/** A BlockList also applies these to IPv4-mapped IPv6 addresses, `::ffff:0:0/96` (RFC 4291 section 2.5.5.2). */
const IPV4_LOOPBACK: Network = ['127.0.0.0', 8];
const IPV4_NOT_PUBLIC: readonly Network[] = [
  ['0.0.0.0', 8], // "this network"
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT
  ['169.254.0.0', 16], // link-local, including the metadata services of clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // IETF protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays, deprecated
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, including broadcast
];
const IPV6_NOT_PUBLIC: readonly Network[] = [
  ['::ffff:0:0:0', 96], // IPv4-translated (SIIT, RFC 7915): reaches any IPv4 address
  ['64:ff9b::', 96], // NAT64 (RFC 6052): reaches any IPv4 address
  ['64:ff9b:1::', 48], // NAT64 for local use (RFC 8215)
  ['100::', 63], // discard-only, dummy
  ['2001::', 23], // IETF protocol assignments, including Teredo 2001::/32
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4 (RFC 3056): reaches any IPv4 address
  ['3fff::', 20], // documentation
  ['5f00::', 16], // segment routing
  ['fc00::', 7], // unique local
  ['fe80::', 10], // link-local
  ['fec0::', 10], // site-local, deprecated
  ['ff00::', 8], // multicast
];

const LISTS: Readonly<Record<PrivateAddresses, BlockList>> = {
  none: createList('none'),
  loopback: createList('loopback'),
  all: createList('all'),
};

/** The list for `net.connect`, which asks it at connect time. @param allowed - exceptions that the operator has made */
export function forbiddenAddresses(allowed: PrivateAddresses): BlockList {
  return LISTS[allowed];
}

/** True for an address on the list, and for anything that is not an IP address, such as a name. */
export function isForbiddenAddress(address: string, allowed: PrivateAddresses): boolean {
  const [plain = ''] = address.split('%', 1); // the zone of a link-local address, `fe80::1%eth0`
  const family = isIP(plain);
  if (family === 0) return true;
  return forbiddenAddresses(allowed).check(plain, family === 6 ? 'ipv6' : 'ipv4');
}

function createList(allowed: PrivateAddresses): BlockList {
  const list = new BlockList();
  if (allowed === 'all') return list;
  for (const [network, prefix] of IPV4_NOT_PUBLIC) list.addSubnet(network, prefix, 'ipv4');
  for (const [network, prefix] of IPV6_NOT_PUBLIC) list.addSubnet(network, prefix, 'ipv6');
  // The unspecified address, and the deprecated IPv4-compatible addresses around the loopback address.
  list.addAddress('::', 'ipv6');
  list.addRange('::2', '::ffff:ffff', 'ipv6');
  if (allowed === 'loopback') return list;
  list.addSubnet(...IPV4_LOOPBACK, 'ipv4');
  list.addAddress('::1', 'ipv6');
  return list;
}
