/**
 * Reads WAV files: PCM of 8, 16, 24 and 32 bits, floating point of 32 bits, and G.711, any number of channels, with other chunks in between. A truncated file, whose
 * writer was killed, gives the samples that it contains.
 */
import { decodeG711 } from './g711.ts';
import { clip } from './level.ts';

/** The audio of a file. */
export interface WavSound {
  sampleRateHz: number;
  /** One array per channel, all equally long. */
  channels: Int16Array[];
}

const FORMAT_PCM = 1;
const FORMAT_FLOAT = 3;
const FORMAT_A_LAW = 6;
const FORMAT_MU_LAW = 7;
/** What is read of a format chunk. */
const FORMAT_BYTES = 26;
/** The actual format is in the first two bytes of the sub-format, 24 bytes into the chunk. */
const FORMAT_EXTENSIBLE = 0xff_fe;

/** The format of the samples. */
interface Format {
  code: number;
  channelCount: number;
  sampleRateHz: number;
  bitsPerSample: number;
}

/**
 * Parses a whole file.
 *
 * @throws Error when the file is not a WAV file or has an unsupported format
 */
export function readWav(file: Uint8Array): WavSound {
  if (!isWav(file)) throw new Error('The file is not a WAV file');
  const start = findSamples(file);
  if (!start) throw new Error('The WAV file contains no audio');
  const { format, at, size } = start;
  return {
    sampleRateHz: format.sampleRateHz,
    channels: readChannels(file.subarray(at, at + size), format),
  };
}

/** Bytes of which {@link isWav} can tell whether they begin a WAV file. */
export const WAV_NAME_BYTES = 12;

/** Whether a file that begins with these bytes is a WAV file. */
export function isWav(bytes: Uint8Array): boolean {
  if (bytes.length < WAV_NAME_BYTES) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return textAt(view, 0) === 'RIFF' && textAt(view, 8) === 'WAVE';
}

/** The beginning of a WAV file that is still being received. */
export interface WavStart {
  sampleRateHz: number;
  channelCount: number;
  /** The samples are integers of 16 bits. */
  isPcm16: boolean;
  /** Where the samples begin, bytes. */
  dataAt: number;
}

/**
 * Reads the format of a WAV file from its first bytes.
 *
 * @returns null while the samples have not begun
 * @throws Error when the format is broken
 */
export function readWavStart(bytes: Uint8Array): WavStart | null {
  const start = findSamples(bytes);
  if (!start) return null;
  const { code, bitsPerSample, sampleRateHz, channelCount } = start.format;
  const isPcm16 = code === FORMAT_PCM && bitsPerSample === 16;
  return { sampleRateHz, channelCount, isPcm16, dataAt: start.at };
}

function findSamples(file: Uint8Array): { format: Format; at: number; size: number } | null {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let format: Format | null = null;
  for (let at = 12; at + 8 <= file.length;) {
    const name = textAt(view, at);
    const size = view.getUint32(at + 4, true);
    if (name === 'fmt ' && at + 8 + Math.min(size, FORMAT_BYTES) <= file.length)
      format = readFormat(file.subarray(at + 8, at + 8 + size));
    if (name === 'data' && format) return { format, at: at + 8, size };
    at += 8 + size + (size % 2);
  }
  return null;
}

function readFormat(body: Uint8Array): Format {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  if (body.length < 16) throw new Error('The format chunk of the WAV file is too short');
  const code = view.getUint16(0, true);
  return {
    code: code === FORMAT_EXTENSIBLE && body.length >= 26 ? view.getUint16(24, true) : code,
    channelCount: view.getUint16(2, true),
    sampleRateHz: view.getUint32(4, true),
    bitsPerSample: view.getUint16(14, true),
  };
}

function readChannels(body: Uint8Array, format: Format): Int16Array[] {
  const samples = readSamples(body, format);
  const { channelCount } = format;
  const length = Math.floor(samples.length / channelCount);
  return Array.from({ length: channelCount }, (_, channel) =>
    Int16Array.from({ length }, (_, i) => samples[i * channelCount + channel] ?? 0),
  );
}

function readSamples(body: Uint8Array, { code, bitsPerSample, channelCount }: Format): Int16Array {
  if (channelCount === 0) throw new Error('The WAV file has no channels');
  if (code === FORMAT_PCM && bitsPerSample === 16) {
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    return Int16Array.from({ length: body.length >> 1 }, (_, i) => view.getInt16(2 * i, true));
  }
  if ((code === FORMAT_MU_LAW || code === FORMAT_A_LAW) && bitsPerSample === 8) {
    const samples = new Int16Array(body.length);
    decodeG711(code === FORMAT_MU_LAW ? 'PCMU' : 'PCMA', body, samples);
    return samples;
  }
  const read = readerOf(code, bitsPerSample);
  if (read) {
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    const bytes = bitsPerSample / 8;
    return Int16Array.from({ length: Math.floor(body.length / bytes) }, (_, i) =>
      clip(read(view, i * bytes)),
    );
  }
  throw new Error(`WAV format ${code} with ${bitsPerSample} bits is not supported`);
}

/** Other formats than 16 bits, scaled to 16 bits; samples of 8 bits have no sign. */
function readerOf(code: number, bits: number): ((view: DataView, at: number) => number) | null {
  if (code === FORMAT_FLOAT && bits === 32) return (view, at) => view.getFloat32(at, true) * 32_768;
  if (code !== FORMAT_PCM) return null;
  if (bits === 8) return (view, at) => (view.getUint8(at) - 128) * 256;
  if (bits === 24) return (view, at) => view.getInt16(at + 1, true) + view.getUint8(at) / 256;
  return bits === 32 ? (view, at) => view.getInt32(at, true) / 65_536 : null;
}

function textAt(view: DataView, at: number): string {
  return String.fromCharCode(
    view.getUint8(at),
    view.getUint8(at + 1),
    view.getUint8(at + 2),
    view.getUint8(at + 3),
  );
}
