/**
 * A bad network between a phone and the other side: a relay for the packets of sound that the phone sends. It loses some in
 * a row, delays each by another time, and lets the phone's clock run too fast or too slow. What the phone receives is
 * not changed.
 */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Clock } from '@parley/runtime';
import type { RtpMedia, RtpMediaFactory } from '@parley/telephony';
import { seededRandom } from './seeded-random.rules.ts';

/** What the network does. Absent: nothing of that kind. */
export interface BadNetwork {
  /** The number of consecutive packets that are lost in every period of packets. */
  loss?: { packets: number; every: number };
  /** Each packet is delayed by a random time up to this, so that some overtake others. */
  jitterMs?: number;
  /** How much faster the phone's clock runs; negative: slower. Parts per million. */
  driftPpm?: number;
}

const LOCAL_HOST = '127.0.0.1';
const PAIR_TRIES = 20;
/** The longest call through a network with a fast clock. */
const LONGEST_MS = 120_000;

/** Media of a phone behind a bad network. */
export function behindNetwork(media: RtpMediaFactory, network: BadNetwork, clock: Clock): RtpMediaFactory {
  return {
    start: () => media.start(),
    stop: () => media.stop(),
    portsInUse: () => media.portsInUse(),
    openMedia: async (options) => {
      const opened = await media.openMedia(options);
      return relayed(opened, await Relay.open(opened.localPort, network, clock));
    },
  };
}

/** The same media with the addresses of the relay. */
function relayed(media: RtpMedia, relay: Relay): RtpMedia {
  const own: Partial<RtpMedia> = {
    localPort: relay.outerPort,
    connect(target) {
      relay.connect(target.remoteHost, target.remotePort);
      media.connect({ ...target, remoteHost: LOCAL_HOST, remotePort: relay.innerPort });
    },
    close() {
      relay.close();
      media.close();
    },
  };
  return new Proxy(media, {
    get(_target, name: keyof RtpMedia) {
      const value: unknown = own[name] ?? media[name];
      return typeof value === 'function' ? value.bind(name in own ? own : media) : value;
    },
  });
}

/** The packets of one call in both directions. */
class Relay {
  readonly #clock: Clock;
  readonly #network: BadNetwork;
  readonly #phonePort: number;
  readonly #random = seededRandom('network', 1);
  /** Faces the other side; its RTCP port only keeps other programs away. */
  readonly #outer: { rtp: Socket; rtcp: Socket };
  readonly #inner: Socket;
  #far: { host: string; port: number } | null = null;
  #count = 0;
  #firstMs: number | null = null;
  #isClosed = false;

  static async open(phonePort: number, network: BadNetwork, clock: Clock): Promise<Relay> {
    return new Relay({ phonePort, network, clock, outer: await bindPair(), inner: await bind(0) });
  }

  constructor(options: {
    phonePort: number;
    network: BadNetwork;
    clock: Clock;
    outer: { rtp: Socket; rtcp: Socket };
    inner: Socket;
  }) {
    this.#phonePort = options.phonePort;
    this.#network = options.network;
    this.#clock = options.clock;
    this.#outer = options.outer;
    this.#inner = options.inner;
    this.#outer.rtp.on('message', (packet) => this.#inner.send(packet, this.#phonePort, LOCAL_HOST));
    this.#inner.on('message', (packet) => this.#sent(packet));
  }

  get outerPort(): number {
    return this.#outer.rtp.address().port;
  }

  get innerPort(): number {
    return this.#inner.address().port;
  }

  connect(host: string, port: number): void {
    this.#far = { host, port };
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const socket of [this.#outer.rtp, this.#outer.rtcp, this.#inner]) socket.close();
  }

  #sent(packet: Buffer): void {
    const { loss } = this.#network;
    if (loss && this.#count++ % loss.every >= loss.every - loss.packets) return;
    this.#clock.after(this.#delayMs(), () => {
      if (!this.#isClosed && this.#far) this.#outer.rtp.send(packet, this.#far.port, this.#far.host);
    });
  }

  #delayMs(): number {
    const { jitterMs = 0, driftPpm = 0 } = this.#network;
    const nowMs = this.#clock.monotonic();
    this.#firstMs ??= nowMs;
    const leadMs = ((nowMs - this.#firstMs) * driftPpm) / 1e6;
    const startMs = Math.max(0, (LONGEST_MS * driftPpm) / 1e6);
    return Math.max(0, startMs - leadMs) + this.#random() * jitterMs;
  }
}

async function bindPair(): Promise<{ rtp: Socket; rtcp: Socket }> {
  for (let tries = 1; ; tries++) {
    const rtp = await bind(0);
    const { port } = rtp.address();
    const rtcp = port % 2 === 0 ? await bind(port + 1).catch(() => null) : null;
    if (rtcp) return { rtp, rtcp };
    rtp.close();
    if (tries === PAIR_TRIES) throw new Error('No pair of ports is free');
  }
}

async function bind(port: number): Promise<Socket> {
  const socket = createSocket('udp4');
  const listening = once(socket, 'listening');
  socket.bind(port, LOCAL_HOST);
  await listening;
  // A packet that cannot be sent is lost.
  socket.on('error', () => undefined);
  return socket;
}
