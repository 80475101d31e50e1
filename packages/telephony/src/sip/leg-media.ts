/**
 * The media port of a leg before and after its RTP socket is open. A leg has its `MediaPort` from the start, while opening
 * a socket takes time; earlier listeners and commands are kept until then.
 */
import type { AmbientLoop } from '../ambience.ts';
import type { MediaPort, MediaStats, MediaTick } from '../call-leg.ts';
import type { Codec } from '@parley/sip';
import type { RtpMedia } from '../media-factory.ts';

const NO_STATS: MediaStats = {
  packetsSent: 0,
  packetsReceived: 0,
  packetsLost: 0,
  jitterMs: 0,
  concealedFrames: 0,
  far: null,
};

/** 8000 Hz, or 16 000 Hz where a wideband codec is allowed. */
export class LegMedia implements MediaPort {
  #sampleRateHz: 8000 | 16_000 = 8000;
  #rtp: RtpMedia | null = null;
  #listener: ((tick: MediaTick) => void) | null = null;
  /** Commands that were issued before the socket was open, in order. */
  #early: ((rtp: RtpMedia) => void)[] = [];
  #lastStats: MediaStats = NO_STATS;
  #codec: Codec | null = null;
  #isClosed = false;

  get sampleRateHz(): 8000 | 16_000 {
    return this.#sampleRateHz;
  }

  get frameSamples(): number {
    return this.#sampleRateHz / 50;
  }

  /** Sets the sample rate, before anything uses the media. */
  allow(codecs: readonly Codec[] | undefined): void {
    if (!this.#rtp) this.#sampleRateHz = codecs?.some(isWideband) ? 16_000 : 8000;
  }

  /** The codec that was agreed on. */
  note(codec: Codec): void {
    this.#codec = codec;
  }

  /** Attaches the RTP socket; called once. */
  attach(rtp: RtpMedia): void {
    this.#rtp = rtp;
    // Without a listener the socket keeps its ticks until one is added.
    if (this.#listener) rtp.onTick(this.#listener);
    for (const command of this.#early.splice(0)) command(rtp);
  }

  /** Closes the socket, if it is open, and keeps its last statistics. */
  close(): void {
    this.#isClosed = true;
    this.#early = [];
    if (!this.#rtp) return;
    this.#lastStats = this.stats();
    this.#rtp.close();
    this.#rtp = null;
    this.#listener = null;
  }

  onTick(listener: (tick: MediaTick) => void): void {
    this.#listener = listener;
    this.#rtp?.onTick(listener);
  }

  play(turn: number, samples: Int16Array): void {
    this.#run((rtp) => rtp.play(turn, samples));
  }

  pausePlayout(): void {
    this.#run((rtp) => rtp.pausePlayout());
  }

  lowerPlayout(): void {
    this.#run((rtp) => rtp.lowerPlayout());
  }

  resumePlayout(): void {
    this.#run((rtp) => rtp.resumePlayout());
  }

  clear(): void {
    this.#run((rtp) => rtp.clear());
  }

  setAmbience(loop: AmbientLoop | null): void {
    this.#run((rtp) => rtp.setAmbience(loop));
  }

  stats(): MediaStats {
    if (!this.#rtp) return this.#lastStats;
    return { ...this.#rtp.stats(), ...(this.#codec ? { codec: this.#codec } : {}) };
  }

  #run(command: (rtp: RtpMedia) => void): void {
    if (this.#rtp) command(this.#rtp);
    else if (!this.#isClosed) this.#early.push(command);
  }
}

function isWideband(codec: Codec): boolean {
  return codec === 'G722' || codec === 'opus';
}
