/**
 * Decodes a text file as it arrives. Spreadsheets save CSV in UTF-8, in the Windows code page of western languages
 * ("CSV", a superset of Latin-1), or in UTF-16 ("Unicode text").
 */
import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** How many bytes a character has in UTF-8, by the range of its first byte; any other byte begins no character. */
const UTF8_LENGTHS = [
  { from: 0xc2, to: 0xdf, length: 2 },
  { from: 0xe0, to: 0xef, length: 3 },
  { from: 0xf0, to: 0xf4, length: 4 },
];

/**
 * The byte order mark of UTF-16, or else the first character outside ASCII, decides on the encoding. In a file of UTF-8,
 * later bytes that are not UTF-8 become U+FFFD.
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  let isAtStart = true;
  let undecided: Uint8Array = Buffer.alloc(0);
  for await (const chunk of bytes) {
    if (decoder) {
      yield decoder.decode(chunk, { stream: true });
      continue;
    }
    undecided = undecided.length === 0 ? chunk : Buffer.concat([undecided, chunk]);
    const ascii = asciiLength(undecided);
    const rest = undecided.subarray(ascii);
    isAtStart &&= ascii === 0;
    const encoding = encodingOf(rest, isAtStart);
    if (encoding) decoder = new TextDecoder(encoding);
    yield (
      Buffer.from(undecided.subarray(0, ascii)).toString('latin1') +
        (decoder?.decode(rest, { stream: true }) ?? '')
    );
    undecided = rest;
  }
  // An incomplete character of UTF-8 is none.
  yield (decoder ?? new TextDecoder('windows-1252')).decode(decoder ? undefined : undecided);
}

function asciiLength(bytes: Uint8Array): number {
  if (isAscii(bytes)) return bytes.length;
  return bytes.findIndex((byte) => byte >= 0x80);
}

/**
 * @param bytes - from the first byte outside ASCII on
 * @returns null while there are too few bytes to decide
 */
function encodingOf(bytes: Uint8Array, isAtStart: boolean): Encoding | null {
  const [first, second] = bytes;
  if (first === undefined) return null;
  if (isAtStart && first >= 0xfe) {
    if (second === undefined) return null;
    if (first + second === 0xfe + 0xff) return first === 0xff ? 'utf-16le' : 'utf-16be';
  }
  const length = UTF8_LENGTHS.find(({ from, to }) => first >= from && first <= to)?.length;
  if (length === undefined) return 'windows-1252';
  const following = bytes.subarray(1, length);
  if (!following.every((byte) => byte >= 0x80 && byte <= 0xbf)) return 'windows-1252';
  return following.length === length - 1 ? 'utf-8' : null;
}
