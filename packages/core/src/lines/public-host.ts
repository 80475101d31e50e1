/**
 * Where a member's own trunk may lead: not into this installation's own network. Only written addresses are judged; a
 * name that resolves to a private address is not found out here.
 */
import { BlockList, isIP } from 'node:net';

const PRIVATE_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['224.0.0.0', 3],
];
const PRIVATE_IPV6: readonly (readonly [string, number])[] = [
  ['::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
];

function privateAddresses(): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of PRIVATE_IPV4) list.addSubnet(network, prefix, 'ipv4');
  for (const [network, prefix] of PRIVATE_IPV6) list.addSubnet(network, prefix, 'ipv6');
  return list;
}

/** True for names with a dot and for addresses outside private networks. */
export function isPublicHost(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host.includes('.') && !/\.(localhost|local|internal)$/i.test(host);
  return !privateAddresses().check(host, family === 4 ? 'ipv4' : 'ipv6');
}
