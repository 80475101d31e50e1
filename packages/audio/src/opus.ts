/**
 * Opus (RFC 6716) for mono voice in frames of 20 ms, by libopus as WebAssembly. The library is loaded when the first encoder
 * or decoder is made; its memory is not garbage collected, so that each must be freed by its owner.
 *
 * Opus has no fixed sample rate: encoder and decoder may run at different rates, whatever the SDP says (RFC 7587, section 4.1).
 * Nothing that a far end sends throws: a packet that libopus refuses decodes to no samples.
 */
import type { OpusDecoderHandle, OpusEncoderHandle } from 'libopus-wasm';

/** The rates at which libopus takes and gives samples. */
export type OpusRateHz = 8000 | 12_000 | 16_000 | 24_000 | 48_000;

/**
 * A larger packet is refused without being parsed: an RTP packet fits into one datagram, and 20 ms of voice at the highest bit
 * rate of Opus, 510 kbit/s, are 1275 bytes (RFC 6716, section 2.1.1).
 */
export const MAX_OPUS_PACKET_BYTES = 1500;
/** RFC 6716, section 3.1: "the audio duration contained within a packet MUST NOT exceed 120 ms". */
export const MAX_OPUS_PACKET_MS = 120;

const FRAME_MS = 20;
/** What the encoder assumes about the path. At 0 it leaves out the data with which a receiver repairs a lost packet. */
const EXPECTED_LOSS_PERCENT = 10;
/** 0 to 10. Higher values cost up to three times as much processor time and are hardly audible in speech. */
const COMPLEXITY = 5;

/** The bit rate for speech of that sample rate (RFC 7587, section 3.1.1), with the share of the repair data. */
function bitrateFor(sampleRateHz: OpusRateHz): number {
  if (sampleRateHz <= 8000) return 16_000;
  return sampleRateHz <= 16_000 ? 28_000 : 40_000;
}

/** The parameters of an encoder. */
export interface OpusEncoderOptions {
  sampleRateHz: OpusRateHz;
  /** Bits per second; the default suits speech of the sample rate. */
  bitrate?: number;
  /** Whether packets carry the previous one again, at a lower quality (in-band FEC). Default: true. */
  hasFec?: boolean;
}

/** Encodes one stream. */
export class OpusEncoder {
  readonly frameSamples: number;
  readonly #handle: OpusEncoderHandle;

  private constructor(handle: OpusEncoderHandle) {
    this.#handle = handle;
    this.frameSamples = handle.frameSize;
  }

  static async create({ sampleRateHz, bitrate, hasFec = true }: OpusEncoderOptions): Promise<OpusEncoder> {
    const { Application, createEncoder, Signal } = await import('libopus-wasm');
    const handle = await createEncoder({
      application: Application.Voip,
      bitrate: bitrate ?? bitrateFor(sampleRateHz),
      channels: 1,
      complexity: COMPLEXITY,
      fec: hasFec,
      packetLossPercent: hasFec ? EXPECTED_LOSS_PERCENT : 0,
      sampleRate: sampleRateHz,
      signal: Signal.Voice,
    });
    return new OpusEncoder(handle);
  }

  /** The delay of the encoder in samples; the first samples that a decoder gives are that much of silence. */
  get delaySamples(): number {
    return this.#handle.getLookahead();
  }

  /**
   * Does not exceed the limit of the far end (`maxaveragebitrate`; RFC 7587, section 6.1).
   *
   * @param bitrate - at least 500 bit/s
   */
  limitBitrate(bitrate: number): void {
    this.#handle.setBitrate(Math.min(bitrate, this.#handle.getBitrate()));
  }

  /**
   * Encodes a frame.
   *
   * @param samples - {@link frameSamples} of them
   * @param output - receives at most {@link MAX_OPUS_PACKET_BYTES} bytes from `offset` on, and must have room for one
   * @returns the number of bytes
   */
  encode(samples: Int16Array, output: Uint8Array, offset = 0): number {
    const maxPacketBytes = Math.min(MAX_OPUS_PACKET_BYTES, output.length - offset);
    const packet = this.#handle.encode(samples, { maxPacketBytes });
    output.set(packet, offset);
    return packet.length;
  }

  /** Releases the memory. Idempotent; the encoder cannot be used afterwards. */
  free(): void {
    this.#handle.free();
  }
}

/** Decodes one stream. */
export class OpusDecoder {
  readonly frameSamples: number;
  /** The length of the longest packet: the size that an output array needs. */
  readonly maxSamples: number;
  readonly #handle: OpusDecoderHandle;

  private constructor(handle: OpusDecoderHandle) {
    this.#handle = handle;
    this.frameSamples = (handle.sampleRate * FRAME_MS) / 1000;
    this.maxSamples = handle.maxFrameSize;
  }

  static async create({ sampleRateHz }: { sampleRateHz: OpusRateHz }): Promise<OpusDecoder> {
    const { createDecoder } = await import('libopus-wasm');
    const maxFrameSize = (sampleRateHz * MAX_OPUS_PACKET_MS) / 1000;
    // A decoder of one channel mixes stereo down, which senders may use without asking (RFC 7587, section 3.4).
    return new OpusDecoder(await createDecoder({ channels: 1, sampleRate: sampleRateHz, maxFrameSize }));
  }

  /**
   * Decodes a packet of any duration.
   *
   * @param output - at least {@link maxSamples} long
   * @returns the number of samples, 0 for a packet that is malformed or too large
   */
  decode(packet: Uint8Array, output: Int16Array): number {
    if (packet.length === 0 || packet.length > MAX_OPUS_PACKET_BYTES) return 0;
    return this.#write(output, () => this.#handle.decode(packet));
  }

  /**
   * The frame before a packet that arrived without it: repaired from the packet's FEC data, or concealed if it has none.
   *
   * @param output - at least {@link frameSamples} long
   * @returns the number of samples, 0 for a packet that is malformed or too large
   */
  recover(next: Uint8Array, output: Int16Array): number {
    if (next.length === 0 || next.length > MAX_OPUS_PACKET_BYTES) return 0;
    return this.#write(output, () =>
      this.#handle.decode(next, { decodeFec: true, frameSize: this.frameSamples }),
    );
  }

  /**
   * Replaces a lost frame by a continuation that fades out.
   *
   * @param output - at least {@link frameSamples} long
   * @returns the number of samples
   */
  conceal(output: Int16Array): number {
    return this.#write(output, () => this.#handle.decodePacketLoss(this.frameSamples));
  }

  /** Releases the memory. Idempotent; the decoder cannot be used afterwards. */
  free(): void {
    this.#handle.free();
  }

  #write(output: Int16Array, decode: () => Int16Array): number {
    const samples = samplesOrNone(decode);
    output.set(samples);
    return samples.length;
  }
}

const NO_SAMPLES = new Int16Array(0);

/** libopus checks the structure of a packet before it decodes; a refused packet leaves the decoder as it was. */
function samplesOrNone(decode: () => Int16Array): Int16Array {
  try {
    return decode();
  } catch (error) {
    if (error instanceof Error && error.name === 'OpusError') return NO_SAMPLES;
    throw error;
  }
}
