/**
 * Messages from Google's Live API, as far as they are used. One message may contain several fields; other fields are
 * ignored. Messages are JSON in binary frames.
 *
 * @see https://ai.google.dev/api/live
 */
import { z } from 'zod';
import type { TokenUsage } from '../../ports.ts';

const transcription = z.object({ text: z.string().default(''), finished: z.boolean().nullish() }).nullish();
const part = z.object({
  inlineData: z.object({ data: z.string(), mimeType: z.string().default('') }).nullish(),
  /** Text parts are thoughts of the model and not audible. */
  thought: z.boolean().nullish(),
});
const serverContent = z.object({
  modelTurn: z.object({ parts: z.array(part).default([]) }).nullish(),
  inputTranscription: transcription,
  outputTranscription: transcription,
  interrupted: z.boolean().nullish(),
  generationComplete: z.boolean().nullish(),
  turnComplete: z.boolean().nullish(),
});
const functionCall = z.object({ id: z.string(), name: z.string(), args: z.unknown().optional() });
const byModality = z
  .array(z.object({ modality: z.string().default(''), tokenCount: z.number().default(0) }))
  .nullish();
const usageMetadata = z.object({
  promptTokenCount: z.number().default(0),
  cachedContentTokenCount: z.number().default(0),
  responseTokenCount: z.number().default(0),
  toolUsePromptTokenCount: z.number().default(0),
  thoughtsTokenCount: z.number().default(0),
  promptTokensDetails: byModality,
  cacheTokensDetails: byModality,
  responseTokensDetails: byModality,
});

const serverMessage = z.object({
  setupComplete: z.object({}).nullish(),
  serverContent: serverContent.nullish(),
  toolCall: z.object({ functionCalls: z.array(functionCall).default([]) }).nullish(),
  toolCallCancellation: z.object({ ids: z.array(z.string()).default([]) }).nullish(),
  goAway: z.object({}).nullish(),
  sessionResumptionUpdate: z
    .object({ newHandle: z.string().nullish(), resumable: z.boolean().nullish() })
    .nullish(),
  usageMetadata: usageMetadata.nullish().catch(null),
});

/** One message. */
export type GeminiMessage = z.infer<typeof serverMessage>;
/** What the model says, and the progress of its turn. */
export type ServerContent = z.infer<typeof serverContent>;

/** @returns null for messages that are not part of the protocol */
export function readServerMessage(message: unknown): GeminiMessage | null {
  return serverMessage.safeParse(message).data ?? null;
}

/** The rate of audio, from a type such as `audio/pcm;rate=24000`. */
export function rateOf(mimeType: string): number {
  return Number(/rate=(\d+)/.exec(mimeType)?.[1] ?? SPOKEN_RATE_HZ);
}

/** The rate of audio without a stated rate. */
const SPOKEN_RATE_HZ = 24_000;

/** What an answer was made of. */
export function usageOf(usage: NonNullable<GeminiMessage['usageMetadata']>): TokenUsage {
  const cachedSound = soundTokens(usage.cacheTokensDetails);
  return {
    inputTokens: usage.promptTokenCount + usage.toolUsePromptTokenCount,
    cachedInputTokens: usage.cachedContentTokenCount,
    audioInputTokens: Math.max(0, soundTokens(usage.promptTokensDetails) - cachedSound),
    outputTokens: usage.responseTokenCount + usage.thoughtsTokenCount,
    audioOutputTokens: soundTokens(usage.responseTokensDetails),
  };
}

function soundTokens(details: z.infer<typeof byModality>): number {
  return (details ?? []).reduce((sum, one) => sum + (one.modality === 'AUDIO' ? one.tokenCount : 0), 0);
}
