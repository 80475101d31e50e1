/**
 * Sound as OpenAI's realtime interface takes and gives it: mu-law on telephone lines, as they carry it, and 24 000 Hz Int16
 * little endian on all others; both as base64.
 */
import { decodeG711, encodeG711, Resampler } from '@parley/audio';
import { pcmBase64 } from '../../wire/pcm-base64.ts';
import { PcmStream } from '../../wire/pcm-stream.ts';
import { REALTIME_RATE_HZ, TELEPHONE_RATE_HZ } from './realtime-messages.rules.ts';

/** The caller's sound on its way out. */
export interface SoundEncoder {
  encode(samples: Int16Array): string;
}
/** The sound of one response on its way in. */
export interface SoundDecoder {
  decode(base64: string): Int16Array;
  /** The rest, after the last piece. */
  end(): Int16Array;
}

/** @param sampleRateHz - of the line */
export function soundEncoder(sampleRateHz: number): SoundEncoder {
  if (sampleRateHz === TELEPHONE_RATE_HZ) return { encode: encodeMuLaw };
  const resampler = sampleRateHz === REALTIME_RATE_HZ ? null : new Resampler(sampleRateHz, REALTIME_RATE_HZ);
  return { encode: (samples) => pcmBase64(resampler?.process(samples) ?? samples) };
}

/** @param sampleRateHz - of the line */
export function soundDecoder(sampleRateHz: number): SoundDecoder {
  if (sampleRateHz === TELEPHONE_RATE_HZ) return { decode: decodeMuLaw, end: () => new Int16Array() };
  const stream = new PcmStream(REALTIME_RATE_HZ, sampleRateHz);
  return { decode: (base64) => stream.push(Buffer.from(base64, 'base64')), end: () => stream.end() };
}

function encodeMuLaw(samples: Int16Array): string {
  const octets = new Uint8Array(samples.length);
  encodeG711('PCMU', samples, octets);
  return Buffer.from(octets).toString('base64');
}

function decodeMuLaw(base64: string): Int16Array {
  const octets = Buffer.from(base64, 'base64');
  const samples = new Int16Array(octets.length);
  decodeG711('PCMU', octets, samples);
  return samples;
}
