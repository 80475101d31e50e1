/**
 * A server that speaks Anthropic's Messages interface, streamed. Written from the public reference.
 *
 * @see https://docs.claude.com/en/docs/build-with-claude/streaming
 */
import { cut, jsonReply, type SimulatedAnswer } from './openai-wire.ts';
import {
  ProviderSimulator,
  type SimulatedReply,
  type SimulatorOptions,
} from './simulator/provider-simulator.ts';
import type { SimulatedRequest } from './simulator/simulated-request.ts';

/** What a simulated model answers. */
export interface ModelSimulatorOptions extends SimulatorOptions {
  chat?: (body: Record<string, unknown>) => SimulatedAnswer;
}

/** @see ModelSimulatorOptions */
export class AnthropicSimulator extends ProviderSimulator {
  readonly #given: ModelSimulatorOptions;

  constructor(options: ModelSimulatorOptions) {
    super(options);
    this.#given = options;
  }

  protected reply({ path, body }: SimulatedRequest): SimulatedReply | null {
    if (path === '/v1/models')
      return jsonReply({ data: [{ type: 'model', id: 'claude-simulated' }], has_more: false });
    if (path !== '/v1/messages') return null;
    const answer = this.#given.chat?.(body) ?? { text: 'Hello, how can I help you?' };
    const events = [...opening(), ...blocks(answer), ...ending(answer)];
    const pieces = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    return { contentType: 'text/event-stream', pieces };
  }
}

type WireEvent = { type: string } & Record<string, unknown>;

function opening(): WireEvent[] {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'simulated',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 20, output_tokens: 1 },
  };
  return [{ type: 'message_start', message }];
}

function blocks({ text, toolCalls = [] }: SimulatedAnswer): WireEvent[] {
  const spoken = text
    ? [
        {
          block: { type: 'text', text: '' },
          deltas: cut(text).map((part) => ({ type: 'text_delta', text: part })),
        },
      ]
    : [];
  const called = toolCalls.map(({ name, arguments: given }, index) => ({
    block: { type: 'tool_use', id: `call_${index}`, name, input: {} },
    deltas: cut(JSON.stringify(given)).map((part) => ({ type: 'input_json_delta', partial_json: part })),
  }));
  return [...spoken, ...called].flatMap(({ block, deltas }, index) => [
    { type: 'content_block_start', index, content_block: block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]);
}

function ending({ toolCalls = [] }: SimulatedAnswer): WireEvent[] {
  const stopReason = toolCalls.length > 0 ? 'tool_use' : 'end_turn';
  return [
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: 7 },
    },
    { type: 'message_stop' },
  ];
}
