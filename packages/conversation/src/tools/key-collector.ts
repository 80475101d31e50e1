/**
 * Collects the keys that the caller presses while a tool waits for them. Meanwhile no key reaches the turn-taking rules.
 * Time is the count of audio frames; the rules are in `key-collection.rules.ts`.
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

  /** @param nowMs - the current call time */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The keys that were stored as variables, by name. */
  get variables(): Readonly<Record<string, string>> {
    return this.#variables;
  }

  /** Resolves when the collection is over or `signal` is aborted; never rejects. One collection at a time. */
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

  /** @returns false if no collection is open */
  take(digit: string): boolean {
    if (!this.#open) return false;
    const { collection, gathered } = this.#open;
    const taken = gatherKey(collection, gathered, { digit, nowMs: this.#nowMs() });
    this.#open.gathered = taken.gathered;
    if (taken.end) this.#finish(taken.end);
    return true;
  }

  /** 20 ms have passed. `isSounding`: the assistant was speaking, so the timeout does not run yet. */
  tick(isSounding: boolean): void {
    if (!this.#open) return;
    const { collection, gathered } = this.#open;
    if (isSounding) gathered.quietSinceMs = this.#nowMs();
    else if (isOverdue(collection, gathered, this.#nowMs())) this.#finish('timed-out');
  }

  /** Ends the open collection, if there is one, with the keys so far. */
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
