/**
 * The sound of a call for supervisors: mono, 16,000 Hz, 320 samples (20 ms), Int16 little endian. One stream has both sides
 * mixed; the other one has the customer alone, for a supervisor who talks and would otherwise hear an echo.
 */
import { clip, Resampler } from '@parley/audio';
import { WEB_CALL_SAMPLE_RATE_HZ } from '@parley/contracts';
import type { MediaTick } from '@parley/telephony';

/** One per call. A frame is made once for all supervisors who hear the same. */
export class MixedSound {
  readonly #mix: Int16Array;
  readonly #ofBoth: Resampler;
  readonly #ofCustomer: Resampler;

  /** @param line - sample rate in hertz and frame length of the call */
  constructor({ sampleRateHz, frameSamples }: { sampleRateHz: number; frameSamples: number }) {
    this.#mix = new Int16Array(frameSamples);
    this.#ofBoth = new Resampler(sampleRateHz, WEB_CALL_SAMPLE_RATE_HZ);
    this.#ofCustomer = new Resampler(sampleRateHz, WEB_CALL_SAMPLE_RATE_HZ);
  }

  both({ received, sent }: Pick<MediaTick, 'received' | 'sent'>): Uint8Array {
    const mix = this.#mix;
    for (let index = 0; index < mix.length; index++)
      mix[index] = clip((received[index] ?? 0) + (sent[index] ?? 0));
    return frameOf(this.#ofBoth, mix);
  }

  customer({ received }: Pick<MediaTick, 'received'>): Uint8Array {
    return frameOf(this.#ofCustomer, received);
  }
}

/** The only copy of the frame: the sockets keep it until it is sent. */
function frameOf(resampler: Resampler, samples: Int16Array): Uint8Array {
  const frame = new Int16Array(resampler.maxOutput(samples.length));
  const count = resampler.processInto(samples, frame);
  return new Uint8Array(frame.buffer, 0, count * 2);
}
