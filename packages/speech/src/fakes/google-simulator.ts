/**
 * A server that speaks Google's Gemini interface, streamed. Written from the public reference.
 *
 * @see https://ai.google.dev/api/generate-content
 */
import type { ModelSimulatorOptions } from './anthropic-simulator.ts';
import { cut, type SimulatedAnswer } from './openai-wire.ts';
import { ProviderSimulator, type SimulatedReply } from './simulator/provider-simulator.ts';
import type { SimulatedRequest } from './simulator/simulated-request.ts';

/** @see ModelSimulatorOptions */
export class GoogleSimulator extends ProviderSimulator {
  readonly #given: ModelSimulatorOptions;

  constructor(options: ModelSimulatorOptions) {
    super(options);
    this.#given = options;
  }

  protected reply({ path, body }: SimulatedRequest): SimulatedReply | null {
    if (!/^\/v1beta\/models\/[^/]+:streamGenerateContent$/.test(path)) return null;
    const answer = this.#given.chat?.(body) ?? { text: 'Hello, how can I help you?' };
    const pieces = chunks(answer).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
    return { contentType: 'text/event-stream', pieces };
  }
}

function chunks({ text = '', toolCalls = [] }: SimulatedAnswer): Record<string, unknown>[] {
  const parts = [
    ...cut(text).map((part) => ({ text: part })),
    ...toolCalls.map(({ name, arguments: args }) => ({ functionCall: { name, args } })),
  ];
  const usageMetadata = { promptTokenCount: 20, candidatesTokenCount: 7, totalTokenCount: 27 };
  return parts.map((part, index) => ({
    candidates: [
      {
        content: { role: 'model', parts: [part] },
        index: 0,
        ...(index === parts.length - 1 ? { finishReason: 'STOP' } : {}),
      },
    ],
    usageMetadata,
    modelVersion: 'simulated',
  }));
}
