/**
 * Where calls of tools arrive. Only what the assistant was given runs, with arguments that fit, within its time;
 * whatever comes of it becomes an answer to the model and a line of the record. Knows nothing of turns: a tool that has begun is
 * finished, also when the caller has interrupted meanwhile.
 */
import type { Clock, Log } from '@parley/runtime';
import type { ToolDefinition } from '@parley/speech';
import type { AssistantTool } from '../conversation-settings.ts';
import type { KeyCollector } from './key-collector.ts';
import { checkArguments } from './tool-arguments.rules.ts';
import type { ToolAnswer, ToolRunner } from './tool-runner.ts';

/** One use of a tool, or of what the model took for one. Filled in when it is over. */
export interface ToolUse {
  /** Ours: those of small providers repeat within a call. */
  readonly id: string;
  readonly name: string;
  /** As they were run; empty where nothing was. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Milliseconds since the answer of the call. */
  readonly startedAtMs: number;
  /** It was not run: there is no such tool, or the arguments do not fit. No later turn need know. */
  wasRefused: boolean;
  /** Null while it runs. */
  endedAtMs: number | null;
  isOk: boolean;
  /** What the model is told; null while it runs. */
  result: string | null;
}

/** What it needs. */
export interface ToolExecutorOptions {
  tools: readonly AssistantTool[];
  /** The same in the words of the model. */
  definitions: readonly ToolDefinition[];
  runner: ToolRunner;
  keys: KeyCollector;
  clock: Clock;
  /** Now on the call's time line, milliseconds. */
  nowMs: () => number;
  /** A tool has given the caller to somebody else. */
  onTransferred: () => void;
  /** The call's own end. */
  callSignal: AbortSignal;
  log: Log;
}

/** A tool has so long unless it says otherwise, milliseconds; what it began may go on elsewhere, but nobody waits for it. */
const TIME_LIMIT_MS = 10_000;
/** What of a result the model reads: 64 Ki characters. */
const MAX_RESULT = 65_536;
/** Names that a model made up may be of any size. */
const MAX_NAME = 64;
/** Of one call; a model that goes on is stuck. */
const MAX_USES = 100;

const NO_SUCH_TOOL = 'There is no such tool.';
const TOO_MANY = 'Tools cannot be used any more in this call.';
const FAILED = 'The tool failed.';
const TOO_SLOW = 'The tool did not answer in time.';

/** One per conversation. */
export class ToolExecutor {
  readonly #options: ToolExecutorOptions;
  #uses = 0;

  constructor(options: ToolExecutorOptions) {
    this.#options = options;
  }

  /** Whether the caller, and nobody else, is waited for while this tool runs. */
  isOfCaller(name: string): boolean {
    return this.#options.tools.some((tool) => tool.type === 'collect_keys' && tool.name === name);
  }

  /** Begins at once. `finished` resolves when the use is filled in; it never rejects. */
  begin(call: { name: string; arguments: unknown }): { use: ToolUse; finished: Promise<void> } {
    const definition = this.#options.definitions.find(({ name }) => name === call.name);
    const checked = definition ? checkArguments(definition.parameters, call.arguments) : null;
    const use = this.#open(call.name, checked && 'arguments' in checked ? checked.arguments : {});
    const refusal = this.#refusal(checked);
    return { use, finished: refusal === null ? this.#run(use) : this.#refuse(use, refusal) };
  }

  #open(name: string, toolArguments: Record<string, unknown>): ToolUse {
    this.#uses += 1;
    return {
      id: `tool_${this.#uses}`,
      name: name.slice(0, MAX_NAME),
      arguments: toolArguments,
      startedAtMs: this.#options.nowMs(),
      wasRefused: false,
      endedAtMs: null,
      isOk: false,
      result: null,
    };
  }

  #refusal(checked: ReturnType<typeof checkArguments> | null): string | null {
    if (checked === null) return NO_SUCH_TOOL;
    if (this.#uses > MAX_USES) return TOO_MANY;
    return 'fault' in checked ? `The arguments do not fit: ${checked.fault}.` : null;
  }

  async #refuse(use: ToolUse, text: string): Promise<void> {
    this.#options.log.warn({ pii: { tool: use.name } }, 'a call of a tool was refused');
    use.wasRefused = true;
    this.#close(use, { isOk: false, text });
  }

  async #run(use: ToolUse): Promise<void> {
    const { tools, keys, callSignal } = this.#options;
    const tool = tools.find((one) => 'name' in one && one.name === use.name);
    if (tool?.type === 'collect_keys')
      return this.#close(use, await keys.collect(tool.collection, callSignal));
    const limitMs = tool?.type === 'run' ? tool.timeLimitMs : undefined;
    await this.#runWithin(use, limitMs ?? TIME_LIMIT_MS);
  }

  async #runWithin(use: ToolUse, limitMs: number): Promise<void> {
    const { clock, callSignal, log } = this.#options;
    const limit = new AbortController();
    const timer = clock.after(limitMs, () => limit.abort());
    const signal = AbortSignal.any([callSignal, limit.signal]);
    try {
      this.#close(use, await this.#answer(use, signal));
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error, tool: use.name }, 'a tool failed');
      this.#close(use, { isOk: false, text: limit.signal.aborted ? TOO_SLOW : FAILED });
    } finally {
      timer.cancel();
    }
  }

  /** A runner that hangs is left behind. @throws whatever the runner throws, and when the signal is aborted */
  async #answer(use: ToolUse, signal: AbortSignal): Promise<ToolAnswer> {
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = (): void => reject(new Error('The tool was left'));
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      signal.throwIfAborted();
      const { name, arguments: toolArguments } = use;
      return await Promise.race([
        this.#options.runner.run({ name, arguments: toolArguments }, signal),
        aborted,
      ]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #close(use: ToolUse, { isOk, text, isTransferred = false }: ToolAnswer): void {
    use.endedAtMs = this.#options.nowMs();
    use.isOk = isOk;
    use.result = text.slice(0, MAX_RESULT);
    if (isTransferred) this.#options.onTransferred();
  }
}
