/**
 * Gathers the keys that the caller presses while a tool waits for them. Until it is done no key reaches the rules of
 * turns. Time is the count of the line's frames; what it decides stands in `key-collection.rules.ts`.
 */
import {
  collectionAnswer,
  gatherKey,
  isOverdue,
  type CollectionEnd,
  type GatheredKeys,
  type KeyCollection,
} from './key-collection.rules.ts';
import type { ToolAnswer } from './tool-runner.ts';

/** The one collection that is open. */
interface OpenCollection {
  collection: KeyCollection;
  gathered: GatheredKeys;
  settle: (answer: ToolAnswer) => void;
}

/** One per conversation. */
export class KeyCollector {
  readonly #nowMs: () => number;
  readonly #variables: Record<string, string> = {};
  #open: OpenCollection | null = null;

  /** @param nowMs - on the call's time line */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** What was kept for the call, by the names that the owner gave. */
  get variables(): Readonly<Record<string, string>> {
    return this.#variables;
  }

  /** Resolves when the caller is done, was given up, or `signal` is aborted; never rejects. One at a time. */
  async collect(collection: KeyCollection, signal: AbortSignal): Promise<ToolAnswer> {
    if (this.#open) return { isOk: false, text: 'Keys are being collected already.' };
    const { promise, resolve } = Promise.withResolvers<ToolAnswer>();
    const open = { collection, gathered: { keys: '', quietSinceMs: this.#nowMs() }, settle: resolve };
    this.#open = open;
    const onAbort = (): void => this.interrupt();
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) this.interrupt();
    const answer = await promise;
    signal.removeEventListener('abort', onAbort);
    return answer;
  }

  /** @returns false when nobody waits for keys */
  take(digit: string): boolean {
    if (!this.#open) return false;
    const { collection, gathered } = this.#open;
    const taken = gatherKey(collection, gathered, { digit, nowMs: this.#nowMs() });
    this.#open.gathered = taken.gathered;
    if (taken.end) this.#finish(taken.end);
    return true;
  }

  /** A frame time has passed. `isSounding`: the assistant was heard in it, so the caller's time has not begun. */
  tick(isSounding: boolean): void {
    if (!this.#open) return;
    const { collection, gathered } = this.#open;
    if (isSounding) gathered.quietSinceMs = this.#nowMs();
    else if (isOverdue(collection, gathered, this.#nowMs())) this.#finish('timed-out');
  }

  /** The caller does something else: what was pressed so far is all. Without a collection, nothing. */
  interrupt(): void {
    this.#finish('interrupted');
  }

  #finish(end: CollectionEnd): void {
    if (!this.#open) return;
    const { collection, gathered, settle } = this.#open;
    this.#open = null;
    const answer = collectionAnswer(gathered.keys, end);
    // `defineProperty`: a variable may be called `__proto__`.
    if (collection.variable !== null && answer.isOk)
      Object.defineProperty(this.#variables, collection.variable, {
        value: gathered.keys,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    settle(answer);
  }
}
