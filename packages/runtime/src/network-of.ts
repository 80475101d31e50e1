/** The network by which limits count a stranger. */

const IPV6_GROUPS_OF_NETWORK = 4;

/**
 * An IPv4 address as it is; of an IPv6 address the network (/64), in which a host may use any address (RFC 4291,
 * section 2.5.4).
 *
 * @param address - as of a socket, also with a zone or an IPv4-mapped one
 */
export function networkOf(address: string): string {
  // SIP asks for every packet.
  if (!address.includes(':')) return address;
  const [plain = ''] = address.toLowerCase().split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  const [start = '', end] = plain.split('::');
  const first = start === '' ? [] : start.split(':');
  const last = end === undefined || end === '' ? [] : end.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  const groups = [...first, ...zeros, ...last].slice(0, IPV6_GROUPS_OF_NETWORK);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
