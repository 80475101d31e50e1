/**
 * The microphone of an operator who talks to the customer: frames of a browser, which arrive in bursts, are played on the
 * leg of the call. A queue that runs empty is refilled with some silence first, so that the next late frame causes no gap;
 * sound beyond the limit is dropped, so that a burst does not become permanent delay.
 */
import { Resampler } from '@parley/audio';
import { WEB_CALL_SAMPLE_RATE_HZ } from '@parley/contracts';
import type { MediaPort, MediaTick } from '@parley/telephony';

/** Silence before sound after a gap, frames of 20 ms. */
const CUSHION_FRAMES = 3;
/** Upper limit of the queue, frames of 20 ms. */
const MOST_FRAMES = 15;
/** The operator counts as gone after this time without a frame, in frames of 20 ms: 5 s. */
const LOST_FRAMES = 250;
/** No turn of a conversation reaches this number, so this sound is not counted as words of the assistant. */
const OPERATOR_TURN = 0x7f_ff_ff_ff;

/** One for each time that an operator talks. */
export class OperatorMicrophone {
  readonly #media: Pick<MediaPort, 'play' | 'frameSamples'>;
  readonly #resampler: Resampler;
  /** Samples queued on the leg. */
  #queued = 0;
  #framesSinceHeard = 0;

  constructor(media: Pick<MediaPort, 'play' | 'frameSamples' | 'sampleRateHz'>) {
    this.#media = media;
    this.#resampler = new Resampler(WEB_CALL_SAMPLE_RATE_HZ, media.sampleRateHz);
  }

  /** No sound has arrived for so long that the connection is lost. */
  get isLost(): boolean {
    return this.#framesSinceHeard >= LOST_FRAMES;
  }

  /** The leg has sent a frame. */
  noteSent({ queuedSamples }: Pick<MediaTick, 'queuedSamples'>): void {
    this.#queued = queuedSamples;
    this.#framesSinceHeard += 1;
  }

  /** @param samples - mono, 16,000 Hz */
  push(samples: Int16Array): void {
    this.#framesSinceHeard = 0;
    const { frameSamples } = this.#media;
    if (this.#queued >= MOST_FRAMES * frameSamples) return;
    if (this.#queued === 0) this.#play(new Int16Array(CUSHION_FRAMES * frameSamples));
    this.#play(this.#resampler.process(samples));
  }

  #play(samples: Int16Array): void {
    this.#queued += samples.length;
    this.#media.play(OPERATOR_TURN, samples);
  }
}
