/**
 * Server events of OpenAI's realtime API, as far as they are used. Other events are ignored.
 *
 * @see https://developers.openai.com/api/reference/resources/realtime/server-events
 */
import { z } from 'zod';
import type { TokenUsage } from '../../ports.ts';

const functionCall = z.object({
  type: z.literal('function_call'),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
});
const errorDetail = z.object({
  type: z.string().nullish(),
  code: z.string().nullish(),
  message: z.string().default(''),
  event_id: z.string().nullish(),
});
const tokenParts = z
  .object({
    cached_tokens: z.number().default(0),
    audio_tokens: z.number().default(0),
    cached_tokens_details: z.object({ audio_tokens: z.number().default(0) }).nullish(),
  })
  .nullish();
const usage = z.object({
  input_tokens: z.number().default(0),
  output_tokens: z.number().default(0),
  input_token_details: tokenParts,
  output_token_details: tokenParts,
});
const response = z.object({
  id: z.string(),
  status: z.string().nullish(),
  status_details: z.object({ error: errorDetail.nullish() }).nullish(),
  metadata: z.object({ key: z.string() }).nullish().catch(null),
  usage: usage.nullish().catch(null),
});
const ofItem = { item_id: z.string() };
const ofResponse = { response_id: z.string(), ...ofItem, delta: z.string() };

const serverEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('input_audio_buffer.committed'), ...ofItem }),
  z.object({
    type: z.literal('conversation.item.input_audio_transcription.completed'),
    ...ofItem,
    transcript: z.string(),
  }),
  z.object({ type: z.literal('conversation.item.input_audio_transcription.failed'), ...ofItem }),
  z.object({ type: z.literal('response.created'), response }),
  z.object({ type: z.literal('response.output_audio.delta'), ...ofResponse }),
  z.object({ type: z.literal('response.output_audio_transcript.delta'), ...ofResponse }),
  z.object({
    type: z.literal('response.output_item.done'),
    response_id: z.string(),
    item: z.union([functionCall, z.object({ type: z.string() })]),
  }),
  z.object({ type: z.literal('response.done'), response }),
  z.object({ type: z.literal('error'), error: errorDetail }),
]);

/** One server event. */
export type RealtimeServerEvent = z.infer<typeof serverEvent>;
/** An error as the provider reports it. */
export type ErrorDetail = z.infer<typeof errorDetail>;
/** The state of a response. */
export type RealtimeResponse = z.infer<typeof response>;
/** A tool call. */
export type RealtimeFunctionCall = z.infer<typeof functionCall>;

/** The token usage of a response. */
export function usageOf(given: z.infer<typeof usage>): TokenUsage {
  const { input_token_details: input, output_token_details: output } = given;
  const cachedSound = input?.cached_tokens_details?.audio_tokens ?? 0;
  return {
    inputTokens: given.input_tokens,
    cachedInputTokens: input?.cached_tokens ?? 0,
    audioInputTokens: Math.max(0, (input?.audio_tokens ?? 0) - cachedSound),
    outputTokens: given.output_tokens,
    audioOutputTokens: output?.audio_tokens ?? 0,
  };
}

/** @returns null for all other events */
export function readServerEvent(message: unknown): RealtimeServerEvent | null {
  return serverEvent.safeParse(message).data ?? null;
}

/** Arguments that are not JSON are passed on as text; the conversation refuses them, so that the model can try again. */
export function argumentsOf(call: RealtimeFunctionCall): unknown {
  try {
    return JSON.parse(call.arguments || '{}');
  } catch {
    return call.arguments;
  }
}
