/**
 * The audio of a call whose stream has not come yet. Until then nothing is played and nothing is heard; from then on everything
 * goes to the media of the stream.
 */
import type { AmbientLoop } from '../ambience.ts';
import type { MediaPort, MediaStats, MediaTick } from '../call-leg.ts';

const NOTHING_YET: MediaStats = {
  packetsSent: 0,
  packetsReceived: 0,
  packetsLost: 0,
  jitterMs: 0,
  concealedFrames: 0,
  far: null,
};

/** See {@link MediaPort}. Streams are narrowband. */
export class AwaitedMedia implements MediaPort {
  readonly sampleRateHz = 8000;
  readonly frameSamples = 160;
  #media: MediaPort | null = null;
  #listener: ((tick: MediaTick) => void) | null = null;
  #ambience: AmbientLoop | null = null;

  /** The stream has come, and has not been answered yet. */
  join(media: MediaPort): void {
    this.#media = media;
    if (this.#listener) media.onTick(this.#listener);
    media.setAmbience(this.#ambience);
  }

  onTick(listener: (tick: MediaTick) => void): void {
    this.#listener = listener;
    this.#media?.onTick(listener);
  }

  setAmbience(loop: AmbientLoop | null): void {
    this.#ambience = loop;
    this.#media?.setAmbience(loop);
  }

  play(turn: number, samples: Int16Array): void {
    this.#media?.play(turn, samples);
  }

  pausePlayout(): void {
    this.#media?.pausePlayout();
  }

  lowerPlayout(): void {
    this.#media?.lowerPlayout();
  }

  resumePlayout(): void {
    this.#media?.resumePlayout();
  }

  clear(): void {
    this.#media?.clear();
  }

  stats(): MediaStats {
    return this.#media?.stats() ?? NOTHING_YET;
  }
}
