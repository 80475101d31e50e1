/** The main thread's side of one connection to a browser. */
import type { WebRtcStats } from './webrtc-stream.ts';

/** Sound of the browser, mono Int16 at 16 000 Hz, as packets arrive: out of order, with gaps. */
export interface WebRtcSound {
  /** Counts samples and wraps at 2^32. */
  timestamp: number;
  samples: Int16Array;
  /** The timestamps do not continue those before. */
  isNewSource: boolean;
}

/** What happens to a connection. */
export interface WebRtcListener {
  /** The handshake is done: sound can be sent from now on. Called at most once. */
  onConnected(): void;
  onSound(sound: WebRtcSound): void;
  /** There is no sound any more. Called at most once; the reason is for the log. */
  onFailed(reason: string): void;
}

/** The connection of a link to its worker. */
export interface WebRtcLinkOptions {
  answer: string;
  play(index: number, samples: Int16Array): void;
  /** Called once. */
  onClose(): void;
}

/** One connection. Events before {@link listen} are not kept: it is called in the turn in which the link was opened. */
export class WebRtcLink {
  /** The answer to the offer of the browser (SDP). */
  readonly answer: string;
  readonly #options: WebRtcLinkOptions;
  #listener: WebRtcListener | null = null;
  #isClosed = false;
  #stats: WebRtcStats = { packetsSent: 0, packetsReceived: 0, packetsLost: 0, jitterMs: 0, far: null };

  constructor(options: WebRtcLinkOptions) {
    this.answer = options.answer;
    this.#options = options;
  }

  listen(listener: WebRtcListener): void {
    this.#listener = listener;
  }

  /**
   * Sends a frame of 320 samples.
   *
   * @param index - counts the frames of the call
   */
  play(index: number, samples: Int16Array): void {
    if (!this.#isClosed) this.#options.play(index, samples);
  }

  /** Not older than about a second. */
  stats(): WebRtcStats {
    return this.#stats;
  }

  /** Nothing is called afterwards. Closing twice is harmless. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#listener = null;
    this.#options.onClose();
  }

  /** Called by the thread. */
  deliverConnected(): void {
    this.#listener?.onConnected();
  }

  /** Called by the thread. */
  deliverSound(sound: WebRtcSound): void {
    this.#listener?.onSound(sound);
  }

  /** Called by the thread. */
  deliverStats(stats: WebRtcStats): void {
    this.#stats = stats;
  }

  /** Called by the thread. */
  deliverFailed(reason: string): void {
    const listener = this.#listener;
    this.#listener = null;
    listener?.onFailed(reason);
  }
}
