/**
 * The codec of one stream: between frames of 20 ms at the sample rate of a leg and the payloads of RTP. A wideband leg carries
 * narrowband codecs too, for which its sound is resampled.
 */
import {
  decodeG711,
  encodeG711,
  G722Decoder,
  G722Encoder,
  MAX_OPUS_PACKET_BYTES,
  OpusDecoder,
  OpusEncoder,
  Resampler,
} from '@parley/audio';
import type { Codec } from '@parley/sip';

/** The sample rates of a leg. */
export type LegRateHz = 8000 | 16_000;

/** 200 ms of G.711 and G.722; longer payloads are dropped. */
const LONGEST_OCTETS = 1600;
const G711_RATE_HZ = 8000;
const G722_RATE_HZ = 16_000;

/** What is to be encoded and decoded. */
export interface CodecChoice {
  codec: Codec;
  /** For Opus, bits per second. */
  maxBitrate?: number | undefined;
}

/** One stream in both directions. Arrays that it returns are valid until the next call. */
export interface AudioCodec {
  /** The clock rate of the codec's RTP timestamps. */
  readonly clockRateHz: number;
  /** The largest payload that {@link encode} writes. */
  readonly maxPayloadBytes: number;
  /** Encodes a frame into `output` from `offset` on. @returns the number of bytes */
  encode(frame: Int16Array, output: Uint8Array, offset: number): number;
  /** @returns no samples for a malformed payload */
  decode(payload: Uint8Array): Int16Array;
  /** The frame before a packet that arrived without it, if the codec can repair it; otherwise null. */
  recover(next: Uint8Array): Int16Array | null;
  /** Whether payloads decode rightly in their order only. */
  readonly needsOrder: boolean;
  free(): void;
}

/** Opens any codec but Opus, which loads a library. */
export function openCodec({ codec }: CodecChoice, sampleRateHz: LegRateHz): AudioCodec {
  if (codec === 'opus') throw new Error('Opus is opened by openOpus');
  return codec === 'G722' ? openG722(sampleRateHz) : openG711(codec, sampleRateHz);
}

function openG711(codec: 'PCMU' | 'PCMA', sampleRateHz: LegRateHz): AudioCodec {
  const toRtp = new RateChange(sampleRateHz, G711_RATE_HZ);
  const toLeg = new RateChange(G711_RATE_HZ, sampleRateHz);
  const decoded = new Int16Array(LONGEST_OCTETS);
  return {
    clockRateHz: 8000,
    maxPayloadBytes: G711_RATE_HZ / 50,
    needsOrder: false,
    encode(frame, output, offset) {
      const samples = toRtp.apply(frame);
      encodeG711(codec, samples, output, offset);
      return samples.length;
    },
    decode(payload) {
      const samples = decoded.subarray(0, Math.min(payload.length, LONGEST_OCTETS));
      decodeG711(codec, payload.subarray(0, samples.length), samples);
      return toLeg.apply(samples);
    },
    recover: () => null,
    free() {},
  };
}

function openG722(sampleRateHz: LegRateHz): AudioCodec {
  const encoder = new G722Encoder();
  const decoder = new G722Decoder();
  const toRtp = new RateChange(sampleRateHz, G722_RATE_HZ);
  const toLeg = new RateChange(G722_RATE_HZ, sampleRateHz);
  const decoded = new Int16Array(2 * LONGEST_OCTETS);
  return {
    clockRateHz: 8000,
    maxPayloadBytes: G722_RATE_HZ / 100,
    needsOrder: false,
    encode: (frame, output, offset) => encoder.encode(toRtp.apply(frame), output, offset),
    decode(payload) {
      const count = decoder.decode(payload.subarray(0, LONGEST_OCTETS), decoded);
      return toLeg.apply(decoded.subarray(0, count));
    },
    recover: () => null,
    free() {},
  };
}

/** Opens Opus at the rate of the leg. Its memory is freed by {@link AudioCodec.free} only. */
export async function openOpus({ maxBitrate }: CodecChoice, sampleRateHz: LegRateHz): Promise<AudioCodec> {
  const encoder = await OpusEncoder.create({ sampleRateHz });
  const decoder = await OpusDecoder.create({ sampleRateHz });
  if (maxBitrate !== undefined) encoder.limitBitrate(maxBitrate);
  const decoded = new Int16Array(decoder.maxSamples);
  return {
    clockRateHz: 48_000,
    maxPayloadBytes: MAX_OPUS_PACKET_BYTES,
    needsOrder: true,
    encode: (frame, output, offset) => encoder.encode(frame, output, offset),
    decode: (payload) => decoded.subarray(0, decoder.decode(payload, decoded)),
    recover: (next) => decoded.subarray(0, decoder.recover(next, decoded)),
    free() {
      encoder.free();
      decoder.free();
    },
  };
}

/** Resamples into an array of its own; passes on what has the right rate already. */
class RateChange {
  readonly #resampler: Resampler | null;
  #output = new Int16Array(0);

  constructor(fromHz: number, toHz: number) {
    this.#resampler = fromHz === toHz ? null : new Resampler(fromHz, toHz);
  }

  apply(samples: Int16Array): Int16Array {
    if (!this.#resampler) return samples;
    const most = this.#resampler.maxOutput(samples.length);
    if (this.#output.length < most) this.#output = new Int16Array(most);
    return this.#output.subarray(0, this.#resampler.processInto(samples, this.#output));
  }
}
