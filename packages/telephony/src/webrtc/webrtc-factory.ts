/**
 * Answers the offers of browsers: ports, one worker thread, and the addresses that answers name. The thread starts with the
 * process, because loading its code takes most of a second.
 */
import { networkInterfaces } from 'node:os';
import type { Clock, Log } from '@parley/runtime';
import { PortPool, type PortRange } from '../rtp/port-pool.ts';
import { OpenWebRtcError, WebRtcThread } from './webrtc-thread.ts';
import type { WebRtcLink } from './webrtc-link.ts';

/** Ports of the range that other programs have bound are skipped, at most this many in a row. */
const PORT_TRIES = 20;

/** The configuration of the factory. */
export interface WebRtcOptions {
  clock: Clock;
  log: Log;
  /** An address of this machine to listen on; `0.0.0.0` and `::` are all of them. */
  host: string;
  /** `null` lets the system choose the ports. */
  ports: PortRange | null;
  /** Addresses under which browsers reach the ports, best first. Empty: those of the machine that `host` listens on. */
  publicAddresses: readonly string[];
  /** Whether 127.0.0.1 and ::1 may be named: only browsers of this machine reach them. */
  isLoopbackUseful: boolean;
}

/** Opens connections. */
export interface WebRtcFactory {
  /** Starts the thread; without it, the first connection does. */
  start(): void;
  /** Terminates the thread. */
  stop(): Promise<void>;
  /** False where a browser could not reach any address. */
  readonly isAvailable: boolean;
  /** Number of ports in use, for leak tests. */
  portsInUse(): number;
  /**
   * Answers an offer.
   *
   * @param offer - SDP, from a stranger
   * @throws OpenWebRtcError
   */
  open(offer: string): Promise<WebRtcLink>;
}

/** Creates the factory. */
export function createWebRtcFactory(options: WebRtcOptions): WebRtcFactory {
  return new OneWorker(options);
}

class OneWorker implements WebRtcFactory {
  readonly #options: WebRtcOptions;
  readonly #ports: PortPool | null;
  readonly #addresses: string[];
  #thread: WebRtcThread | null = null;
  #openCount = 0;

  constructor(options: WebRtcOptions) {
    this.#options = options;
    this.#ports = options.ports && new PortPool(options.ports, options.clock, 1);
    this.#addresses = reachableAddresses(options);
  }

  get isAvailable(): boolean {
    return this.#addresses.length > 0;
  }

  start(): void {
    if (this.isAvailable) this.#liveThread();
  }

  async stop(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    await thread?.stop();
  }

  portsInUse(): number {
    return this.#openCount;
  }

  async open(offer: string): Promise<WebRtcLink> {
    if (!this.isAvailable) throw new OpenWebRtcError('no-address');
    const { host } = this.#options;
    for (let tries = 1; ; tries++) {
      const port = this.#takePort();
      try {
        const at = { host, port, addresses: this.#addresses };
        return await this.#liveThread().open(offer, at, () => this.#freePort(port));
      } catch (error) {
        const isTaken = error instanceof OpenWebRtcError && error.code === 'EADDRINUSE';
        if (!isTaken || tries === PORT_TRIES) throw error;
      }
    }
  }

  #takePort(): number {
    const port = this.#ports ? this.#ports.take() : 0;
    if (port === null) throw new OpenWebRtcError('no-port');
    this.#openCount++;
    return port;
  }

  #freePort(port: number): void {
    this.#openCount--;
    this.#ports?.giveBack(port);
  }

  /** A thread that has died is replaced. */
  #liveThread(): WebRtcThread {
    if (!this.#thread?.isAlive) this.#thread = new WebRtcThread(this.#options.log);
    return this.#thread;
  }
}

/** What answers name. Link-local addresses need a zone that the browser does not know. */
function reachableAddresses({ host, publicAddresses, isLoopbackUseful }: WebRtcOptions): string[] {
  if (publicAddresses.length > 0) return [...publicAddresses];
  const own = isAny(host) ? interfaceAddresses(host === '::') : [host];
  return own.filter((address) => isLoopbackUseful || !isLoopback(address));
}

function isAny(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}

function interfaceAddresses(isBothFamilies: boolean): string[] {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const usable = all.filter(({ family, address }) =>
    family === 'IPv4' ? !address.startsWith('169.254.') : isBothFamilies && !address.startsWith('fe80:'),
  );
  return usable.map(({ address }) => address);
}
