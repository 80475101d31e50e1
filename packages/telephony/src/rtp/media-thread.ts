/**
 * The main thread's side of one media worker: starts the thread, batches commands into one message per turn of the event
 * loop, and dispatches reports to their legs. If the thread dies, its legs are notified of silence, which ends them.
 */
import { Worker } from 'node:worker_threads';
import type { Log } from '@parley/runtime';
import type { LegRateHz } from './audio-codec.ts';
import type { MediaCommand, MediaReport } from './media-messages.ts';
import { unpackTicks } from './tick-batch.ts';
import { WorkerMedia } from './worker-media.ts';

/** A port could not be opened; `code` is the error code of the system, or `worker-gone`. */
export class OpenMediaError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`The media ports could not be opened: ${code}`);
    this.name = 'OpenMediaError';
    this.code = code;
  }
}

/** Measured: a call with Opus costs the thread as much as several with G.711 (docs/decisions/codecs.md). */
const WIDEBAND_LOAD = 4;

/** IDs are unique in the process, so that a late report never reaches another call. */
let latestId = 0;

/** One worker thread. */
export class MediaThread {
  readonly #log: Log;
  readonly #worker: Worker;
  readonly #media = new Map<number, WorkerMedia>();
  /** Pending calls of {@link open}. */
  readonly #opening = new Map<number, { resolve: (port: number) => void; reject: (error: Error) => void }>();
  /** Callbacks for ports that are being closed. */
  readonly #closing = new Map<number, () => void>();
  /** The wideband ones of these calls. */
  readonly #wideband = new Set<number>();
  #commands: MediaCommand[] = [];
  #isGone = false;

  constructor(log: Log) {
    this.#log = log;
    this.#worker = new Worker(new URL('./media-worker.ts', import.meta.url), { name: 'media' });
    this.#worker.unref();
    this.#worker.on('message', (report: MediaReport) => this.#take(report));
    this.#worker.on('error', (error) => log.error({ err: error }, 'The media worker has failed'));
    this.#worker.on('exit', () => this.#takeExit());
  }

  /** The number of calls on this thread, including those being opened and closed. */
  get callCount(): number {
    return this.#media.size + this.#opening.size + this.#closing.size;
  }

  /** The number of calls, of which each wideband one counts as several. */
  get load(): number {
    return this.callCount + (WIDEBAND_LOAD - 1) * this.#wideband.size;
  }

  /** False after the thread has ended. */
  get isAlive(): boolean {
    return !this.#isGone;
  }

  /**
   * Opens the ports of a call.
   *
   * @param options.port - even, or 0: any
   * @param onFree - called once when the ports are free again
   * @throws OpenMediaError
   */
  async open(
    { host, port, sampleRateHz }: { host: string; port: number; sampleRateHz: LegRateHz },
    onFree: () => void,
  ): Promise<WorkerMedia> {
    if (this.#isGone) throw new OpenMediaError('worker-gone');
    const id = ++latestId;
    if (sampleRateHz > 8000) this.#wideband.add(id);
    this.#post({ do: 'open', id, host, port, sampleRateHz });
    const localPort = await new Promise<number>((resolve, reject) =>
      this.#opening.set(id, { resolve, reject }),
    );
    const media = new WorkerMedia({
      id,
      localPort,
      sampleRateHz,
      post: (command) => this.#post(command),
      onClose: () => this.#close(id, onFree),
    });
    this.#media.set(id, media);
    return media;
  }

  /** Terminates the thread and all its calls. */
  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #close(id: number, onFree: () => void): void {
    this.#media.delete(id);
    if (this.#isGone) onFree();
    else this.#closing.set(id, onFree);
  }

  #post(command: MediaCommand): void {
    if (this.#commands.length === 0) queueMicrotask(() => this.#flush());
    this.#commands.push(command);
    // The thread keeps the process alive while it has calls.
    this.#worker.ref();
  }

  #flush(): void {
    const commands = this.#commands;
    this.#commands = [];
    if (!this.#isGone) this.#worker.postMessage(commands, []);
  }

  #take(report: MediaReport): void {
    try {
      this.#dispatch(report);
    } catch (error) {
      // A listener threw. This must not affect the other calls of the message.
      this.#log.error({ err: error, report: report.type }, 'A media listener has failed');
    }
    if (this.callCount === 0) this.#worker.unref();
  }

  #dispatch(report: MediaReport): void {
    switch (report.type) {
      case 'ticks':
        for (const { id, tick, stats } of unpackTicks(report.ticks))
          this.#deliver(id, (media) => media.deliverTick(tick, stats));
        break;
      case 'key':
        this.#media.get(report.id)?.deliverKey({ digit: report.digit, durationMs: report.durationMs });
        break;
      case 'silence':
        this.#media.get(report.id)?.deliverSilence();
        break;
      case 'opened':
        settle(this.#opening, report.id)?.resolve(report.port);
        break;
      case 'open-failed':
        this.#wideband.delete(report.id);
        settle(this.#opening, report.id)?.reject(new OpenMediaError(report.code));
        break;
      case 'rejected':
        this.#log.warn(
          { packets: report.packets },
          'RTP packets that did not belong to a call were rejected',
        );
        break;
      case 'closed':
        this.#wideband.delete(report.id);
        settle(this.#closing, report.id)?.();
        break;
      case 'fault':
        this.#log.error(
          { where: report.where, reason: report.message },
          'The media worker caught an exception',
        );
        break;
    }
  }

  #deliver(id: number, deliver: (media: WorkerMedia) => void): void {
    const media = this.#media.get(id);
    try {
      if (media) deliver(media);
    } catch (error) {
      this.#log.error({ err: error }, 'A tick listener has failed');
    }
  }

  #takeExit(): void {
    this.#isGone = true;
    const gone = new OpenMediaError('worker-gone');
    for (const { reject } of this.#opening.values()) reject(gone);
    for (const onFree of this.#closing.values()) onFree();
    const orphans = [...this.#media.values()];
    this.#opening.clear();
    this.#wideband.clear();
    this.#closing.clear();
    for (const media of orphans) media.deliverSilence();
  }
}

/** Removes an entry from a map and returns it. */
function settle<Value>(map: Map<number, Value>, id: number): Value | undefined {
  const value = map.get(id);
  map.delete(id);
  return value;
}
