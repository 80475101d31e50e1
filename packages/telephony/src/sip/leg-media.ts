/**
 * The sound of a leg before and after its RTP socket exists. A leg has its `MediaPort` from the first moment, while
 * opening a socket takes time; listeners and sound given early are kept until then.
 */
import type { AmbientLoop } from '../ambience.ts';
import type { MediaPort, MediaStats, MediaTick } from '../call-leg.ts';
import type { RtpMedia } from '../media-factory.ts';

const NOTHING: MediaStats = {
  packetsSent: 0,
  packetsReceived: 0,
  packetsLost: 0,
  jitterMs: 0,
  concealedFrames: 0,
};

/** G.711 in either law: 8000 Hz, 160 samples a frame. */
export class LegMedia implements MediaPort {
  readonly sampleRateHz = 8000;
  readonly frameSamples = 160;
  #rtp: RtpMedia | null = null;
  #listener: ((tick: MediaTick) => void) | null = null;
  /** Wishes made before the socket was there, in order. */
  #early: ((rtp: RtpMedia) => void)[] = [];
  #lastStats = NOTHING;
  #isClosed = false;

  /** Gives the leg its socket; once. */
  attach(rtp: RtpMedia): void {
    this.#rtp = rtp;
    // Without a listener the socket keeps its ticks for the one that comes.
    if (this.#listener) rtp.onTick(this.#listener);
    for (const wish of this.#early.splice(0)) wish(rtp);
  }

  /** Closes the socket, if there is one, and keeps its last figures. */
  close(): void {
    this.#isClosed = true;
    this.#early = [];
    if (!this.#rtp) return;
    this.#lastStats = this.#rtp.stats();
    this.#rtp.close();
    this.#rtp = null;
    this.#listener = null;
  }

  onTick(listener: (tick: MediaTick) => void): void {
    this.#listener = listener;
    this.#rtp?.onTick(listener);
  }

  play(turn: number, samples: Int16Array): void {
    this.#wish((rtp) => rtp.play(turn, samples));
  }

  pausePlayout(): void {
    this.#wish((rtp) => rtp.pausePlayout());
  }

  resumePlayout(): void {
    this.#wish((rtp) => rtp.resumePlayout());
  }

  clear(): void {
    this.#wish((rtp) => rtp.clear());
  }

  setAmbience(loop: AmbientLoop | null): void {
    this.#wish((rtp) => rtp.setAmbience(loop));
  }

  stats(): MediaStats {
    return this.#rtp?.stats() ?? this.#lastStats;
  }

  #wish(wish: (rtp: RtpMedia) => void): void {
    if (this.#rtp) wish(this.#rtp);
    else if (!this.#isClosed) this.#early.push(wish);
  }
}
