/** Opus for WebRTC (RFC 6716, RFC 7587): mono at 16 000 Hz, the sample rate of calls from browsers. */
import { MAX_OPUS_PACKET_BYTES, OpusDecoder, OpusEncoder } from '@parley/audio';

const SAMPLE_RATE_HZ = 16_000;

/** Both directions of one stream. */
export interface OpusCodec {
  /** One frame of 20 ms, 320 samples; the result is valid until the next call. */
  encode(samples: Int16Array): Uint8Array;
  /** The samples of a packet, at most 120 ms and valid until the next call; none for a packet that is not Opus. */
  decode(payload: Uint8Array): Int16Array;
  close(): void;
}

/** Opens an encoder and a decoder; the first call loads the codec. */
export async function openOpusCodec(): Promise<OpusCodec> {
  const encoder = await OpusEncoder.create({ sampleRateHz: SAMPLE_RATE_HZ });
  const decoder = await OpusDecoder.create({ sampleRateHz: SAMPLE_RATE_HZ });
  const packet = new Uint8Array(MAX_OPUS_PACKET_BYTES);
  const samples = new Int16Array(decoder.maxSamples);
  return {
    encode: (frame) => packet.subarray(0, encoder.encode(frame, packet)),
    decode: (payload) => samples.subarray(0, decoder.decode(payload, samples)),
    close() {
      encoder.free();
      decoder.free();
    },
  };
}
