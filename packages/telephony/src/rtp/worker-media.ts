/**
 * The main thread's side of one leg's media: turns method calls into commands for the media worker, and its reports into
 * calls of the listeners.
 */
import type { AmbientLoop } from '../ambience.ts';
import type { MediaStats, MediaTick } from '../call-leg.ts';
import { MediaTicks } from '../media-ticks.ts';
import type { KeyForm, MediaTarget, RtpMedia } from '../media-factory.ts';
import type { KeyPress } from './dtmf-receiver.ts';
import type { MediaCommand } from './media-messages.ts';
import type { LegRateHz } from './audio-codec.ts';

/** The connection of a leg's media to its worker. */
export interface WorkerMediaLink {
  id: number;
  localPort: number;
  sampleRateHz: LegRateHz;
  post(command: MediaCommand): void;
  /** The media was closed. Called once. */
  onClose(): void;
}

/** See {@link RtpMedia}. */
export class WorkerMedia implements RtpMedia {
  readonly sampleRateHz: LegRateHz;
  readonly frameSamples: number;
  readonly localPort: number;
  readonly #link: WorkerMediaLink;
  readonly #ticks = new MediaTicks();
  #keyListener: ((key: KeyPress) => void) | null = null;
  #silenceListener: (() => void) | null = null;
  #isClosed = false;
  #stats: MediaStats = {
    packetsSent: 0,
    packetsReceived: 0,
    packetsLost: 0,
    jitterMs: 0,
    concealedFrames: 0,
    far: null,
  };

  constructor(link: WorkerMediaLink) {
    this.#link = link;
    this.localPort = link.localPort;
    this.sampleRateHz = link.sampleRateHz;
    this.frameSamples = link.sampleRateHz / 50;
  }

  connect(target: MediaTarget): void {
    this.#post({ do: 'connect', id: this.#link.id, target: { ...target } });
  }

  onTick(listener: (tick: MediaTick) => void): void {
    this.#ticks.listen(listener);
  }

  play(turn: number, samples: Int16Array): void {
    // Sending a view would copy the whole underlying buffer to the other thread.
    const isWhole = samples.byteLength === samples.buffer.byteLength;
    this.#post({ do: 'play', id: this.#link.id, turn, samples: isWhole ? samples : samples.slice() });
  }

  pausePlayout(): void {
    this.#post({ do: 'pause', id: this.#link.id });
  }

  lowerPlayout(): void {
    this.#post({ do: 'lower', id: this.#link.id });
  }

  resumePlayout(): void {
    this.#post({ do: 'resume', id: this.#link.id });
  }

  clear(): void {
    this.#post({ do: 'clear', id: this.#link.id });
  }

  setAmbience(loop: AmbientLoop | null): void {
    this.#post({ do: 'ambience', id: this.#link.id, loop });
  }

  stats(): MediaStats {
    return { ...this.#stats };
  }

  sendDtmf(digits: string, as: KeyForm): void {
    this.#post({ do: 'send-keys', id: this.#link.id, digits, as });
  }

  onDtmf(listener: (key: KeyPress) => void): void {
    this.#keyListener = listener;
  }

  onSilence(limitMs: number, listener: () => void): void {
    this.#silenceListener = listener;
    this.#post({ do: 'watch-silence', id: this.#link.id, limitMs });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#ticks.stop();
    this.#link.post({ do: 'close', id: this.#link.id });
    this.#link.onClose();
  }

  /** Called by the link: a frame has arrived. */
  deliverTick(tick: MediaTick, stats: MediaStats): void {
    if (this.#isClosed) return;
    this.#stats = stats;
    this.#ticks.deliver(tick);
  }

  /** Called by the link: the far end has pressed a key. */
  deliverKey(key: KeyPress): void {
    if (!this.#isClosed) this.#keyListener?.(key);
  }

  /** Called by the link: the silence limit has passed, or the worker has ended. */
  deliverSilence(): void {
    if (!this.#isClosed) this.#silenceListener?.();
  }

  #post(command: MediaCommand): void {
    if (!this.#isClosed) this.#link.post(command);
  }
}
