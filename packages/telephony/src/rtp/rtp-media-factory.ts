/**
 * Media over RTP: allocates ports and distributes calls over media workers; starts another worker when all are full.
 */
import type { Clock, Log } from '@parley/runtime';
import type { MediaFactory, RtpMedia } from '../media-factory.ts';
import { MediaThread, OpenMediaError } from './media-thread.ts';
import { PortPool, type PortRange } from './port-pool.ts';

/** Measured: one thread carries 400 calls on its 20 ms clock; half of that leaves a reserve for a busy machine. */
const CALLS_PER_WORKER = 200;
/** Ports of the range that other programs have bound are skipped, at most this many in a row. */
const PORT_TRIES = 50;

/** The configuration of the factory. */
export interface RtpMediaOptions {
  clock: Clock;
  log: Log;
  /** `null` lets the system choose the ports. */
  ports: PortRange | null;
  callsPerWorker?: number;
}

/** See {@link MediaFactory}. */
export interface RtpMediaFactory extends MediaFactory {
  /** Starts the first worker, so that the first call does not wait for it. Optional. */
  start(): void;
  /** Terminates all workers. */
  stop(): Promise<void>;
  /** Number of ports in use, for health checks and leak tests. */
  portsInUse(): number;
}

/** Creates the factory; threads start with the first call or with `start`. */
export function createRtpMediaFactory(options: RtpMediaOptions): RtpMediaFactory {
  return new WorkerPool(options);
}

class WorkerPool implements RtpMediaFactory {
  readonly #options: RtpMediaOptions;
  readonly #ports: PortPool | null;
  #threads: MediaThread[] = [];
  #openCount = 0;

  constructor(options: RtpMediaOptions) {
    this.#options = options;
    this.#ports = options.ports && new PortPool(options.ports, options.clock);
  }

  start(): void {
    this.#thread();
  }

  portsInUse(): number {
    return this.#openCount;
  }

  async openMedia({
    localHost: host,
    sampleRateHz = 8000,
  }: Parameters<MediaFactory['openMedia']>[0]): Promise<RtpMedia> {
    for (let tries = 1; ; tries++) {
      const port = this.#takePort();
      try {
        this.#openCount++;
        return await this.#thread().open({ host, port, sampleRateHz }, () => this.#freePort(port));
      } catch (error) {
        this.#freePort(port);
        const isTaken = error instanceof OpenMediaError && error.code === 'EADDRINUSE';
        if (!isTaken || tries === PORT_TRIES) throw error;
      }
    }
  }

  async stop(): Promise<void> {
    const threads = this.#threads;
    this.#threads = [];
    await Promise.all(threads.map((thread) => thread.stop()));
  }

  #takePort(): number {
    if (!this.#ports) return 0;
    const port = this.#ports.take();
    if (port === null) throw new Error('No RTP port is free');
    return port;
  }

  #freePort(port: number): void {
    this.#openCount--;
    this.#ports?.giveBack(port);
  }

  /** The first worker with free capacity: a few full workers cost less than many half-idle ones. */
  #thread(): MediaThread {
    this.#threads = this.#threads.filter((thread) => thread.isAlive);
    const limit = this.#options.callsPerWorker ?? CALLS_PER_WORKER;
    const roomy = this.#threads.find((thread) => thread.load < limit);
    if (roomy) return roomy;
    const started = new MediaThread(this.#options.log);
    this.#threads.push(started);
    return started;
  }
}
