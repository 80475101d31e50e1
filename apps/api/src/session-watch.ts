/**
 * What a WebSocket shows for hours ends within a second after its session has ended, wherever that happened: by signing out,
 * with a changed password, or because an operator has disabled the user. One statement each second asks for all sockets of
 * this process; without sockets nothing is asked.
 */
import { findSignedIn, type CoreContext } from '@parley/core';
import { BackgroundWork, pause } from '@parley/runtime';

/** Between two questions, milliseconds. */
const LOOK_MS = 1000;

interface Watched {
  signInId: string;
  gone: AbortController;
}

/** One for each process. */
export class SessionWatch {
  readonly #core: CoreContext;
  readonly #work: BackgroundWork;
  readonly #watched = new Set<Watched>();
  readonly #stopped = new AbortController();
  #isLooking = false;

  constructor(core: CoreContext) {
    this.#core = core;
    this.#work = new BackgroundWork(core.log);
  }

  /**
   * Watches a sign-in until `signal` is aborted, which the caller must do in the end.
   *
   * @returns aborted with `signal`, or when the session has ended
   */
  untilEnded(signInId: string, signal: AbortSignal): AbortSignal {
    const watched: Watched = { signInId, gone: new AbortController() };
    if (!signal.aborted) {
      this.#watched.add(watched);
      signal.addEventListener('abort', () => this.#watched.delete(watched), { once: true });
      this.#start();
    }
    return AbortSignal.any([signal, watched.gone.signal]);
  }

  /** May be called twice. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#work.settled();
  }

  #start(): void {
    if (this.#isLooking || this.#stopped.signal.aborted) return;
    this.#isLooking = true;
    this.#work.start('watch the sessions of sockets', async () => {
      while (this.#watched.size > 0 && !this.#stopped.signal.aborted) {
        await pause(this.#core.clock, LOOK_MS, this.#stopped.signal);
        await this.#look();
      }
      // No await between the condition and this line: a later socket then starts another loop.
      this.#isLooking = false;
    });
  }

  /** A database error ends nothing: the question is asked again at the next turn. */
  async #look(): Promise<void> {
    const asked = [...this.#watched];
    if (asked.length === 0) return;
    const ids = [...new Set(asked.map(({ signInId }) => signInId))];
    const living = await findSignedIn(this.#core, ids).catch(() => null);
    if (living === null) return;
    for (const watched of asked) {
      if (living.has(watched.signInId)) continue;
      this.#watched.delete(watched);
      watched.gone.abort();
    }
  }
}
