/**
 * What carries the sound of a conversation. It begins with the WebSocket; where the server takes WebRTC, that is offered, and
 * the server says which of the two it uses. A failure is reported to the server and nothing else.
 */
import type { IceServer, WebCallClientMessage } from '@parley/contracts';
import { inBackground } from '../client/in-background.ts';
import { WEBRTC_QUERY } from './talk-wire.ts';
import { hasWebRtc, WebRtcConnection, type ConnectionQuality } from './webrtc-connection.ts';

/** What carries the sound, and how well where the browser measures it. */
export type SoundPathReport = { path: 'websocket' } | ({ path: 'webrtc' } & ConnectionQuality);

/** What a path needs of its conversation. */
export interface SoundPathOptions {
  microphone: MediaStream;
  tell: (message: WebCallClientMessage) => void;
  onStream: (stream: MediaStream) => void;
  onReport: (report: SoundPathReport) => void;
}

const REPORT_MS = 1_000;

/** The sound path of one conversation. */
export class SoundPath {
  readonly #options: SoundPathOptions;
  #connection: WebRtcConnection | null = null;
  #isWebRtc = false;
  #timer = 0;

  constructor(options: SoundPathOptions) {
    this.#options = options;
  }

  /**
   * The address of the WebSocket, which says whether this browser is going to offer WebRTC.
   *
   * @param url - with a query, which contains the ticket
   */
  static addressOf(url: string): string {
    return hasWebRtc() ? `${url}&${WEBRTC_QUERY}` : url;
  }

  /** Whether WebRTC carries the sound; then nothing is sent over the WebSocket. */
  get isWebRtc(): boolean {
    return this.#isWebRtc;
  }

  /** The server takes an offer. */
  begin(iceServers: IceServer[]): void {
    inBackground(
      this.#try(async () => {
        const { microphone, onStream, tell } = this.#options;
        const connection = new WebRtcConnection({
          microphone,
          iceServers,
          onStream,
          onFailed: () => this.#give(),
        });
        this.#connection = connection;
        tell({ type: 'webrtc-offer', sdp: await connection.offer() });
      }),
    );
  }

  answer(sdp: string): void {
    inBackground(this.#try(async () => this.#connection?.answer(sdp)));
  }

  /** The server has changed the path. A connection that is still being made may be used later; one that was used is over. */
  follow(path: 'webrtc' | 'websocket'): void {
    const wasWebRtc = this.#isWebRtc;
    this.#isWebRtc = path === 'webrtc';
    clearInterval(this.#timer);
    if (!this.#isWebRtc) {
      if (wasWebRtc) this.#disconnect();
      return this.#options.onReport({ path: 'websocket' });
    }
    this.#options.onReport({ path: 'webrtc', roundTripMs: null, lossReceived: null, lossSent: null });
    this.#timer = window.setInterval(() => inBackground(this.#report()), REPORT_MS);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#disconnect();
  }

  async #report(): Promise<void> {
    const quality = await this.#connection?.quality();
    if (quality && this.#isWebRtc) this.#options.onReport({ path: 'webrtc', ...quality });
  }

  async #try(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch {
      this.#give();
    }
  }

  /** The server answers with the path `websocket`, unless it has changed to it before. */
  #give(): void {
    this.#disconnect();
    this.#options.tell({ type: 'webrtc-failed' });
  }

  #disconnect(): void {
    this.#connection?.close();
    this.#connection = null;
  }
}
