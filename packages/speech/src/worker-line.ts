/**
 * A line to one worker thread that answers one message at a time. The thread starts with the first question, and again
 * with the next one after it has died or was let go. Owns the thread, the timer that catches a thread that hangs, and
 * the one that lets a thread go which nobody asks.
 */
import { Worker, type TransferListItem } from 'node:worker_threads';
import type { Clock, Timer } from '@parley/runtime';
import { SpeechError } from './ports.ts';

/** How a thread is started and how patient its owner is. */
export interface WorkerLineOptions {
  /** The thread's file, as a URL relative to `import.meta.url`. */
  file: URL;
  clock: Clock;
  /** A question not answered within this time ends the thread, milliseconds. */
  limitMs: number;
  /** A thread that was asked nothing for so long is let go, milliseconds; absent: it stays. */
  idleLimitMs?: number;
}

interface Question<Reply> {
  settle: (result: Reply | SpeechError) => void;
  timer: Timer;
}

/** See the head of this file. `Request` and `Reply` must survive structured cloning. */
export class WorkerLine<Request, Reply> {
  readonly #options: WorkerLineOptions;
  #worker: Worker | null = null;
  #question: Question<Reply> | null = null;
  /** Runs from an answer to the next question. */
  #idleTimer: Timer | null = null;
  #isStopped = false;

  constructor(options: WorkerLineOptions) {
    this.#options = options;
  }

  /**
   * Asks; the answer to an earlier question must have come first.
   *
   * @param transfer - buffers handed over instead of copied; useless to the caller afterwards
   * @throws SpeechError `timed-out` or `unavailable`
   */
  async ask(request: Request, transfer: readonly TransferListItem[] = []): Promise<Reply> {
    if (this.#isStopped) throw new SpeechError('unavailable', 'The speech thread was stopped');
    if (this.#question) throw new Error('The speech thread was asked before it had answered');
    this.#idleTimer?.cancel();
    const worker = (this.#worker ??= this.#startWorker());
    const result = await new Promise<Reply | SpeechError>((settle) => {
      const timer = this.#options.clock.after(this.#options.limitMs, () => this.#giveUp(worker));
      this.#question = { settle, timer };
      worker.postMessage(request, transfer);
    });
    if (result instanceof SpeechError) throw result;
    return result;
  }

  /** Ends the thread; an open question fails. Harmless when repeated. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#idleTimer?.cancel();
    const worker = this.#worker;
    this.#worker = null;
    this.#answer(new SpeechError('unavailable', 'The speech thread was stopped'));
    await worker?.terminate();
  }

  #startWorker(): Worker {
    const worker = new Worker(this.#options.file);
    worker.on('message', (reply: Reply) => this.#answer(reply));
    worker.on('error', (cause: unknown) => this.#lose(worker, cause));
    worker.on('exit', (code) => this.#lose(worker, new Error(`The thread ended with code ${code}`)));
    return worker;
  }

  #giveUp(worker: Worker): void {
    if (this.#worker === worker) this.#worker = null;
    this.#answer(new SpeechError('timed-out', 'The speech thread did not answer in time'));
    void worker.terminate();
  }

  /** A thread that is let go frees its memory; the next question pays for a new one. */
  #waitForQuestions(): void {
    const { clock, idleLimitMs } = this.#options;
    this.#idleTimer?.cancel();
    if (idleLimitMs === undefined || this.#isStopped || this.#question) return;
    this.#idleTimer = clock.after(idleLimitMs, () => {
      const worker = this.#worker;
      this.#worker = null;
      void worker?.terminate();
    });
  }

  #lose(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return; // given up or stopped by us
    this.#worker = null;
    this.#answer(new SpeechError('unavailable', 'The speech thread died', { cause }));
  }

  #answer(result: Reply | SpeechError): void {
    const question = this.#question;
    this.#question = null;
    question?.timer.cancel();
    question?.settle(result);
    this.#waitForQuestions();
  }
}
