/** Sound from the microphone as a WAV file: PCM, mono, 16,000 Hz, 16 bits, little endian. */
import { WIRE_RATE_HZ } from '../../web-call/talk-wire.ts';

const HEADER_BYTES = 44;
const SAMPLE_BYTES = 2;

/**
 * The header of a RIFF file with the chunks `fmt ` (16 bytes) and `data`.
 *
 *     0 "RIFF" | 4 length of the rest | 8 "WAVE" | 12 "fmt " | 16 length 16 | 20 format 1 (PCM), channels 1
 *     24 samples per second | 28 bytes per second | 32 bytes of a sample, bits of a sample | 36 "data" | 40 length
 */
function wavHeader(dataBytes: number): ArrayBuffer {
  const header = new ArrayBuffer(HEADER_BYTES);
  const view = new DataView(header);
  const bytes = new Uint8Array(header);
  const name = (offset: number, text: string): void => bytes.set(new TextEncoder().encode(text), offset);
  name(0, 'RIFF');
  view.setUint32(4, HEADER_BYTES - 8 + dataBytes, true);
  name(8, 'WAVE');
  name(12, 'fmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, WIRE_RATE_HZ, true);
  view.setUint32(28, WIRE_RATE_HZ * SAMPLE_BYTES, true);
  view.setUint16(32, SAMPLE_BYTES, true);
  view.setUint16(34, 8 * SAMPLE_BYTES, true);
  name(36, 'data');
  view.setUint32(40, dataBytes, true);
  return header;
}

/** @param frames - Int16 samples as the capture worklet sends them, in order */
export function wavFile(frames: readonly ArrayBuffer[]): File {
  const dataBytes = frames.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return new File([wavHeader(dataBytes), ...frames], 'microphone.wav', { type: 'audio/wav' });
}
