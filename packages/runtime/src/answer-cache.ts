/** Answers of name servers: each is kept for a time, as are failures, and concurrent questions share one query. */
import type { Clock } from './clock.ts';
import { withDeadline } from './deadline.ts';

/** How long an answer is cached, milliseconds. */
const CACHE_MS = 60_000;
/** How long a failure is cached, milliseconds. */
const FAILURE_CACHE_MS = 5000;
/** Limit of one question, milliseconds. */
const LIMIT_MS = 4000;
/** Limit of cached names. */
const MAX_NAMES = 1000;

interface Entry<Answer> {
  /** Null while the first query is in progress, and after a failure. */
  answer: Answer | null;
  result: Promise<Answer>;
  untilMs: number;
}

/** One per kind of question. */
export class AnswerCache<Answer> {
  readonly #clock: Clock;
  readonly #query: (name: string) => Promise<Answer>;
  readonly #entries = new Map<string, Entry<Answer>>();

  constructor(clock: Clock, query: (name: string) => Promise<Answer>) {
    this.#clock = clock;
    this.#query = query;
  }

  /** The answer if it is known without a query, otherwise null. */
  known(name: string): Answer | null {
    return this.#entry(name)?.answer ?? null;
  }

  /** Rejects when the query fails, or after four seconds. */
  ask(name: string): Promise<Answer> {
    return (this.#entry(name) ?? this.#begin(name)).result;
  }

  #entry(name: string): Entry<Answer> | undefined {
    const entry = this.#entries.get(name);
    return entry && entry.untilMs > this.#clock.monotonic() ? entry : undefined;
  }

  #begin(name: string): Entry<Answer> {
    if (this.#entries.size >= MAX_NAMES) this.#entries.clear();
    const result = withDeadline(this.#clock, LIMIT_MS, this.#query(name));
    const entry: Entry<Answer> = { answer: null, result, untilMs: Infinity };
    this.#entries.set(name, entry);
    result.then(
      (answer) => this.#settle(entry, answer, CACHE_MS),
      () => this.#settle(entry, null, FAILURE_CACHE_MS),
    );
    return entry;
  }

  #settle(entry: Entry<Answer>, answer: Answer | null, cacheMs: number): void {
    entry.answer = answer;
    entry.untilMs = this.#clock.monotonic() + cacheMs;
  }
}
