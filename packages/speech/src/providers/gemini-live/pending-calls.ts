/** The tool calls for which the model waits. It continues only once it has the results of all of them. */
import type { ToolResult } from './gemini-messages.rules.ts';

/** One per session. */
export class PendingCalls {
  readonly #results = new Map<string, ToolResult | null>();

  /** The model has asked for these. */
  add(ids: readonly string[]): void {
    for (const id of ids) this.#results.set(id, null);
  }

  /** @returns whether the model waits for this one */
  settle(result: ToolResult): boolean {
    if (!this.#results.has(result.id)) return false;
    this.#results.set(result.id, result);
    return true;
  }

  get isEmpty(): boolean {
    return this.#results.size === 0;
  }

  /** The model can go on. */
  get isSettled(): boolean {
    return !this.isEmpty && [...this.#results.values()].every((result) => result !== null);
  }

  /** The model no longer waits. @returns the results so far */
  clear(): ToolResult[] {
    const results = [...this.#results.values()].filter((result) => result !== null);
    this.#results.clear();
    return results;
  }
}
