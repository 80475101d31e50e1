/**
 * One connection to a browser inside the WebRTC worker: its UDP socket, and what the datagrams on it are (RFC 7983): checks
 * of ICE, the handshake of DTLS, and sound. Nothing is sent except to an address that the browser has nominated.
 */
import type { RemoteInfo, Socket } from 'node:dgram';
import type { Clock, Timer } from '@parley/runtime';
import type { Address } from '../rtp/source-latch.ts';
import type { StreamStart } from '../rtp/rtp-sender.ts';
import { bindSocket } from '../rtp/rtp-sockets.ts';
import type { DtlsIdentity } from './dtls-identity.ts';
import { DtlsServer, isDtls, type SrtpKeys } from './dtls-server.ts';
import { IceLite } from './ice-lite.ts';
import type { OpusCodec } from './open-opus-codec.ts';
import { writeAnswer, type SessionOffer } from './session-offer.rules.ts';
import { isStun } from './stun-message.ts';
import type { WebRtcReport } from './webrtc-messages.ts';
import { isMedia, WebRtcStream, type Instant } from './webrtc-stream.ts';

/**
 * Interval of reports, milliseconds. RFC 3550 section 6.2 recommends 5 s; the profile SAVPF allows less (RFC 4585 section
 * 3.4), and the page that shows loss and round trip does not wait for long.
 */
const REPORT_MS = 1000;

/** What a connection uses of its worker. */
export interface WebRtcConnectionOptions {
  id: number;
  clock: Clock;
  identity: DtlsIdentity;
  offer: SessionOffer;
  start: StreamStart;
  openCodec: () => Promise<OpusCodec>;
  post(report: WebRtcReport): void;
  /** Runs a callback of the socket or of a timer, and reports what it throws. */
  guard(where: string, run: () => void): void;
}

/** One connection. */
export class WebRtcConnection {
  readonly #options: WebRtcConnectionOptions;
  readonly #ice: IceLite;
  readonly #dtls: DtlsServer;
  #socket: Socket | null = null;
  /** The nominated address that sent the newest packet: where we send. */
  #peer: Address | null = null;
  #codec: OpusCodec | null = null;
  #stream: WebRtcStream | null = null;
  #reportTimer: Timer | null = null;
  #isClosed = false;

  constructor(options: WebRtcConnectionOptions) {
    this.#options = options;
    this.#ice = new IceLite(options.offer.usernameFragment);
    this.#dtls = new DtlsServer({
      identity: options.identity,
      fingerprints: options.offer.fingerprints,
      send: (datagram) => this.#peer && this.#send(datagram, this.#peer),
      onKeys: (keys) => this.#begin(keys),
      onFailed: (reason) => options.post({ type: 'failed', id: options.id, reason }),
    });
  }

  /**
   * Binds the port.
   *
   * @param port - 0: any
   * @param addresses - of this machine as browsers reach it
   * @returns the answer to the offer
   * @throws the system's error, with its `code`
   */
  async open(host: string, port: number, addresses: readonly string[]): Promise<string> {
    this.#codec = await this.#options.openCodec();
    const socket = await bindSocket(host, port);
    this.#socket = socket;
    socket.on('message', (datagram: Uint8Array, from: RemoteInfo) =>
      this.#options.guard('receive', () => this.#receive(datagram, { host: from.address, port: from.port })),
    );
    const { offer, identity, start } = this.#options;
    const bound = socket.address().port;
    return writeAnswer({
      offer,
      usernameFragment: this.#ice.usernameFragment,
      password: this.#ice.password,
      fingerprint: identity.fingerprint,
      ssrc: start.ssrc >>> 0,
      addresses: addresses.map((address) => ({ host: address, port: bound })),
    });
  }

  /** Sends a frame of 20 ms; dropped before the handshake is done. */
  play(index: number, samples: Int16Array): void {
    this.#stream?.play(index, samples);
  }

  /** Resolves when the port is free. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#reportTimer?.cancel();
    this.#stream?.report(this.#now(), true);
    this.#dtls.close();
    this.#codec?.close();
    const socket = this.#socket;
    if (socket) await new Promise<void>((resolve) => socket.close(() => resolve()));
  }

  #receive(datagram: Uint8Array, from: Address): void {
    if (this.#isClosed) return;
    if (isStun(datagram)) return this.#check(datagram, from);
    if (!this.#ice.isNominated(from)) return;
    if (isDtls(datagram)) {
      if (!this.#stream) this.#peer = from;
      this.#dtls.receive(datagram);
    } else if (isMedia(datagram) && this.#stream?.receive(datagram, this.#options.clock.monotonic())) {
      // A browser may select another of its addresses at any time, for example when a network is lost.
      this.#peer = from;
    }
  }

  #check(datagram: Uint8Array, from: Address): void {
    const answer = this.#ice.check(datagram, from, this.#options.clock.monotonic());
    if (!answer) return;
    this.#send(answer.response, from);
    if (answer.isNominating) this.#peer ??= from;
  }

  #begin(keys: SrtpKeys): void {
    const { id, start, offer } = this.#options;
    const codec = this.#codec;
    if (!codec || this.#isClosed) return;
    this.#stream = new WebRtcStream({
      start,
      keys,
      payloadType: offer.opusPayloadType,
      codec,
      send: (datagram) => this.#peer && this.#send(datagram, this.#peer),
      onSound: (sound) => this.#options.post({ type: 'sound', id, ...sound, samples: sound.samples.slice() }),
    });
    this.#options.post({ type: 'connected', id });
    this.#reportLater();
  }

  #reportLater(): void {
    this.#reportTimer = this.#options.clock.after(REPORT_MS, () => {
      this.#reportLater();
      this.#options.guard('report', () => {
        const stats = this.#stream?.stats();
        this.#stream?.report(this.#now());
        if (stats) this.#options.post({ type: 'stats', id: this.#options.id, stats });
      });
    });
  }

  #now(): Instant {
    return { monotonicMs: this.#options.clock.monotonic(), wallMs: this.#options.clock.now() };
  }

  #send(datagram: Uint8Array, to: Address): void {
    this.#socket?.send(datagram, to.port, to.host);
  }
}
