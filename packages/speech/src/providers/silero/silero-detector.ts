/**
 * Voice activity detection for all calls of a process: cuts their audio into windows, sends the windows of all streams to the
 * Silero thread in batches, and distributes the results. Times are those of the audio; the clock only decides when a batch is
 * sent.
 */
import { Framer } from '@parley/audio';
import type { Clock, Log, Timer } from '@parley/runtime';
import { SpeechError, type VoiceActivityDetector, type VoiceActivityStream } from '../../ports.ts';
import { WorkerConnection } from '../../worker-connection.ts';
import { ENERGY_START, measureEnergy, type EnergyState } from '../energy/energy-meter.ts';
import { SILERO_WINDOW_SAMPLES, type SileroBatch, type SileroReply } from './silero-message.ts';

const WINDOW_MS = SILERO_WINDOW_SAMPLES / 16;
/** A batch of 100 windows takes a few milliseconds. After this time loudness stands in until the thread answers. */
const BATCH_LIMIT_MS = 5000;
/** Loading takes 0.1 s, and much longer while the machine starts other things; no call waits for it. */
const LOAD_LIMIT_MS = 30_000;
/**
 * How long windows are collected, milliseconds. Calls share one 20 ms frame clock, so their windows arrive in bursts; this
 * collects a whole burst. The length of a window (32 ms) would save little time and delay every turn by up to 22 ms more.
 */
const GATHER_MS = 10;

type OnWindow = (probability: number, endMs: number) => void;
interface PendingWindow {
  stream: SileroStream;
  samples: Int16Array;
}
interface StreamOwner {
  add(window: PendingWindow): void;
  forget(): void;
}

/** The last three are for tests and measurements. */
export interface SileroOptions {
  clock: Clock;
  log: Log;
  gatherMs?: number;
  batchLimitMs?: number;
  threadFile?: URL;
}

/** @see createBuiltInDetector, which falls back where the model cannot be loaded */
export class SileroDetector implements VoiceActivityDetector {
  readonly kind = 'silero';
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #gatherMs: number;
  readonly #line: WorkerConnection<SileroBatch, SileroReply>;
  #pending: PendingWindow[] = [];
  readonly #closedIds: number[] = [];
  #timer: Timer | null = null;
  #batch: Promise<void> | null = null;
  #streamCount = 0;
  #isClosed = false;
  /** Whether a failure was logged already, so that not every batch logs it. */
  #isFailing = false;

  constructor({ clock, log, gatherMs, batchLimitMs = BATCH_LIMIT_MS, threadFile }: SileroOptions) {
    this.#clock = clock;
    this.#log = log;
    this.#gatherMs = gatherMs ?? GATHER_MS;
    const file = threadFile ?? new URL('./silero-worker.ts', import.meta.url);
    this.#line = new WorkerConnection({ file, clock, limitMs: batchLimitMs, isNative: true });
  }

  /**
   * Starts the thread and loads the model. If that takes too long, the detector can be used all the same: loudness stands
   * in until the model is loaded.
   *
   * @throws SpeechError `unavailable` where the model cannot run on this machine; the detector is then closed
   */
  async start(): Promise<void> {
    try {
      await this.#ask([], LOAD_LIMIT_MS);
    } catch (error) {
      if (error instanceof SpeechError && error.kind === 'timed-out') {
        this.#isFailing = true;
        return this.#log.warn('Silero is not loaded yet; speech is detected by its level until it is');
      }
      await this.close();
      throw error;
    }
  }

  open(onWindow: OnWindow): VoiceActivityStream {
    const id = this.#streamCount++;
    return new SileroStream(id, onWindow, {
      add: (window) => this.#add(window),
      forget: () => this.#closedIds.push(id),
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#pending = [];
    await this.#batch; // waits for the native call
    await this.#line.stop();
  }

  #add(window: PendingWindow): void {
    if (this.#isClosed) return;
    this.#pending.push(window);
    if (!this.#timer && !this.#batch) this.#gather(this.#gatherMs);
  }

  #gather(forMs: number): void {
    this.#timer = this.#clock.after(forMs, () => {
      this.#timer = null;
      this.#batch = this.#send();
    });
  }

  /** One batch at a time; windows that arrive meanwhile form the next one. */
  async #send(): Promise<void> {
    const sentAt = this.#clock.monotonic();
    const batch = this.#pending;
    this.#pending = [];
    const probabilities = await this.#analyse(batch);
    for (const [index, { stream, samples }] of batch.entries())
      this.#deliver(stream, probabilities?.[index] ?? stream.loudness(samples));
    this.#batch = null;
    const leftMs = Math.max(0, this.#gatherMs - (this.#clock.monotonic() - sentAt));
    if (this.#pending.length > 0 && !this.#isClosed) this.#gather(leftMs);
  }

  /** A listener that throws must not affect other calls. */
  #deliver(stream: SileroStream, probability: number): void {
    try {
      stream.deliver(probability);
    } catch (error) {
      this.#log.error({ err: error }, 'A listener to voice activity failed');
    }
  }

  /**
   * The second attempt starts a new thread if the first one died; its streams then begin again, as at the start of a call.
   *
   * @returns null if that fails too; loudness is then used instead
   */
  async #analyse(batch: readonly PendingWindow[]): Promise<Float32Array | null> {
    for (const _try of [1, 2]) {
      try {
        const probabilities = await this.#ask(batch);
        if (this.#isFailing) this.#log.info('Silero works again');
        this.#isFailing = false;
        return probabilities;
      } catch (error) {
        if (!this.#isFailing && !this.#isClosed) this.#log.error({ err: error }, 'Silero failed');
        this.#isFailing = true;
      }
    }
    return null;
  }

  async #ask(batch: readonly PendingWindow[], limitMs?: number): Promise<Float32Array> {
    const windows = new Int16Array(batch.length * SILERO_WINDOW_SAMPLES);
    for (const [index, { samples }] of batch.entries()) windows.set(samples, index * SILERO_WINDOW_SAMPLES);
    const streamIds = batch.map(({ stream }) => stream.id);
    const closedIds = [...this.#closedIds];
    const reply = await this.#line.ask({ streamIds, windows, closedIds }, limitMs);
    this.#closedIds.splice(0, closedIds.length);
    if ('fault' in reply)
      throw new SpeechError('unavailable', `Silero does not work on this machine: ${reply.fault}`);
    return reply.probabilities;
  }
}

class SileroStream implements VoiceActivityStream {
  readonly id: number;
  readonly #onWindow: OnWindow;
  readonly #owner: StreamOwner;
  readonly #framer = new Framer(SILERO_WINDOW_SAMPLES);
  #energy: EnergyState = ENERGY_START;
  #delivered = 0;
  #isClosed = false;

  constructor(id: number, onWindow: OnWindow, owner: StreamOwner) {
    this.id = id;
    this.#onWindow = onWindow;
    this.#owner = owner;
  }

  push(samples: Int16Array): void {
    if (this.#isClosed) return;
    this.#framer.push(samples, (window) => this.#owner.add({ stream: this, samples: window.slice() }));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#owner.forget();
  }

  /** The probability of the next window, in order. */
  deliver(probability: number): void {
    this.#delivered += 1;
    if (!this.#isClosed) this.#onWindow(probability, this.#delivered * WINDOW_MS);
  }

  /** The probability by loudness, if there is no result of the model. */
  loudness(window: Int16Array): number {
    const { state, probability } = measureEnergy(this.#energy, window);
    this.#energy = state;
    return probability;
  }
}
