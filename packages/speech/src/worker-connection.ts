/**
 * A connection to one worker thread that answers one message at a time. The thread starts with the first question, and
 * again with the next question after it has died or was ended. Owns the thread, the time limit of a question, and the
 * timer that ends an idle thread.
 */
import { Worker } from 'node:worker_threads';
import type { Clock, Timer } from '@parley/runtime';
import { SpeechError } from './ports.ts';

/** How a thread is started and how long its owner waits. */
export interface WorkerConnectionOptions {
  /** The thread's file, as a URL relative to `import.meta.url`. */
  file: URL;
  clock: Clock;
  /** A question that is not answered within this time fails, milliseconds. */
  limitMs: number;
  /** A thread without questions for this long is ended, milliseconds; absent: it stays. */
  idleLimitMs?: number;
  /**
   * The thread runs native code. Terminating it in the middle of a native call aborts the whole process
   * (`Napi::Error`), so a thread that is late is left to finish, and questions fail at once until it has. An idle thread is in no
   * native call.
   */
  isNative?: boolean;
}

interface Question<Reply> {
  settle: (result: Reply | SpeechError) => void;
  timer: Timer;
}

/** A native thread that still works on a question which has failed. */
interface Lateness {
  timer: Timer;
  ended: PromiseWithResolvers<void>;
}

/** A native thread that is later than this is replaced and left alone, milliseconds. */
const ABANDONED_AFTER_MS = 60_000;
/** Threads that are left alone keep their memory, so there are no more of them than this. */
const MOST_ABANDONED = 2;

/** See the head of this file. `Request` and `Reply` must survive structured cloning. */
export class WorkerConnection<Request, Reply> {
  readonly #options: WorkerConnectionOptions;
  #worker: Worker | null = null;
  #question: Question<Reply> | null = null;
  #late: Lateness | null = null;
  #abandoned = 0;
  /** Runs from an answer to the next question. */
  #idleTimer: Timer | null = null;
  #isStopped = false;

  constructor(options: WorkerConnectionOptions) {
    this.#options = options;
  }

  /** Whether a question would find a thread. */
  get isRunning(): boolean {
    return this.#worker !== null;
  }

  /**
   * Asks a question. The answer to the previous question must have come first.
   *
   * @throws SpeechError `timed-out` or `unavailable`
   */
  async ask(request: Request, limitMs = this.#options.limitMs): Promise<Reply> {
    if (this.#isStopped) throw new SpeechError('unavailable', 'The speech thread was stopped');
    if (this.#question) throw new Error('The speech thread was asked before it had answered');
    if (this.#late || this.#abandoned > MOST_ABANDONED)
      throw new SpeechError('unavailable', 'The speech thread has not answered an earlier question');
    this.#idleTimer?.cancel();
    const worker = (this.#worker ??= this.#startWorker());
    const result = await new Promise<Reply | SpeechError>((settle) => {
      const timer = this.#options.clock.after(limitMs, () => this.#giveUp(worker));
      this.#question = { settle, timer };
      worker.postMessage(request, []);
    });
    if (result instanceof SpeechError) throw result;
    return result;
  }

  /**
   * Ends the thread; an open question fails. A native thread gets its time limit to finish; if it does not, it ends with
   * the process. Harmless when repeated.
   */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#options.isNative && this.#question && this.#worker) this.#beginLateness(this.#worker);
    this.#answer(new SpeechError('unavailable', 'The speech thread was stopped'));
    await this.#lateEnd();
    const worker = this.#worker;
    this.#worker = null;
    if (this.#late) worker?.unref();
    else await worker?.terminate();
    this.#endLateness();
  }

  #startWorker(): Worker {
    const worker = new Worker(this.#options.file);
    worker.on('message', (reply: Reply) => this.#received(worker, reply));
    worker.on('error', (cause: unknown) => this.#lose(worker, cause));
    worker.on('exit', (code) => this.#lose(worker, new Error(`The thread ended with code ${code}`)));
    return worker;
  }

  #received(worker: Worker, reply: Reply): void {
    if (this.#worker !== worker) return; // given up or stopped
    if (!this.#late) return this.#answer(reply);
    this.#endLateness();
    this.#waitForQuestions();
  }

  #giveUp(worker: Worker): void {
    if (this.#options.isNative) this.#beginLateness(worker);
    else this.#terminate();
    this.#answer(new SpeechError('timed-out', 'The speech thread did not answer in time'));
  }

  #beginLateness(worker: Worker): void {
    const timer = this.#options.clock.after(ABANDONED_AFTER_MS, () => this.#abandon(worker));
    this.#late = { timer, ended: Promise.withResolvers<void>() };
  }

  #endLateness(): void {
    this.#late?.timer.cancel();
    this.#late?.ended.resolve();
    this.#late = null;
  }

  /** The next question gets a new thread. */
  #abandon(worker: Worker): void {
    worker.unref();
    this.#worker = null;
    this.#abandoned += 1;
    this.#endLateness();
  }

  /** Resolves when no thread is late any more, or after the time limit of a question. */
  async #lateEnd(): Promise<void> {
    const late = this.#late;
    if (!late) return;
    const limit = Promise.withResolvers<void>();
    const timer = this.#options.clock.after(this.#options.limitMs, limit.resolve);
    await Promise.race([late.ended.promise, limit.promise]);
    timer.cancel();
  }

  /** Ending an idle thread frees its memory; the next question pays for a new one. */
  #waitForQuestions(): void {
    const { clock, idleLimitMs } = this.#options;
    this.#idleTimer?.cancel();
    if (idleLimitMs === undefined || this.#isStopped || this.#question || this.#late) return;
    this.#idleTimer = clock.after(idleLimitMs, () => this.#terminate());
  }

  #terminate(): void {
    const worker = this.#worker;
    this.#worker = null;
    // The promise only tells the exit code, and resolves when the thread was gone already.
    worker?.terminate().catch(() => undefined);
  }

  #lose(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return; // given up or stopped
    this.#worker = null;
    this.#endLateness();
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
