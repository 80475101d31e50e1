/** Decodes Opus in Ogg (RFC 7845) with libopus, compiled to WebAssembly. The only file that uses the library. */
import { createDecoder } from 'libopus-wasm';
import type { DecodedSound } from './decoded-sound.ts';
import { oggPackets } from './ogg-packets.rules.ts';

/** Opus always counts in this rate (RFC 7845, section 4). */
const RATE_HZ = 48_000;
const HEAD = 'OpusHead';

/**
 * Nothing after `maxSeconds` is decoded.
 *
 * @throws Error with a sentence for the owner
 */
export async function decodeOggOpus(file: Uint8Array, maxSeconds: number): Promise<DecodedSound> {
  const packets = oggPackets(file);
  const head = packets.next().value;
  if (!head || new TextDecoder('latin1').decode(head.subarray(0, HEAD.length)) !== HEAD)
    throw new Error('The Ogg file does not contain Opus.');
  // RFC 7845, section 5.1: channel count at 9, pre-skip at 10; mapping family 0 has one or two channels.
  const channelCount = head[9] ?? 0;
  if (head[18] !== 0 || (channelCount !== 1 && channelCount !== 2))
    throw new Error('The sound must have one or two channels.');
  const preSkip = (head[10] ?? 0) + 256 * (head[11] ?? 0);
  packets.next(); // the comments (section 5.2)
  const pieces = await decodeAll(packets, { channelCount, maxSeconds });
  return { sampleRateHz: RATE_HZ, channelCount, pieces: skip(pieces, preSkip * channelCount) };
}

async function decodeAll(
  packets: Iterable<Uint8Array>,
  { channelCount, maxSeconds }: { channelCount: 1 | 2; maxSeconds: number },
): Promise<Int16Array[]> {
  const decoder = await createDecoder({ sampleRate: RATE_HZ, channels: channelCount });
  const pieces: Int16Array[] = [];
  let left = maxSeconds * RATE_HZ * channelCount;
  try {
    for (const packet of packets) {
      if (left <= 0) break;
      if (packet.length === 0) continue;
      const samples = decoder.decode(packet).slice();
      left -= samples.length;
      pieces.push(samples);
    }
  } finally {
    decoder.free();
  }
  return pieces;
}

/** Section 4.2: the first samples only warm up the decoder. */
function skip(pieces: readonly Int16Array[], samples: number): Int16Array[] {
  let left = samples;
  return pieces.flatMap((piece) => {
    const rest = piece.subarray(Math.min(left, piece.length));
    left -= piece.length - rest.length;
    return rest.length === 0 ? [] : [rest];
  });
}
