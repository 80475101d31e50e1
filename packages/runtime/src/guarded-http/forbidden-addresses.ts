/**
 * Which addresses a user may not make this server talk to: everything that is not a public unicast address, so that
 * nobody reaches its own network through a webhook or a tool. The list is handed to the socket and asked at connect time, for the very
 * address that is connected to: a check of the name beforehand would be undone by a DNS answer that changes.
 *
 * @see IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890)
 */
import { BlockList } from 'node:net';

/** Which addresses that are not public are allowed nevertheless. */
export type PrivateAddresses = 'none' | 'loopback' | 'all';

/** `[network, prefix]`. BlockList asks these for IPv4-mapped IPv6 addresses too. */
const IPV4_LOOPBACK = ['127.0.0.0', 8] as const;
const IPV4_NOT_PUBLIC: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT
  ['169.254.0.0', 16], // link-local, and the metadata services of clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // IETF protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays, withdrawn
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
];
const IPV6_NOT_PUBLIC: readonly (readonly [string, number])[] = [
  ['64:ff9b::', 96], // NAT64: may lead to any IPv4 address
  ['64:ff9b:1::', 48], // NAT64, local
  ['100::', 63], // discard, dummy
  ['2001::', 23], // IETF protocol assignments, Teredo among them
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: may lead to any IPv4 address
  ['3fff::', 20], // documentation
  ['5f00::', 16], // segment routing
  ['fc00::', 7], // unique local
  ['fe80::', 10], // link-local
  ['fec0::', 10], // site-local, withdrawn
  ['ff00::', 8], // multicast
];

/** @param allowed - the setting WEBHOOK_ALLOW_PRIVATE */
export function forbiddenAddresses(allowed: PrivateAddresses): BlockList {
  const list = new BlockList();
  if (allowed === 'all') return list;
  for (const [network, prefix] of IPV4_NOT_PUBLIC) list.addSubnet(network, prefix, 'ipv4');
  for (const [network, prefix] of IPV6_NOT_PUBLIC) list.addSubnet(network, prefix, 'ipv6');
  // Unspecified, and the withdrawn IPv4-compatible addresses around the loopback address.
  list.addAddress('::', 'ipv6');
  list.addRange('::2', '::ffff:ffff', 'ipv6');
  if (allowed === 'loopback') return list;
  list.addSubnet(...IPV4_LOOPBACK, 'ipv4');
  list.addAddress('::1', 'ipv6');
  return list;
}
