/**
 * The main thread's side of one WebRTC worker: starts the thread, batches commands, and hands reports to their links. If the
 * thread dies, its links fail, and their calls continue over the WebSocket.
 */
import { Worker } from 'node:worker_threads';
import type { Log } from '@parley/runtime';
import type { WebRtcCommand, WebRtcReport } from './webrtc-messages.ts';
import { WebRtcLink } from './webrtc-link.ts';

/** A connection could not be opened; `code` is that of the system or of the worker. */
export class OpenWebRtcError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`A WebRTC connection could not be opened: ${code}`);
    this.name = 'OpenWebRtcError';
    this.code = code;
  }
}

/** IDs are unique in the process, so that a late report never reaches another call. */
let latestId = 0;

/** Where a connection listens, and what its answer names. */
export interface WebRtcAddress {
  host: string;
  /** 0: any. */
  port: number;
  addresses: string[];
}

/** One worker thread. */
export class WebRtcThread {
  readonly #log: Log;
  readonly #worker: Worker;
  readonly #links = new Map<number, WebRtcLink>();
  readonly #opening = new Map<
    number,
    { resolve: (answer: string) => void; reject: (error: Error) => void }
  >();
  /** Callbacks for ports that are being closed. */
  readonly #closing = new Map<number, () => void>();
  #commands: WebRtcCommand[] = [];
  #isGone = false;

  constructor(log: Log) {
    this.#log = log;
    this.#worker = new Worker(new URL('./webrtc-worker.ts', import.meta.url), { name: 'webrtc' });
    this.#worker.unref();
    this.#worker.on('message', (reports: WebRtcReport[]) => this.#takeAll(reports));
    this.#worker.on('error', (error) => log.error({ err: error }, 'The WebRTC worker has failed'));
    this.#worker.on('exit', () => this.#takeExit());
  }

  /** False after the thread has ended. */
  get isAlive(): boolean {
    return !this.#isGone;
  }

  /**
   * Answers an offer.
   *
   * @param onFree - called once when the port is free again, also after an error
   * @throws OpenWebRtcError
   */
  async open(offer: string, at: WebRtcAddress, onFree: () => void): Promise<WebRtcLink> {
    const id = ++latestId;
    try {
      const answer = await new Promise<string>((resolve, reject) => {
        if (this.#isGone) return reject(new OpenWebRtcError('worker-gone'));
        this.#opening.set(id, { resolve, reject });
        this.#post({ do: 'open', id, offer, ...at });
      });
      const link = new WebRtcLink({
        answer,
        play: (index, samples) => this.#post({ do: 'play', id, index, samples }),
        onClose: () => this.#close(id, onFree),
      });
      this.#links.set(id, link);
      return link;
    } catch (error) {
      onFree();
      throw error;
    }
  }

  /** Terminates the thread and all its connections. */
  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #close(id: number, onFree: () => void): void {
    this.#links.delete(id);
    if (this.#isGone) return onFree();
    this.#closing.set(id, onFree);
    this.#post({ do: 'close', id });
  }

  #post(command: WebRtcCommand): void {
    if (this.#isGone) return;
    if (this.#commands.length === 0) queueMicrotask(() => this.#flush());
    this.#commands.push(command);
    // The thread keeps the process alive while it has connections.
    this.#worker.ref();
  }

  #flush(): void {
    const commands = this.#commands;
    this.#commands = [];
    if (!this.#isGone) this.#worker.postMessage(commands, []);
  }

  #takeAll(reports: WebRtcReport[]): void {
    for (const report of reports) {
      try {
        this.#take(report);
      } catch (error) {
        // A listener threw. This must not affect the other calls of the message.
        this.#log.error({ err: error, report: report.type }, 'A WebRTC listener has failed');
      }
    }
    if (this.#links.size + this.#opening.size + this.#closing.size === 0) this.#worker.unref();
  }

  #take(report: WebRtcReport): void {
    switch (report.type) {
      case 'answered':
        settle(this.#opening, report.id)?.resolve(report.answer);
        break;
      case 'refused':
        settle(this.#opening, report.id)?.reject(new OpenWebRtcError(report.code));
        break;
      case 'connected':
        this.#links.get(report.id)?.deliverConnected();
        break;
      case 'sound':
        this.#links.get(report.id)?.deliverSound(report);
        break;
      case 'stats':
        this.#links.get(report.id)?.deliverStats(report.stats);
        break;
      case 'failed':
        this.#links.get(report.id)?.deliverFailed(report.reason);
        break;
      case 'closed':
        settle(this.#closing, report.id)?.();
        break;
      case 'fault':
        this.#log.error(
          { where: report.where, reason: report.message },
          'The WebRTC worker caught an exception',
        );
        break;
    }
  }

  #takeExit(): void {
    this.#isGone = true;
    for (const { reject } of this.#opening.values()) reject(new OpenWebRtcError('worker-gone'));
    for (const onFree of this.#closing.values()) onFree();
    const orphans = [...this.#links.values()];
    this.#opening.clear();
    this.#closing.clear();
    for (const link of orphans) link.deliverFailed('The WebRTC worker has ended');
  }
}

/** Removes an entry from a map and returns it. */
function settle<Value>(map: Map<number, Value>, id: number): Value | undefined {
  const value = map.get(id);
  map.delete(id);
  return value;
}
