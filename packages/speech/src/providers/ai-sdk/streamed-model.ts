/**
 * A language model behind the `ai` library, for any provider: one streamed request, cancelled when the signal is aborted or
 * the provider stalls. The folders of the providers create the model itself.
 */
import {
  APICallError,
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
import { Patience, type PatienceLimits } from '../../wire/patience.ts';
import { statusError, toSpeechError } from '../../wire/provider-error.ts';
import { toChatMessages } from './chat-messages.rules.ts';

/** Local servers may load the model with the first request. */
const LIMITS: PatienceLimits = { firstMs: 15_000, betweenMs: 5000 };

/** The library's type of a model. */
type LibraryModel = Parameters<typeof wrapLanguageModel>[0]['model'];

/** One model of one account. */
export interface StreamedModelOptions {
  model: LibraryModel;
  /** Removed from error messages in case the server repeats it. */
  apiKey: string | null;
  clock: Clock;
  limits?: PatienceLimits | undefined;
  /** For providers that require a maximum length of the reply. */
  maxOutputTokens?: number;
  /** False for models that refuse a temperature; default true. */
  takesTemperature?: boolean;
  /** Options of one provider, by the provider's name in the library. */
  providerOptions?: Parameters<typeof streamText>[0]['providerOptions'];
}

/** Does not retry: only the conversation can decide whether there is time for it. */
export function createStreamedModel(options: StreamedModelOptions): LanguageModel {
  const { model, apiKey, clock, limits, maxOutputTokens, providerOptions } = options;
  const { takesTemperature = true } = options;
  // The library would print warnings past our log, with names of tools in them.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const speaking = wrapLanguageModel({
    model,
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
          ...(takesTemperature ? { temperature: request.temperature } : {}),
          ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
          ...(providerOptions === undefined ? {} : { providerOptions }),
          abortSignal: patience.signal,
          maxRetries: 0,
          onError: () => {}, // thrown below; the library's own handler prints it
        });
        yield* listen(fullStream, patience);
      } catch (error) {
        const failure = patience.explain(error, (cause) => toModelError(cause, apiKey));
        if (failure) throw failure;
      } finally {
        patience.end();
      }
    },
  };
}

/** The library reports HTTP statuses in its own error type. */
function toModelError(cause: unknown, apiKey: string | null): SpeechError {
  if (APICallError.isInstance(cause) && cause.statusCode !== undefined && cause.statusCode >= 400)
    return statusError(cause.statusCode, cause.responseBody ?? '', { apiKey, cause });
  return toSpeechError(cause, apiKey);
}

function toCall({ systemPrompt, dialogue, tools }: LanguageModelRequest) {
  return {
    ...(systemPrompt.trim() === '' ? {} : { instructions: systemPrompt }),
    messages: toChatMessages(dialogue),
    tools: Object.fromEntries(tools.map((tool) => [tool.name, toTool(tool)])),
  };
}

/** Without `execute`, so that the library reports the call and stops. */
function toTool({ description, parameters }: ToolDefinition): ToolSet[string] {
  return { description, inputSchema: jsonSchema(parameters) };
}

/** @throws the error that ends the stream before its finish */
async function* listen(
  parts: AsyncIterable<TextStreamPart<ToolSet>>,
  patience: Patience,
): AsyncGenerator<LanguageModelEvent> {
  let isFinished = false;
  for await (const part of parts) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'abort') throw new SpeechError('unavailable', 'The reply was cancelled');
    // These parts come from the library itself and do not show that the server is alive.
    if (part.type !== 'start' && part.type !== 'start-step') patience.heard();
    if (part.type === 'finish') isFinished = part.rawFinishReason !== undefined;
    const event = toEvent(part);
    if (event) {
      patience.rest();
      yield event;
      patience.heard();
    }
    if (patience.signal.aborted) throw patience.signal.reason;
  }
  if (!isFinished) throw new SpeechError('unavailable', 'The provider ended its reply too early');
}

function toEvent(part: TextStreamPart<ToolSet>): LanguageModelEvent | null {
  if (part.type === 'text-delta') return part.text === '' ? null : { type: 'text', text: part.text };
  if (part.type === 'tool-call') {
    // Arguments that are not JSON arrive as text; the conversation refuses them, so that the model can try again.
    const given: unknown = part.input ?? {};
    return { type: 'tool-call', id: part.toolCallId, name: part.toolName, arguments: given };
  }
  if (part.type !== 'finish') return null;
  const { inputTokens, outputTokens, inputTokenDetails } = part.totalUsage;
  if (inputTokens === undefined || outputTokens === undefined) return null;
  const { cacheReadTokens: cachedInputTokens } = inputTokenDetails;
  return {
    type: 'usage',
    inputTokens,
    outputTokens,
    ...(cachedInputTokens ? { cachedInputTokens } : {}),
  };
}
