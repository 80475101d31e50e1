/**
 * Changes of calls, for open pages, and new events of single calls, for event streams. While at least one of them is open,
 * this process polls the database every 250 ms, once for each user with a page and once for all streams; otherwise it does
 * not poll.
 * @see docs/decisions/call-feed-by-polling.md
 */
import type { CallSummary } from '@parley/contracts';
import {
  callsChangedSince,
  findUnread,
  startOfChanges,
  type CallKey,
  type ChangeCursor,
  type CoreContext,
} from '@parley/core';
import { pause } from '@parley/runtime';

/** The polling interval, milliseconds. */
const POLL_MS = 250;
/** The interval after a failed poll, milliseconds. */
const RETRY_MS = 1000;

/** Whose calls, and how their records are formatted. */
export interface FeedReader {
  userId: number;
  timezone: string;
  /** The origin of recording links. */
  publicUrl: string | null;
}

/** Changes that were not delivered to one page yet; for a call that changed twice, only its latest record. */
interface Listener {
  pending: Map<number, CallSummary>;
  wake: () => void;
}

/** The subscribers that receive the same records. */
interface Audience {
  reader: FeedReader;
  cursor: ChangeCursor;
  listeners: Set<Listener>;
}

/** One reader of the events of one call. It reads them itself, so that a slow one costs no memory here. */
export interface CallWatch {
  readonly call: CallKey;
  /** The number of the last event that was read; the reader keeps it up to date. */
  last: number;
  /** Aborted when the reader is gone or the feed stops. */
  readonly ended: AbortSignal;
  /** Resolves when there may be events after `last`, at the latest after `limitMs` or with `ended`. */
  untilUnread(limitMs: number): Promise<void>;
}

interface Watcher extends CallWatch {
  wake: () => void;
}

/** One for each process. */
export class CallFeed {
  readonly #core: CoreContext;
  readonly #audiences = new Map<string, Audience>();
  readonly #watchers = new Set<Watcher>();
  readonly #stopped = new AbortController();
  #polling: Promise<void> | null = null;

  constructor(core: CoreContext) {
    this.#core = core;
  }

  /**
   * Every change after this promise resolves, until `signal` is aborted or the feed stops. No change is missed, however
   * late the caller starts to read.
   */
  async open(reader: FeedReader, signal: AbortSignal): Promise<AsyncGenerator<CallSummary, void, undefined>> {
    const end = AbortSignal.any([signal, this.#stopped.signal]);
    const listener: Listener = { pending: new Map(), wake: () => undefined };
    const leave = await this.#join(reader, listener);
    // A generator that is never started does not run its `finally`.
    if (end.aborted) leave();
    else end.addEventListener('abort', leave, { once: true });
    return follow(listener, end, leave);
  }

  /** Follows one call until `signal` is aborted, which the caller must do in the end, or the feed stops. */
  watch(call: CallKey, last: number, signal: AbortSignal): CallWatch {
    const { clock } = this.#core;
    const ended = AbortSignal.any([signal, this.#stopped.signal]);
    const watcher: Watcher = {
      call,
      last,
      ended,
      wake: () => undefined,
      async untilUnread(limitMs) {
        const woken = new AbortController();
        watcher.wake = () => woken.abort();
        if (!ended.aborted) await pause(clock, limitMs, woken.signal);
      },
    };
    if (ended.aborted) return watcher;
    this.#watchers.add(watcher);
    const leave = (): void => {
      this.#watchers.delete(watcher);
      watcher.wake();
    };
    ended.addEventListener('abort', leave, { once: true });
    this.#startPolling();
    return watcher;
  }

  /** Ends every subscription. May be called twice. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#polling;
  }

  async #join(reader: FeedReader, listener: Listener): Promise<() => void> {
    const key = JSON.stringify([reader.userId, reader.timezone, reader.publicUrl]);
    const cursor = await startOfChanges(this.#core);
    // Two pages may subscribe at the same time: the second joins the first.
    const audience = this.#audiences.get(key) ?? { reader, cursor, listeners: new Set() };
    this.#audiences.set(key, audience);
    audience.listeners.add(listener);
    this.#startPolling();
    return () => {
      audience.listeners.delete(listener);
      if (audience.listeners.size === 0) this.#audiences.delete(key);
    };
  }

  #startPolling(): void {
    this.#polling ??= this.#poll();
  }

  async #poll(): Promise<void> {
    while (this.#audiences.size + this.#watchers.size > 0 && !this.#stopped.signal.aborted) {
      const isWell = await this.#look();
      await pause(this.#core.clock, isWell ? POLL_MS : RETRY_MS, this.#stopped.signal);
    }
    // No await between the condition and this line: a later subscription then starts another loop.
    this.#polling = null;
  }

  /** @returns false when the database did not answer; the cursors keep their position, so no change is missed */
  async #look(): Promise<boolean> {
    try {
      for (const audience of this.#audiences.values()) await this.#tell(audience);
      if (this.#watchers.size > 0) await this.#wakeReaders();
      return true;
    } catch (error) {
      this.#core.log.warn({ err: error }, 'Changed calls could not be read');
      return false;
    }
  }

  async #tell(audience: Audience): Promise<void> {
    const { userId, timezone, publicUrl } = audience.reader;
    const core = { ...this.#core, publicUrl };
    const { rows, cursor } = await callsChangedSince(core, { userId, timezone, cursor: audience.cursor });
    audience.cursor = cursor;
    if (rows.length === 0) return;
    for (const listener of audience.listeners) {
      for (const row of rows) listener.pending.set(row.id, row);
      listener.wake();
    }
  }

  /** Readers are compared with what they have read, so that one that was not waiting is woken by the next poll. */
  async #wakeReaders(): Promise<void> {
    const unread = await findUnread(this.#core, [...this.#watchers]);
    for (const watcher of unread) watcher.wake();
  }
}

async function* follow(
  listener: Listener,
  end: AbortSignal,
  leave: () => void,
): AsyncGenerator<CallSummary, void, undefined> {
  try {
    while (!end.aborted) {
      yield* takeAll(listener.pending);
      await untilWoken(listener, end);
    }
  } finally {
    leave();
  }
}

function* takeAll(pending: Map<number, CallSummary>): Generator<CallSummary> {
  for (const [id, record] of pending) {
    pending.delete(id);
    yield record;
  }
}

async function untilWoken(listener: Listener, end: AbortSignal): Promise<void> {
  if (listener.pending.size > 0 || end.aborted) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      end.removeEventListener('abort', done);
      listener.wake = () => undefined;
      resolve();
    };
    listener.wake = done;
    end.addEventListener('abort', done, { once: true });
  });
}
