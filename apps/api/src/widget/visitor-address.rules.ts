/** The network address by which limits count a visitor. */

const IPV6_GROUPS_OF_NETWORK = 4;

/**
 * An IPv4 address as it is; of an IPv6 address the network (/64), in which a visitor may use any address (RFC 4291,
 * section 2.5.4).
 *
 * @param address - as of a socket, also with a zone or an IPv4-mapped one
 */
export function visitorOf(address: string): string {
  const [plain = ''] = address.toLowerCase().split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  if (!plain.includes(':')) return plain;
  const [start = '', end] = plain.split('::');
  const first = start === '' ? [] : start.split(':');
  const last = end === undefined || end === '' ? [] : end.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  const groups = [...first, ...zeros, ...last].slice(0, IPV6_GROUPS_OF_NETWORK);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
