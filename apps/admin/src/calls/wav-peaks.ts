/**
 * Reads the outline of a recording while it is being fetched: the loudest sample of each of some
 * hundreds of stretches, per channel. It needs constant memory; decoding the whole file in the
 * browser would need 150 MB for twenty minutes.
 *
 * Supports the format of Parley's recordings: RIFF WAVE, signed 16 bit little endian, any rate and channel count.
 *
 * ```
 * 'RIFF' size 'WAVE'  { id(4) size(4 LE) body }...   chunks, among them:
 * 'fmt '  format(2)=1 channels(2) rate(4) bytes/s(4) block(2) bits(2)=16
 * 'data'  samples, channels interleaved
 * ```
 */
import { texts } from './texts.ts';

/** The outline of a recording. */
export interface WavePeaks {
  /** One list per channel, values -1 to 1, all of one length. */
  channels: Float32Array[];
  durationSeconds: number;
}

interface WaveHead {
  channelCount: number;
  rateHz: number;
  dataOffset: number;
  dataBytes: number;
}

/** The chunks before the audio are small; a file whose audio begins later is not a recording of Parley. */
const MAX_HEAD_BYTES = 4_096;

function chunkName(view: DataView, offset: number): string {
  return String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + offset, 4));
}

/**
 * Finds the sound in the first bytes of a file.
 *
 * @returns null when more bytes are needed
 * @throws Error when it is not 16 bit PCM in a WAVE file
 */
export function readWaveHead(bytes: Uint8Array): WaveHead | null {
  if (bytes.length < 12) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (chunkName(view, 0) !== 'RIFF' || chunkName(view, 8) !== 'WAVE') throw new Error(texts.player.notWave);
  let format: { channelCount: number; rateHz: number } | null = null;
  for (let offset = 12; offset + 8 <= bytes.length;) {
    const name = chunkName(view, offset);
    const size = view.getUint32(offset + 4, true);
    if (name === 'data' && format) return { ...format, dataOffset: offset + 8, dataBytes: size };
    if (name === 'fmt ' && offset + 24 <= bytes.length) format = readFormat(view, offset + 8);
    offset += 8 + size + (size % 2);
  }
  if (bytes.length > MAX_HEAD_BYTES) throw new Error(texts.player.noAudio);
  return null;
}

function readFormat(view: DataView, offset: number): { channelCount: number; rateHz: number } {
  const isPcm16 = view.getUint16(offset, true) === 1 && view.getUint16(offset + 14, true) === 16;
  if (!isPcm16) throw new Error('not 16 bit PCM');
  return { channelCount: view.getUint16(offset + 2, true), rateHz: view.getUint32(offset + 4, true) };
}

/** Collects peaks from bytes as they arrive, cut anywhere. */
export class PeakCollector {
  readonly #stretches: number;
  #head: WaveHead | null = null;
  #early = new Uint8Array(0);
  #channels: Float32Array[] = [];
  #byteAt = 0;
  #lowByte = 0;

  /** @param stretches - how many values per channel are wanted */
  constructor(stretches: number) {
    this.#stretches = stretches;
  }

  /** Processes the next bytes of the file. @throws Error if it is not a recording of Parley */
  push(bytes: Uint8Array): void {
    if (this.#head) return this.#scan(bytes, this.#head);
    const joined = new Uint8Array(this.#early.length + bytes.length);
    joined.set(this.#early);
    joined.set(bytes, this.#early.length);
    this.#early = joined;
    const head = readWaveHead(joined);
    if (!head) return;
    this.#head = head;
    this.#channels = Array.from({ length: head.channelCount }, () => new Float32Array(this.#stretches));
    this.#scan(joined.subarray(head.dataOffset), head);
  }

  /** The outline so far; null before the audio has begun. */
  result(): WavePeaks | null {
    const head = this.#head;
    if (!head) return null;
    return {
      channels: this.#channels,
      durationSeconds: head.dataBytes / (2 * head.channelCount * head.rateHz),
    };
  }

  #scan(bytes: Uint8Array, { channelCount, dataBytes }: WaveHead): void {
    for (const byte of bytes) {
      if (this.#byteAt >= dataBytes) return;
      if (this.#byteAt % 2 === 0) this.#lowByte = byte;
      else this.#take((((byte << 8) | this.#lowByte) << 16) >> 16, channelCount, dataBytes);
      this.#byteAt += 1;
    }
  }

  #take(sample: number, channelCount: number, dataBytes: number): void {
    const channel = this.#channels[((this.#byteAt - 1) / 2) % channelCount];
    const stretch = Math.floor((this.#byteAt / dataBytes) * this.#stretches);
    const value = sample / 32_768;
    if (channel && Math.abs(value) > Math.abs(channel[stretch] ?? 0)) channel[stretch] = value;
  }
}

/**
 * Fetches a recording and reads its outline.
 *
 * @throws Error when it cannot be fetched or is not 16 bit PCM
 */
export async function fetchWavePeaks(
  url: string,
  stretches: number,
  signal: AbortSignal,
): Promise<WavePeaks> {
  const response = await fetch(url, { signal });
  if (!response.ok || !response.body) throw new Error(texts.player.status(response.status));
  const collector = new PeakCollector(stretches);
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) collector.push(part.value);
  const peaks = collector.result();
  if (!peaks) throw new Error(texts.player.empty);
  return peaks;
}
