/**
 * A SIP message as text that may be stored: without digest answers, keys of SRTP (RFC 4568, RFC 3830), and bodies other than
 * session descriptions, for example DTMF keys in INFO, with which people enter secrets.
 */

const SECRET_HEADERS = /^((?:proxy-)?authorization[ \t]*:)[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*/gim;
const SDP_KEYS = /^(a=crypto:|a=key-mgmt:|k=)[^\r\n]*/gim;
const CONTENT_TYPE = /^(?:content-type|c)[ \t]*:[ \t]*([^\s;]+)/im;
const CONTENT_LENGTH = /^((?:content-length|l)[ \t]*:[ \t]*)\d+/im;
const REMOVED = '[removed]';
/** PostgreSQL stores no NUL character. */
const NUL = /\0/g;

/** @param bytes - a message, or the beginning of one */
export function readableMessage(bytes: Uint8Array): string {
  const whole = new TextDecoder().decode(bytes).replace(NUL, '');
  const end = /\r?\n\r?\n/.exec(whole);
  const head = (end ? whole.slice(0, end.index) : whole).replace(SECRET_HEADERS, `$1 ${REMOVED}`);
  if (!end) return head;
  const body = whole.slice(end.index + end[0].length);
  const kept = readableBody(head, body);
  const blank = end[0];
  if (kept === body) return head + blank + body;
  return head.replace(CONTENT_LENGTH, `$1${Buffer.byteLength(kept)}`) + blank + kept;
}

function readableBody(head: string, body: string): string {
  if (body === '') return body;
  const type = CONTENT_TYPE.exec(head)?.[1]?.toLowerCase() ?? 'unknown';
  if (type !== 'application/sdp') return `[a body of the type ${type} was removed]`;
  return body.replace(SDP_KEYS, `$1${REMOVED}`);
}
