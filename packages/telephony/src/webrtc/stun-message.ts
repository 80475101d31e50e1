/**
 * The two STUN messages of an ICE agent that only answers (RFC 8489): Binding requests that it receives, and its success
 * responses. All fields are in network byte order.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +---+---------------------------+-------------------------------+
 *   |0 0|  type: 0x001 or 0x101     |  length without these 20 bytes|
 *   +---+---------------------------+-------------------------------+
 *   |  magic cookie 0x2112A442                                      |
 *   |  transaction id (96)                                          |
 *   +===============================================================+
 *   |  attributes: type (16), length (16), value, padding to 4 bytes|
 *   +---------------------------------------------------------------+
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { crc32 } from 'node:zlib';
import type { Address } from '../rtp/source-latch.ts';

const HEADER_BYTES = 20;
const ATTRIBUTE_HEADER_BYTES = 4;
const MAGIC_COOKIE = 0x21_12_a4_42;
const BINDING_REQUEST = 0x00_01;
const BINDING_SUCCESS = 0x01_01;

const USERNAME = 0x00_06;
const MESSAGE_INTEGRITY = 0x00_08;
const XOR_MAPPED_ADDRESS = 0x00_20;
const PRIORITY = 0x00_24;
const USE_CANDIDATE = 0x00_25;
const FINGERPRINT = 0x80_28;
const ICE_CONTROLLING = 0x80_2a;
/** Attributes below this number have to be understood (RFC 8489 section 14). */
const OPTIONAL_FROM = 0x80_00;

const INTEGRITY_BYTES = 20;
/** RFC 8489 section 14.7. */
const FINGERPRINT_MASK = 0x53_54_55_4e;
/** Those of ICE agents have about ten attributes and 120 bytes; larger ones are dropped. */
const LONGEST_BYTES = 548;
const MOST_ATTRIBUTES = 24;

/** A connectivity check that is authentic. */
export interface ConnectivityCheck {
  /** 12 bytes. */
  transactionId: Uint8Array;
  /** The attribute USE-CANDIDATE: the controlling agent selects this pair of addresses (RFC 8445 section 8.1.1). */
  isNominating: boolean;
}

/** RFC 7983 section 7: the first byte of STUN is 0 to 3. */
export function isStun([first = 255]: Uint8Array): boolean {
  return first < 4;
}

/**
 * Reads a Binding request of the controlling agent.
 *
 * @returns null for everything else, and where user name, integrity or fingerprint are not as RFC 8445 section 7.3 demands.
 *   RFC 8489 section 6.3.1 answers unknown mandatory attributes with 420; we drop the request, because no ICE agent sends
 *   them and strangers get no answer
 */
export function readConnectivityCheck(
  datagram: Uint8Array,
  { username, password }: { username: string; password: string },
): ConnectivityCheck | null {
  const attributes = readAttributes(datagram);
  if (!attributes) return null;
  const integrityAt = attributes.get(MESSAGE_INTEGRITY);
  if (textOf(datagram, attributes.get(USERNAME)) !== username || !integrityAt) return null;
  if (!hasFingerprint(datagram, attributes.get(FINGERPRINT))) return null;
  if (!isAuthentic(datagram, integrityAt, password)) return null;
  // RFC 8445 section 6.1.1: the agent that faces a lite agent is the controlling one.
  if (!attributes.has(ICE_CONTROLLING) || !attributes.has(PRIORITY)) return null;
  return { transactionId: datagram.slice(8, HEADER_BYTES), isNominating: attributes.has(USE_CANDIDATE) };
}

/** The success response to a check that came from `from`. */
export function writeCheckResponse(transactionId: Uint8Array, from: Address, password: string): Uint8Array {
  const mapped = mappedAddress(from, transactionId);
  const integrityAt = HEADER_BYTES + ATTRIBUTE_HEADER_BYTES + mapped.length;
  const fingerprintAt = integrityAt + ATTRIBUTE_HEADER_BYTES + INTEGRITY_BYTES;
  const bytes = new Uint8Array(fingerprintAt + ATTRIBUTE_HEADER_BYTES + 4);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, BINDING_SUCCESS);
  view.setUint32(4, MAGIC_COOKIE);
  bytes.set(transactionId, 8);
  writeAttribute(bytes, HEADER_BYTES, XOR_MAPPED_ADDRESS, mapped);
  writeAttribute(bytes, integrityAt, MESSAGE_INTEGRITY, integrityOf(bytes, integrityAt, password));
  // Sections 14.5 and 14.7: either value covers a length that ends with its own attribute.
  view.setUint16(2, bytes.length - HEADER_BYTES);
  view.setUint16(fingerprintAt, FINGERPRINT);
  view.setUint16(fingerprintAt + 2, 4);
  view.setUint32(fingerprintAt + 4, fingerprintOf(bytes.subarray(0, fingerprintAt)));
  return bytes;
}

/** A value within a datagram. */
interface Attribute {
  /** The offset of the value in bytes. */
  start: number;
  length: number;
}

/** The first attribute of each type; null when the datagram is not a Binding request, or is malformed. */
function readAttributes(datagram: Uint8Array): Map<number, Attribute> | null {
  if (datagram.length < HEADER_BYTES || datagram.length > LONGEST_BYTES) return null;
  const view = new DataView(datagram.buffer, datagram.byteOffset, datagram.byteLength);
  if (view.getUint16(0) !== BINDING_REQUEST || view.getUint32(4) !== MAGIC_COOKIE) return null;
  if (view.getUint16(2) !== datagram.length - HEADER_BYTES || datagram.length % 4 !== 0) return null;
  const found = new Map<number, Attribute>();
  for (let at = HEADER_BYTES; at < datagram.length;) {
    const [type, length] = [view.getUint16(at), view.getUint16(at + 2)];
    const start = at + ATTRIBUTE_HEADER_BYTES;
    at = start + Math.ceil(length / 4) * 4;
    if (at > datagram.length || found.size === MOST_ATTRIBUTES) return null;
    // Section 14.5: what follows MESSAGE-INTEGRITY, except FINGERPRINT, is to be ignored.
    if (found.has(MESSAGE_INTEGRITY) && type !== FINGERPRINT) continue;
    if (type < OPTIONAL_FROM && !KNOWN.has(type)) return null;
    if (!found.has(type)) found.set(type, { start, length });
  }
  return found;
}

const KNOWN: ReadonlySet<number> = new Set([USERNAME, MESSAGE_INTEGRITY, PRIORITY, USE_CANDIDATE]);

function textOf(datagram: Uint8Array, attribute: Attribute | undefined): string | null {
  if (!attribute) return null;
  const { start, length } = attribute;
  return Buffer.from(datagram.buffer, datagram.byteOffset + start, length).toString('utf8');
}

function isAuthentic(datagram: Uint8Array, { start, length }: Attribute, password: string): boolean {
  if (length !== INTEGRITY_BYTES) return false;
  const expected = integrityOf(datagram, start - ATTRIBUTE_HEADER_BYTES, password);
  return timingSafeEqual(expected, datagram.subarray(start, start + length));
}

/** HMAC-SHA1 of what precedes the attribute at `end`, with the length that ends with that attribute (section 14.5). */
function integrityOf(message: Uint8Array, end: number, password: string): Buffer {
  const covered = message.slice(0, end);
  const length = end + ATTRIBUTE_HEADER_BYTES + INTEGRITY_BYTES - HEADER_BYTES;
  new DataView(covered.buffer).setUint16(2, length);
  return createHmac('sha1', password).update(covered).digest();
}

function hasFingerprint(datagram: Uint8Array, attribute: Attribute | undefined): boolean {
  // Section 14.7: it "MUST be the last attribute in the message".
  if (attribute?.length !== 4 || attribute.start + 4 !== datagram.length) return false;
  const view = new DataView(datagram.buffer, datagram.byteOffset, datagram.byteLength);
  const end = attribute.start - ATTRIBUTE_HEADER_BYTES;
  return view.getUint32(attribute.start) === fingerprintOf(datagram.subarray(0, end));
}

function fingerprintOf(covered: Uint8Array): number {
  return (crc32(covered) ^ FINGERPRINT_MASK) >>> 0;
}

function writeAttribute(bytes: Uint8Array, at: number, type: number, value: Uint8Array): void {
  const view = new DataView(bytes.buffer);
  view.setUint16(at, type);
  view.setUint16(at + 2, value.length);
  bytes.set(value, at + ATTRIBUTE_HEADER_BYTES);
}

/** The value of XOR-MAPPED-ADDRESS (section 14.2): family, port and address, XOR the magic cookie and transaction id. */
function mappedAddress({ host, port }: Address, transactionId: Uint8Array): Uint8Array {
  const address = addressBytes(host);
  const value = new Uint8Array(4 + address.length);
  const view = new DataView(value.buffer);
  view.setUint8(1, address.length === 4 ? 1 : 2);
  view.setUint16(2, port ^ (MAGIC_COOKIE >>> 16));
  const mask = new Uint8Array(16);
  new DataView(mask.buffer).setUint32(0, MAGIC_COOKIE);
  mask.set(transactionId, 4);
  for (const [at, byte] of address.entries()) value[4 + at] = byte ^ (mask[at] ?? 0);
  return value;
}

/** The 4 or 16 bytes of an address as a socket reports it. IPv4 on a socket of both families has the prefix `::ffff:`. */
function addressBytes(host: string): Uint8Array {
  const plain = host.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIPv4(plain)) return Uint8Array.from(plain.split('.'), Number);
  const [address = ''] = plain.split('%', 1);
  const [head = '', tail] = address.split('::');
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')];
  const groups = [...first, ...Array<number>(Math.max(0, 8 - first.length - last.length)).fill(0), ...last];
  return Uint8Array.from(groups.slice(0, 8).flatMap((group) => [group >> 8, group & 0xff]));
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}
