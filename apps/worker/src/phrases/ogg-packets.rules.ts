/**
 * The packets of the first logical stream of an Ogg file (RFC 3533). A page:
 *
 *     0 "OggS"  4 version  5 flags  6 granule position  14 serial number  18 sequence number  22 checksum
 *    26 number of segments n  27 lengths of the segments, n bytes  27+n the segments
 *
 * A segment shorter than 255 bytes ends its packet (section 5). Checksums are not verified: the decoder tolerates damage.
 */

const PAGE_HEADER_BYTES = 27;
const CAPTURE = 0x4f_67_67_53; // "OggS"
const FULL_SEGMENT = 255;

/** Whether a file begins with a page. */
export function isOgg(file: Uint8Array): boolean {
  return hasPageAt(file, 0);
}

/** Stops without an error where the file is cut off or damaged. */
export function* oggPackets(file: Uint8Array): Generator<Uint8Array> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const parts: Uint8Array[] = [];
  let serial: number | null = null;
  for (let at = 0; hasPageAt(file, at);) {
    const count = file[at + 26] ?? 0;
    const lengths = file.subarray(at + PAGE_HEADER_BYTES, at + PAGE_HEADER_BYTES + count);
    let start = at + PAGE_HEADER_BYTES + count;
    const pageSerial = view.getUint32(at + 14, true);
    serial ??= pageSerial;
    for (const length of lengths) {
      const segment = file.subarray(start, start + length);
      start += length;
      if (pageSerial !== serial) continue;
      parts.push(segment);
      if (length < FULL_SEGMENT) yield joined(parts.splice(0));
    }
    at = start;
  }
}

function hasPageAt(file: Uint8Array, at: number): boolean {
  if (at + PAGE_HEADER_BYTES > file.length) return false;
  return new DataView(file.buffer, file.byteOffset + at, 4).getUint32(0) === CAPTURE;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only) return only;
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
