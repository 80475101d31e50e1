/**
 * A media factory without sockets, for tests of signalling: it records its calls and sends nothing.
 */
import type { MediaPort, MediaTick } from '../src/call-leg.ts';
import type { KeyForm, MediaFactory, MediaTarget, RtpMedia } from '../src/media-factory.ts';

/** Records the calls to the media of one leg. */
export class SilentMedia implements RtpMedia, MediaPort {
  readonly sampleRateHz = 8000;
  readonly frameSamples = 160;
  readonly localPort: number;
  readonly targets: MediaTarget[] = [];
  isClosed = false;
  keys = '';
  keyForm: KeyForm | null = null;
  silence: { limitMs: number; listener: () => void } | null = null;
  #onDtmf: ((key: { digit: string; durationMs: number }) => void) | null = null;

  constructor(localPort: number) {
    this.localPort = localPort;
  }

  connect(target: MediaTarget): void {
    this.targets.push(target);
  }

  sendDtmf(digits: string, as: KeyForm): void {
    this.keys += digits;
    this.keyForm = as;
  }

  onDtmf(listener: (key: { digit: string; durationMs: number }) => void): void {
    this.#onDtmf = listener;
  }

  /** Simulates a key of the far end. */
  press(digit: string): void {
    this.#onDtmf?.({ digit, durationMs: 160 });
  }

  onSilence(limitMs: number, listener: () => void): void {
    this.silence = { limitMs, listener };
  }

  close(): void {
    this.isClosed = true;
  }

  onTick(_listener: (tick: MediaTick) => void): void {}

  play(): void {}

  pausePlayout(): void {}

  lowerPlayout(): void {}

  resumePlayout(): void {}

  clear(): void {}

  setAmbience(): void {}

  stats() {
    return { packetsSent: 0, packetsReceived: 0, packetsLost: 0, jitterMs: 0, concealedFrames: 0, far: null };
  }
}

/** Opens silent media on fictitious even ports. */
export class SilentMediaFactory implements MediaFactory {
  readonly opened: SilentMedia[] = [];
  isFull = false;

  async openMedia(): Promise<RtpMedia> {
    if (this.isFull) throw new Error('No RTP port is free');
    const media = new SilentMedia(40_000 + 2 * this.opened.length);
    this.opened.push(media);
    return media;
  }
}
