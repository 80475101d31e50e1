/**
 * Runs the tool calls of a model: only tools of the assistant, with valid arguments, within their time limit. The result
 * becomes an answer to the model and an entry of the record. A tool that has started is completed even if the caller
 * interrupts.
 */
import type { Clock, Log } from '@parley/runtime';
import type { ToolDefinition } from '@parley/speech';
import type { AssistantTool } from './assistant-tool.ts';
import type { KeyCollector } from './key-collector.ts';
import { checkArguments } from './tool-arguments.rules.ts';
import type { ToolAnswer, ToolRunner } from './tool-runner.ts';

/** One tool call, also of a tool that does not exist. Completed when the call is over. */
export interface ToolUse {
  /** Assigned by us, because the ids of small providers repeat within a call. */
  readonly id: string;
  readonly name: string;
  /** The arguments that were used; empty if the tool was refused. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Milliseconds since the answer of the call. */
  readonly startedAtMs: number;
  /** It was not run, because there is no such tool or the arguments are invalid. Later turns do not include it. */
  wasRefused: boolean;
  /** Null while it runs. */
  endedAtMs: number | null;
  isOk: boolean;
  /** The answer for the model; null while it runs. */
  result: string | null;
  /** What its runner wants the caller to hear; empty for nothing. */
  words: string;
}

/** What the executor needs. */
export interface ToolExecutorOptions {
  tools: readonly AssistantTool[];
  /** The same tools as the model gets them. */
  definitions: readonly ToolDefinition[];
  runner: ToolRunner;
  keys: KeyCollector;
  clock: Clock;
  /** Now on the call's time line, milliseconds. */
  nowMs: () => number;
  /** A tool has transferred the caller. */
  onTransferred: () => void;
  /** The call's own end. */
  callSignal: AbortSignal;
  log: Log;
}

/** The default time limit of a tool, milliseconds. After it, the conversation stops waiting. */
const TIME_LIMIT_MS = 10_000;
/** The maximum length of a result: 64 Ki characters. */
const MAX_RESULT = 65_536;
/** The maximum length of a name, because a model may invent one of any length. */
const MAX_NAME = 64;
/** The maximum of tool calls in one conversation. */
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

  /** Whether this tool waits for the caller. */
  isOfCaller(name: string): boolean {
    return this.#options.tools.some((tool) => tool.type === 'collect_keys' && tool.name === name);
  }

  /** Starts at once. `finished` resolves when the use is complete; it never rejects. */
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
      words: '',
    };
  }

  #refusal(checked: ReturnType<typeof checkArguments> | null): string | null {
    if (checked === null) return NO_SUCH_TOOL;
    if (this.#uses > MAX_USES) return TOO_MANY;
    return 'fault' in checked ? `The arguments do not fit: ${checked.fault}.` : null;
  }

  async #refuse(use: ToolUse, text: string): Promise<void> {
    this.#options.log.warn({ pii: { tool: use.name } }, 'A tool call was refused');
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
      if (!signal.aborted) log.warn({ err: error, tool: use.name }, 'A tool failed');
      this.#close(use, { isOk: false, text: limit.signal.aborted ? TOO_SLOW : FAILED });
    } finally {
      timer.cancel();
    }
  }

  /** Does not wait for a runner that hangs. @throws the error of the runner, or if the signal is aborted */
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

  #close(use: ToolUse, { isOk, text, words = '', isTransferred = false }: ToolAnswer): void {
    use.endedAtMs = this.#options.nowMs();
    use.isOk = isOk;
    use.result = text.slice(0, MAX_RESULT);
    use.words = words;
    if (isTransferred) this.#options.onTransferred();
  }
}
