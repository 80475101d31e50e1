/** Hosts of SIP trunks and registrars, as people enter them. */

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i;
/** IPv6 in brackets, or a host without a colon; then possibly a port. */
const WITH_PORT = /^(?:\[([^[\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/;
const MAX_PORT = 65_535;

/** A host, and the port if one was given. */
export interface HostPort {
  /** Name or address; IPv6 without brackets. */
  host: string;
  port: number | null;
}

/** A name, or an address of either family; IPv6 without brackets. */
export function isHost(value: string): boolean {
  if (value.includes(':')) return /^[\da-f:.]+$/i.test(value) && URL.canParse(`http://[${value}]/`);
  const isDotted = /^[\d.]+$/.test(value);
  return isDotted ? URL.parse(`http://${value}/`)?.hostname === value : HOST_NAME.test(value);
}

/** Reads `host`, `host:port`, an IPv6 address, or `[IPv6 address]:port`; null for anything else. */
export function readHostPort(value: string): HostPort | null {
  if (isHost(value)) return { host: value, port: null };
  const [, bracketed, plain = '', digits] = WITH_PORT.exec(value) ?? [];
  const host = bracketed ?? plain;
  if (!isHost(host) || (bracketed !== undefined && !host.includes(':'))) return null;
  const port = digits === undefined ? null : Number(digits);
  const isPort = port === null || (port >= 1 && port <= MAX_PORT);
  return isPort ? { host, port } : null;
}
