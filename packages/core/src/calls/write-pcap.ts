/**
 * Writes messages as a capture file (the classic libpcap format, version 2.4, link type Ethernet) that Wireshark and tcpdump
 * read. The Ethernet, IP and UDP headers are built around the messages, also around those that were sent over TCP.
 *
 *   file   magic a1b2c3d4 (32), version 2.4 (16, 16), zone (32), accuracy (32), largest packet (32), link type (32)
 *   packet seconds (32), microseconds (32), bytes kept (32), bytes sent (32), then the frame
 *   frame  Ethernet (14): destination (48), source (48), type (16); IPv4 (20) or IPv6 (40); UDP (8); message
 */
import { isIPv6, isIPv4 } from 'node:net';

/** One UDP datagram. */
export interface CapturedDatagram {
  /** Wall time, milliseconds since 1970. */
  atMs: number;
  source: CapturedAddress;
  destination: CapturedAddress;
  payload: Uint8Array;
}

/** An address with its port. A host that is no address becomes 0.0.0.0 or ::. */
interface CapturedAddress {
  host: string;
  port: number;
}

const FILE_BYTES = 24;
const PACKET_BYTES = 16;
const ETHERNET_BYTES = 14;
const UDP_BYTES = 8;
const ETHERNET = 1;
const LARGEST_PACKET = 65_535;
const UDP = 17;
const HOP_LIMIT = 64;
/** Locally administered addresses; they tell nothing. */
const SOURCE_MAC = [2, 0, 0, 0, 0, 1];
const DESTINATION_MAC = [2, 0, 0, 0, 0, 2];

/** @returns the file */
export function writePcap(datagrams: readonly CapturedDatagram[]): Uint8Array {
  const head = new Uint8Array(FILE_BYTES);
  const view = new DataView(head.buffer);
  view.setUint32(0, 0xa1_b2_c3_d4);
  view.setUint16(4, 2);
  view.setUint16(6, 4);
  view.setUint32(16, LARGEST_PACKET);
  view.setUint32(20, ETHERNET);
  return Buffer.concat([head, ...datagrams.map(writePacket)]);
}

function writePacket(datagram: CapturedDatagram): Uint8Array {
  const frame = writeFrame(datagram);
  const head = new Uint8Array(PACKET_BYTES);
  const view = new DataView(head.buffer);
  view.setUint32(0, Math.floor(datagram.atMs / 1000));
  view.setUint32(4, Math.round((datagram.atMs % 1000) * 1000));
  view.setUint32(8, frame.length);
  view.setUint32(12, frame.length);
  return Buffer.concat([head, frame]);
}

function writeFrame({ source, destination, payload }: CapturedDatagram): Uint8Array {
  const isSix = isIPv6(source.host) || isIPv6(destination.host);
  const [from, to] = [source, destination].map(({ host }) => (isSix ? bytesOfSix(host) : bytesOfFour(host)));
  if (!from || !to) throw new TypeError('A datagram has two addresses');
  const udp = writeUdp({ from, to, ports: [source.port, destination.port], payload });
  const ip = isSix ? writeSix(from, to, udp.length) : writeFour(from, to, udp.length);
  const ethernet = new Uint8Array(ETHERNET_BYTES);
  ethernet.set([...DESTINATION_MAC, ...SOURCE_MAC, ...(isSix ? [0x86, 0xdd] : [0x08, 0x00])]);
  return Buffer.concat([ethernet, ip, udp]);
}

/** RFC 768; the sum covers the addresses too, and 0 is written as all ones. */
function writeUdp(about: {
  from: Uint8Array;
  to: Uint8Array;
  ports: readonly [number, number];
  payload: Uint8Array;
}): Uint8Array {
  const udp = new Uint8Array(UDP_BYTES + about.payload.length);
  const view = new DataView(udp.buffer);
  view.setUint16(0, about.ports[0]);
  view.setUint16(2, about.ports[1]);
  view.setUint16(4, udp.length);
  udp.set(about.payload, UDP_BYTES);
  const pseudo = Buffer.concat([
    about.from,
    about.to,
    Uint8Array.of(0, UDP, udp.length >> 8, udp.length & 0xff),
  ]);
  view.setUint16(6, checksum(Buffer.concat([pseudo, udp])) || 0xff_ff);
  return udp;
}

/** RFC 791 section 3.1. */
function writeFour(from: Uint8Array, to: Uint8Array, length: number): Uint8Array {
  const ip = new Uint8Array(20);
  const view = new DataView(ip.buffer);
  view.setUint8(0, 0x45);
  view.setUint16(2, ip.length + length);
  view.setUint8(8, HOP_LIMIT);
  view.setUint8(9, UDP);
  ip.set(from, 12);
  ip.set(to, 16);
  view.setUint16(10, checksum(ip));
  return ip;
}

/** RFC 8200 section 3. */
function writeSix(from: Uint8Array, to: Uint8Array, length: number): Uint8Array {
  const ip = new Uint8Array(40);
  const view = new DataView(ip.buffer);
  view.setUint8(0, 0x60);
  view.setUint16(4, length);
  view.setUint8(6, UDP);
  view.setUint8(7, HOP_LIMIT);
  ip.set(from, 8);
  ip.set(to, 24);
  return ip;
}

/** RFC 1071. */
function checksum(bytes: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < bytes.length; i += 2) sum += ((bytes[i] ?? 0) << 8) | (bytes[i + 1] ?? 0);
  while (sum > 0xff_ff) sum = (sum & 0xff_ff) + Math.floor(sum / 0x1_00_00);
  return ~sum & 0xff_ff;
}

function bytesOfFour(host: string): Uint8Array {
  return Uint8Array.from(isIPv4(host) ? host.split('.').map(Number) : [0, 0, 0, 0]);
}

function bytesOfSix(host: string): Uint8Array {
  if (isIPv4(host))
    return Uint8Array.from([...Array(10).fill(0), 0xff, 0xff, ...host.split('.').map(Number)]);
  const bytes = new Uint8Array(16);
  if (!isIPv6(host)) return bytes;
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(host.split('%')[0] ?? '');
  const text = dotted ? `${dotted[1]}${pairOf(dotted[2], dotted[3])}:${pairOf(dotted[4], dotted[5])}` : host;
  const [left = '', right] = (text.split('%')[0] ?? '').split('::');
  const groups = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => parseInt(group, 16));
  const first = groups(left);
  const last = right === undefined ? [] : groups(right);
  const all = [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
  all.forEach((group, index) => bytes.set([group >> 8, group & 0xff], index * 2));
  return bytes;
}

function pairOf(high = '0', low = '0'): string {
  return (Number(high) * 256 + Number(low)).toString(16);
}
