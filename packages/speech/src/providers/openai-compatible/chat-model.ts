/** A language model behind the chat completions of the OpenAI wire protocol, streamed. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  extractReasoningMiddleware,
  jsonSchema,
  streamText,
  wrapLanguageModel,
  type TextStreamPart,
  type ToolSet,
} from 'ai';
import type { Clock } from '@parley/runtime';
import {
  SpeechError,
  type LanguageModel,
  type LanguageModelEvent,
  type LanguageModelRequest,
  type ToolDefinition,
} from '../../ports.ts';
import { toChatMessages } from './chat-messages.rules.ts';
import { toSpeechError, trimmedUrl, type OpenAiEndpoint } from './endpoint.ts';
import { Patience, type PatienceLimits } from './patience.ts';

/** Local servers may load the model with the first request. */
const LIMITS: PatienceLimits = { firstMs: 15_000, betweenMs: 5000 };

/** One model of one server. */
export interface ChatModelOptions {
  endpoint: OpenAiEndpoint;
  /** The server's own name of the model. */
  model: string;
  clock: Clock;
  limits?: PatienceLimits;
}

/** Never tries again by itself: whether there is time for that is for the conversation to know. */
export function createChatModel({ endpoint, model, clock, limits }: ChatModelOptions): LanguageModel {
  const provider = createOpenAICompatible({
    name: 'openai-compatible',
    baseURL: trimmedUrl(endpoint),
    includeUsage: true,
    ...(endpoint.apiKey ? { apiKey: endpoint.apiKey } : {}),
  });
  const speaking = wrapLanguageModel({
    model: provider(model),
    // Some local models think aloud in the text itself; a caller must not hear that.
    middleware: extractReasoningMiddleware({ tagName: 'think' }),
  });
  return {
    async *stream(request, signal) {
      if (signal.aborted) return;
      const patience = new Patience(clock, limits ?? LIMITS, signal);
      try {
        const { fullStream } = streamText({
          model: speaking,
          ...toCall(request),
          abortSignal: patience.signal,
          maxRetries: 0,
          onError: () => {}, // thrown below; the library's own handler prints it
        });
        yield* listen(fullStream, patience);
      } catch (error) {
        const failure = patience.explain(error, toSpeechError);
        if (failure) throw failure;
      } finally {
        patience.end();
      }
    },
  };
}

function toCall({ systemPrompt, dialogue, tools, temperature }: LanguageModelRequest) {
  return {
    ...(systemPrompt.trim() === '' ? {} : { instructions: systemPrompt }),
    messages: toChatMessages(dialogue),
    tools: Object.fromEntries(tools.map((tool) => [tool.name, toTool(tool)])),
    temperature,
  };
}

/** Without `execute`: the library hands the call over and stops there. */
function toTool({ description, parameters }: ToolDefinition): ToolSet[string] {
  return { description, inputSchema: jsonSchema(parameters) };
}

/** @throws whatever ends the stream before its finish */
async function* listen(
  parts: AsyncIterable<TextStreamPart<ToolSet>>,
  patience: Patience,
): AsyncGenerator<LanguageModelEvent> {
  let isFinished = false;
  for await (const part of parts) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'abort') throw new SpeechError('unavailable', 'The reply was broken off');
    // The library's own announcements come at once and are no sign of the server.
    if (part.type !== 'start' && part.type !== 'start-step') patience.heard();
    if (part.type === 'finish') isFinished = part.rawFinishReason !== undefined;
    const event = toEvent(part);
    if (event) yield event;
    if (patience.signal.aborted) throw patience.signal.reason;
  }
  if (!isFinished) throw new SpeechError('unavailable', 'The provider ended its reply in the middle');
}

function toEvent(part: TextStreamPart<ToolSet>): LanguageModelEvent | null {
  if (part.type === 'text-delta') return part.text === '' ? null : { type: 'text', text: part.text };
  if (part.type === 'tool-call') {
    // Arguments that are no JSON stay the model's fault: the tool will say what it lacks.
    const isObject = typeof part.input === 'object' && part.input !== null;
    const given: unknown = isObject ? part.input : {};
    return { type: 'tool-call', id: part.toolCallId, name: part.toolName, arguments: given };
  }
  if (part.type !== 'finish') return null;
  const { inputTokens, outputTokens } = part.totalUsage;
  if (inputTokens === undefined || outputTokens === undefined) return null;
  return { type: 'usage', inputTokens, outputTokens };
}
