/**
 * Header field names: compact forms (RFC 3261 section 7.3.3), canonical spelling, and the fields that may occur only once.
 */

const COMPACT: Readonly<Record<string, string>> = {
  a: 'Accept-Contact',
  b: 'Referred-By',
  c: 'Content-Type',
  d: 'Request-Disposition',
  e: 'Content-Encoding',
  f: 'From',
  i: 'Call-ID',
  j: 'Reject-Contact',
  k: 'Supported',
  l: 'Content-Length',
  m: 'Contact',
  n: 'Identity-Info',
  o: 'Event',
  r: 'Refer-To',
  s: 'Subject',
  t: 'To',
  u: 'Allow-Events',
  v: 'Via',
  x: 'Session-Expires',
  y: 'Identity',
};

const KNOWN = [
  'Accept',
  'Allow',
  'Authorization',
  'Call-ID',
  'Contact',
  'Content-Encoding',
  'Content-Length',
  'Content-Type',
  'CSeq',
  'Expires',
  'From',
  'Max-Forwards',
  'Min-SE',
  'Proxy-Authenticate',
  'Proxy-Authorization',
  'RAck',
  'Reason',
  'Record-Route',
  'Require',
  'Retry-After',
  'Route',
  'RSeq',
  'Server',
  'Session-Expires',
  'Supported',
  'To',
  'Unsupported',
  'User-Agent',
  'Via',
  'WWW-Authenticate',
];

const CANONICAL: ReadonlyMap<string, string> = new Map([
  ...KNOWN.map((name) => [name.toLowerCase(), name] as const),
  ...Object.entries(COMPACT),
]);

/** Fields that may occur at most once in a message; a repetition is ambiguous and refused. */
export const SINGLE_FIELDS: ReadonlySet<string> = new Set([
  'Call-ID',
  'Content-Length',
  'Content-Type',
  'CSeq',
  'From',
  'Max-Forwards',
  'To',
]);

/** The canonical spelling of a known or compact name; any other name is returned unchanged. */
export function canonicalName(name: string): string {
  return CANONICAL.get(name.toLowerCase()) ?? name;
}
