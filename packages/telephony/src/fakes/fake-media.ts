/** The media of a fake leg: the test sends each frame. */
import type { MediaPort, MediaStats, MediaTick } from '../call-leg.ts';
import { MediaTicks } from '../media-ticks.ts';
import { PlayoutQueue } from '../playout-queue.ts';
import type { AmbientLoop } from '../ambience.ts';

const FRAME_SAMPLES = 160;

/** A media port without a network, at 8000 Hz. */
export class FakeMedia implements MediaPort {
  readonly sampleRateHz = 8000;
  readonly frameSamples = FRAME_SAMPLES;
  /** The last ambient sound that was set. */
  ambience: AmbientLoop | null = null;
  /** Everything that the far end has heard. */
  readonly heard: number[] = [];
  readonly #queue = new PlayoutQueue();
  readonly #incoming: number[] = [];
  readonly #ticks = new MediaTicks();
  #index = 0;
  #packetsReceived = 0;

  onTick(listener: (tick: MediaTick) => void): void {
    this.#ticks.listen(listener);
  }

  play(turn: number, samples: Int16Array): void {
    this.#queue.push(turn, samples);
  }

  pausePlayout(): void {
    this.#queue.pause();
  }

  lowerPlayout(): void {
    this.#queue.lower();
  }

  resumePlayout(): void {
    this.#queue.resume();
  }

  clear(): void {
    this.#queue.clear();
  }

  setAmbience(loop: AmbientLoop | null): void {
    this.ambience = loop;
    this.#queue.setAmbience(loop);
  }

  stats(): MediaStats {
    const packetsReceived = this.#packetsReceived;
    return {
      packetsSent: this.#index,
      packetsReceived,
      packetsLost: 0,
      jitterMs: 0,
      concealedFrames: 0,
      far: null,
    };
  }

  /** The far end says this from the next frame on. */
  sayAtFarEnd(samples: Int16Array): void {
    this.#incoming.push(...samples);
  }

  /** Lets one frame time of 20 ms pass in both directions. */
  passFrame(): void {
    const sent = new Int16Array(FRAME_SAMPLES);
    const { turn, samples } = this.#queue.takeInto(sent);
    if (this.#incoming.length > 0) this.#packetsReceived += 1;
    const received = new Int16Array(FRAME_SAMPLES);
    received.set(this.#incoming.splice(0, FRAME_SAMPLES));
    this.heard.push(...sent);
    this.#ticks.deliver({
      index: this.#index++,
      received,
      isConcealed: false,
      receivedAgoMs: 0,
      sent,
      sentTurn: turn,
      sentSamples: samples,
      queuedSamples: this.#queue.queuedSamples,
    });
  }
}
