/**
 * The parts of a WAV file that grows during a call, and how they are read again: the header and the bytes of the samples. A writer first writes a header
 * for zero bytes, then appends samples, and at the end writes the header again with the final size.
 *
 * Layout (RIFF, little endian, 44 bytes), then the samples, one of each channel in turn:
 *
 *     0 "RIFF"  4 size of what follows  8 "WAVE"
 *    12 "fmt "  16: 16  20: 1 (PCM)  22 channels  24 rate  28 bytes a second  32 bytes a frame  34 bits a sample
 *    36 "data"  40 size of the samples
 */

/** Length of {@link wavHeader}, bytes. */
export const WAV_HEADER_BYTES = 44;
/** "fmt " as a number, big endian. */
const FMT = 0x66_6d_74_20;

/** The format of the audio. Samples have 16 bits. */
export interface WavHeaderOptions {
  sampleRateHz: number;
  channelCount: number;
  /** Size of the samples after the header, bytes; at most 4 294 967 259. */
  dataBytes: number;
}

/** Builds the header of a 16-bit PCM file. */
export function wavHeader({ sampleRateHz, channelCount, dataBytes }: WavHeaderOptions): Uint8Array {
  const bytes = new Uint8Array(WAV_HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  const text = (at: number, value: string): void => {
    for (let i = 0; i < value.length; i++) view.setUint8(at + i, value.charCodeAt(i));
  };
  const frameBytes = channelCount * 2;
  text(0, 'RIFF');
  view.setUint32(4, WAV_HEADER_BYTES - 8 + dataBytes, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channelCount, true);
  view.setUint32(24, sampleRateHz, true);
  view.setUint32(28, sampleRateHz * frameBytes, true);
  view.setUint16(32, frameBytes, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, dataBytes, true);
  return bytes;
}

/**
 * Interleaves two mono signals of equal length into stereo bytes.
 *
 * @param output - receives 4 bytes per sample pair (left, right, little endian) from `offset` on
 */
export function writeStereo(left: Int16Array, right: Int16Array, output: DataView, offset = 0): void {
  for (let i = 0; i < left.length; i++) {
    output.setInt16(offset + 4 * i, left[i] ?? 0, true);
    output.setInt16(offset + 4 * i + 2, right[i] ?? 0, true);
  }
}

/**
 * Reads what {@link wavHeader} has written. For files of other programs there is `readWav`.
 *
 * @throws Error when these bytes are no such header
 */
export function readWavHeader(bytes: Uint8Array): WavHeaderOptions {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isHeader =
    bytes.length === WAV_HEADER_BYTES && view.getUint32(12) === FMT && view.getUint16(20, true) === 1;
  if (!isHeader || view.getUint16(34, true) !== 16) throw new Error('The file is not a recording');
  return {
    channelCount: view.getUint16(22, true),
    sampleRateHz: view.getUint32(24, true),
    dataBytes: view.getUint32(40, true),
  };
}

/** Separates the channels of stereo bytes; an incomplete pair of samples at the end is left out. */
export function readStereo(bytes: Uint8Array): [left: Int16Array, right: Int16Array] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = Math.floor(bytes.length / 4);
  const channel = (offset: number) =>
    Int16Array.from({ length }, (_, i) => view.getInt16(4 * i + offset, true));
  return [channel(0), channel(2)];
}
