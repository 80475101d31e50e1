/**
 * The subset of RTCP that we support (RFC 3550 section 6): sends a sender or receiver report with CNAME about every five
 * seconds and BYE at the end; of received packets it reads the NTP time of the sender report, which our reports quote, and
 * the report block about the packets that we send.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +---+-+---------+---------------+-------------------------------+
 *   |V=2|P|   RC    | PT=200 or 201 |  length in words, minus one   |
 *   +---+-+---------+---------------+-------------------------------+
 *   |                      SSRC of the sender                       |
 *   +===============================================================+
 *   |  only 200: NTP time (64), RTP time (32), packets (32),        |
 *   |  octets (32)                                                  |
 *   +===============================================================+
 *   |  RC report blocks: SSRC (32), fraction lost (8), lost (24),   |
 *   |  highest sequence (32), jitter (32), last report (32),        |
 *   |  delay since then (32)                                        |
 *   +---------------------------------------------------------------+
 */
import type { ReceptionReport } from './reception-statistics.ts';

const SENDER_REPORT = 200;
const RECEIVER_REPORT = 201;
const SOURCE_DESCRIPTION = 202;
const GOODBYE = 203;
const CNAME = 1;
/** Seconds from the NTP epoch (1900) to the Unix epoch (1970). */
const NTP_OFFSET_SECONDS = 2_208_988_800;
const REPORT_BLOCK_BYTES = 24;

/** The latest sender report of the far end, as our next report quotes it. */
export interface HeardReport {
  ssrc: number;
  /** The middle 32 bits of its NTP timestamp. */
  ntpMiddle: number;
}

/** The content of one of our reports. */
export interface RtcpReport {
  ssrc: number;
  /** Our CNAME; contains no personal data. */
  name: string;
  /** Sender information; `null` before the first packet. */
  sent: { wallMs: number; timestamp: number; packets: number; octets: number } | null;
  /** The report block; `null` before the first received packet. */
  heard: (ReceptionReport & { ssrc: number; lastReport: number; sinceLastReportMs: number }) | null;
  isGoodbye: boolean;
}

/** Writes a compound packet: report, source description and, at the end of the stream, BYE. */
export function writeRtcp(report: RtcpReport): Uint8Array {
  const name = new TextEncoder().encode(report.name);
  const reportBytes = 8 + (report.sent ? 20 : 0) + (report.heard ? REPORT_BLOCK_BYTES : 0);
  const nameBytes = 8 + Math.ceil((2 + name.length + 1) / 4) * 4;
  const bytes = new Uint8Array(reportBytes + nameBytes + (report.isGoodbye ? 8 : 0));
  writeReport(new DataView(bytes.buffer, 0, reportBytes), report);
  const description = new DataView(bytes.buffer, reportBytes, nameBytes);
  writeHead(description, 1, SOURCE_DESCRIPTION, report.ssrc);
  bytes.set([CNAME, name.length, ...name], reportBytes + 8);
  if (report.isGoodbye)
    writeHead(new DataView(bytes.buffer, reportBytes + nameBytes), 1, GOODBYE, report.ssrc);
  return bytes;
}

function writeHead(view: DataView, count: number, type: number, ssrc: number): void {
  view.setUint8(0, 0x80 | count);
  view.setUint8(1, type);
  view.setUint16(2, view.byteLength / 4 - 1);
  view.setUint32(4, ssrc);
}

function writeReport(view: DataView, { ssrc, sent, heard }: RtcpReport): void {
  writeHead(view, heard ? 1 : 0, sent ? SENDER_REPORT : RECEIVER_REPORT, ssrc);
  if (sent) {
    view.setUint32(8, Math.floor(sent.wallMs / 1000) + NTP_OFFSET_SECONDS);
    view.setUint32(12, ((sent.wallMs % 1000) / 1000) * 2 ** 32);
    view.setUint32(16, sent.timestamp);
    view.setUint32(20, sent.packets);
    view.setUint32(24, sent.octets);
  }
  if (!heard) return;
  const at = sent ? 28 : 8;
  view.setUint32(at, heard.ssrc);
  view.setUint32(at + 4, Math.min(heard.packetsLost, 0x7f_ff_ff));
  view.setUint8(at + 4, heard.fractionLost);
  view.setUint32(at + 8, heard.highestSequence);
  view.setUint32(at + 12, heard.jitter);
  view.setUint32(at + 16, heard.lastReport);
  view.setUint32(at + 20, heard.lastReport === 0 ? 0 : (heard.sinceLastReportMs * 65_536) / 1000);
}

/** RFC 3550 section 6.1: "The first RTCP packet in the compound packet MUST always be a report packet". */
export function isRtcp([first = 0, type]: Uint8Array): boolean {
  return first >> 6 === 2 && (type === SENDER_REPORT || type === RECEIVER_REPORT);
}

/** Finds the sender report in a compound packet; `null` when there is none or the packet is malformed. */
export function parseSenderReport(datagram: Uint8Array): HeardReport | null {
  const view = new DataView(datagram.buffer, datagram.byteOffset, datagram.byteLength);
  for (let at = 0; at + 8 <= view.byteLength; at += 4 * (view.getUint16(at + 2) + 1)) {
    if (view.getUint8(at) >> 6 !== 2) return null;
    if (view.getUint8(at + 1) !== SENDER_REPORT) continue;
    if (at + 28 > view.byteLength) return null;
    return { ssrc: view.getUint32(at + 4), ntpMiddle: view.getUint32(at + 10) };
  }
  return null;
}

/** What the far end reports about the packets of one source. */
export interface HeardBlock {
  packetsLost: number;
  /** In timestamp units. */
  jitter: number;
  /** The middle 32 bits of the NTP time of the sender report that it heard last; 0: none. */
  lastReport: number;
  /** How long it has held that report, milliseconds. */
  sinceLastReportMs: number;
}

/** Finds the report block about `ssrc` in a compound packet; `null` when there is none or the packet is malformed. */
export function parseReportBlock(datagram: Uint8Array, ssrc: number): HeardBlock | null {
  const view = new DataView(datagram.buffer, datagram.byteOffset, datagram.byteLength);
  for (let at = 0; at + 8 <= view.byteLength; at += 4 * (view.getUint16(at + 2) + 1)) {
    if (view.getUint8(at) >> 6 !== 2) return null;
    const type = view.getUint8(at + 1);
    if (type !== SENDER_REPORT && type !== RECEIVER_REPORT) continue;
    const first = at + (type === SENDER_REPORT ? 28 : 8);
    const end = Math.min(view.byteLength, first + (view.getUint8(at) & 0x1f) * REPORT_BLOCK_BYTES);
    for (let block = first; block + REPORT_BLOCK_BYTES <= end; block += REPORT_BLOCK_BYTES)
      if (view.getUint32(block) === ssrc) return readBlock(view, block);
  }
  return null;
}

function readBlock(view: DataView, at: number): HeardBlock {
  // A signed number of 24 bits: duplicates can make it negative.
  const lost = (view.getInt32(at + 4) << 8) >> 8;
  return {
    packetsLost: Math.max(0, lost),
    jitter: view.getUint32(at + 12),
    lastReport: view.getUint32(at + 16),
    sinceLastReportMs: (view.getUint32(at + 20) * 1000) / 65_536,
  };
}

/** The middle 32 bits of the NTP time that a sender report of this instant has. */
export function ntpMiddleOf(wallMs: number): number {
  const seconds = Math.floor(wallMs / 1000) + NTP_OFFSET_SECONDS;
  const fraction = Math.floor(((wallMs % 1000) / 1000) * 2 ** 32);
  return (((seconds & 0xff_ff) << 16) | (fraction >>> 16)) >>> 0;
}
