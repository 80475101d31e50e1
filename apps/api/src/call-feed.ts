/**
 * Calls as they change, for the pages that are looking. While anybody looks, this process asks the database every 250 ms
 * what has changed, once for each user; while nobody does, it asks nothing.
 * @see docs/decisions/call-feed-by-polling.md
 */
import type { CallRecord } from '@parley/contracts';
import { callsChangedSince, startOfChanges, type ChangeCursor, type CoreContext } from '@parley/core';
import { pause } from '@parley/runtime';

/** How long the feed waits between two looks, milliseconds. */
const POLL_MS = 250;
/** The same after the database did not answer, milliseconds. */
const RETRY_MS = 1000;

/** Whose calls, and how their records are to be written. */
export interface FeedReader {
  userId: number;
  timezone: string;
  /** Begins the addresses of recordings. */
  publicUrl: string | null;
}

/** Changes that one page has not been given yet; of a call that changed twice only the last record. */
interface Listener {
  pending: Map<number, CallRecord>;
  wake: () => void;
}

/** Everyone who may be given the same records. */
interface Audience {
  reader: FeedReader;
  cursor: ChangeCursor;
  listeners: Set<Listener>;
}

/** One for each process. */
export class CallFeed {
  readonly #core: CoreContext;
  readonly #audiences = new Map<string, Audience>();
  readonly #stopped = new AbortController();
  #polling: Promise<void> | null = null;

  constructor(core: CoreContext) {
    this.#core = core;
  }

  /**
   * Every change from now on, until `signal` is aborted or the feed stops. "Now" is when this resolves: what changes
   * after that is not missed, however late the reading begins.
   */
  async open(reader: FeedReader, signal: AbortSignal): Promise<AsyncGenerator<CallRecord, void, undefined>> {
    const end = AbortSignal.any([signal, this.#stopped.signal]);
    const listener: Listener = { pending: new Map(), wake: () => undefined };
    const leave = await this.#join(reader, listener);
    // A reading that never begins has no end of its own.
    if (end.aborted) leave();
    else end.addEventListener('abort', leave, { once: true });
    return follow(listener, end, leave);
  }

  /** Ends every page's feed. Stopping twice is fine. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#polling;
  }

  async #join(reader: FeedReader, listener: Listener): Promise<() => void> {
    const key = JSON.stringify([reader.userId, reader.timezone, reader.publicUrl]);
    const cursor = await startOfChanges(this.#core);
    // Two pages may come at once: whoever is second joins the first.
    const audience = this.#audiences.get(key) ?? { reader, cursor, listeners: new Set() };
    this.#audiences.set(key, audience);
    audience.listeners.add(listener);
    this.#polling ??= this.#poll().finally(() => (this.#polling = null));
    return () => {
      audience.listeners.delete(listener);
      if (audience.listeners.size === 0) this.#audiences.delete(key);
    };
  }

  async #poll(): Promise<void> {
    while (this.#audiences.size > 0 && !this.#stopped.signal.aborted) {
      const isWell = await this.#look();
      await pause(this.#core.clock, isWell ? POLL_MS : RETRY_MS, this.#stopped.signal);
    }
  }

  /** @returns false when the database did not answer; the cursors stay, so nothing is missed */
  async #look(): Promise<boolean> {
    try {
      for (const audience of this.#audiences.values()) await this.#tell(audience);
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
}

async function* follow(
  listener: Listener,
  end: AbortSignal,
  leave: () => void,
): AsyncGenerator<CallRecord, void, undefined> {
  try {
    while (!end.aborted) {
      yield* takeAll(listener.pending);
      await untilWoken(listener, end);
    }
  } finally {
    leave();
  }
}

function* takeAll(pending: Map<number, CallRecord>): Generator<CallRecord> {
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
