/**
 * The sound of a browser call as it travels: mono, 16,000 Hz, signed 16 bit little endian, 20 ms a
 * frame, both ways. Mirrors the private contract (`@parley/contracts`, internal.ts), whose values stay
 * out of this bundle because its endpoints bring a second schema library along.
 */

/** Samples per second on the wire. */
export const WIRE_RATE_HZ = 16_000;

/** Samples in one frame of 20 ms. */
export const FRAME_SAMPLES = 320;

/** Converts samples (-1 to 1) to 16 bit values; louder samples are clipped. */
export function toPcm16(samples: Float32Array, target: Int16Array): void {
  for (let index = 0; index < target.length; index += 1) {
    const sample = Math.max(-1, Math.min(1, samples[index] ?? 0));
    target[index] = Math.round(sample * 32_767);
  }
}

/**
 * Loudness of a frame for a meter: 0 at -60 dBFS and below, 1 at full scale, linear in decibels.
 *
 * @param samples - mono, any length above 0, Int16
 */
export function meterLevel(samples: Int16Array): number {
  let energy = 0;
  for (const sample of samples) energy += sample * sample;
  const rms = Math.sqrt(energy / Math.max(1, samples.length)) / 32_768;
  if (rms === 0) return 0;
  return Math.max(0, Math.min(1, 1 + (20 * Math.log10(rms)) / 60));
}

/** In the query of the WebSocket: this browser is going to offer WebRTC. */
export const WEBRTC_QUERY = 'webrtc=1';
