/**
 * WebRTC as one path of the sound of a leg: waits for the offer of the browser, answers it once, and reports when the path
 * can be used and when it cannot be used any more. It never ends the leg.
 *
 * - `waiting`: no offer yet.
 * - `answering`, `connecting`: until the handshake with the browser is done.
 * - `connected`: carries the sound.
 * - `over`: the WebSocket carries the sound from now on.
 *
 * The call waits for two seconds; then it begins over the WebSocket, and changes to WebRTC if that connects soon after.
 */
import type { Clock, Log, Timer } from '@parley/runtime';
import type { WebRtcFactory } from '../webrtc/webrtc-factory.ts';
import type { WebRtcLink, WebRtcSound } from '../webrtc/webrtc-link.ts';

/** How long a call waits for WebRTC before the WebSocket carries its sound, milliseconds. */
const WAIT_LIMIT_MS = 2000;
/** When a connection that is not there yet is given up, milliseconds from the start. */
const CONNECT_LIMIT_MS = 10_000;

/** What a path uses of its leg. */
export interface WebRtcPathOptions {
  factory: WebRtcFactory;
  clock: Clock;
  log: Log;
  onAnswer(sdp: string): void;
  onConnected(link: WebRtcLink): void;
  onSound(sound: WebRtcSound): void;
  /** The call begins over the WebSocket, for now. */
  onLate(): void;
  /** Called once, unless the path is closed before. */
  onFailed(): void;
}

/** The path of one leg. */
export class WebRtcPath {
  /** Resolves when it is decided which path the call begins with. */
  readonly settled: Promise<void>;
  readonly #options: WebRtcPathOptions;
  readonly #settle: () => void;
  #limit: Timer;
  #state: 'waiting' | 'answering' | 'connecting' | 'connected' | 'over' = 'waiting';
  #link: WebRtcLink | null = null;

  constructor(options: WebRtcPathOptions) {
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.settled = promise;
    this.#settle = resolve;
    this.#limit = options.clock.after(WAIT_LIMIT_MS, () => this.#beLate());
  }

  /** Takes the offer; further ones are ignored, so that a call has one connection. Never rejects. */
  offer(sdp: string): void {
    if (this.#state !== 'waiting') return;
    this.#state = 'answering';
    this.#options.factory.open(sdp).then(
      (link) => this.#connect(link),
      (error: unknown) => this.fail(error instanceof Error ? error.message : String(error)),
    );
  }

  /** Gives the path up; the reason is for the log. */
  fail(reason: string): void {
    if (this.#state === 'over') return;
    this.#options.log.info({ reason, was: this.#state }, 'A call from a browser continues without WebRTC');
    this.close();
    this.#options.onFailed();
  }

  /** Nothing is called afterwards. */
  close(): void {
    this.#state = 'over';
    this.#limit.cancel();
    this.#link?.close();
    this.#settle();
  }

  #beLate(): void {
    this.#limit = this.#options.clock.after(CONNECT_LIMIT_MS - WAIT_LIMIT_MS, () =>
      this.fail('It did not connect in time'),
    );
    this.#options.onLate();
    this.#settle();
  }

  #connect(link: WebRtcLink): void {
    if (this.#state === 'over') return link.close();
    this.#state = 'connecting';
    this.#link = link;
    link.listen({
      onConnected: () => {
        this.#state = 'connected';
        this.#limit.cancel();
        this.#options.onConnected(link);
        this.#settle();
      },
      onSound: (sound) => this.#options.onSound(sound),
      onFailed: (reason) => this.fail(reason),
    });
    this.#options.onAnswer(link.answer);
  }
}
