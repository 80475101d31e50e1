/**
 * ElevenLabs' voices over its multi-context socket: one socket for each voice and rate of a call, one context for each text.
 *
 * @see https://elevenlabs.io/docs/api-reference/text-to-speech/v-1-text-to-speech-voice-id-multi-stream-input
 */
import type { Clock } from '@parley/runtime';
import { z } from 'zod';
import type { SpeakOptions, Synthesiser, TimedWord } from '../../ports.ts';
import { socketUrl } from '../../wire/http-request.ts';
import type { PatienceLimits } from '../../wire/patience.ts';
import { statedError } from '../../wire/provider-error.ts';
import {
  createSocketSynthesiser,
  type ContextNews,
  type SynthesiserProtocol,
} from '../../wire/socket-synthesiser.ts';
import type { ProviderAccount } from '../provider-account.ts';

/** The fastest of its models; it speaks 32 languages. */
const MODEL = 'eleven_flash_v2_5';
const RATES_HZ = [8000, 16_000, 24_000, 48_000];
/** The longest silence between texts that the provider allows, seconds; no call is silent for longer. */
const INACTIVITY_SECONDS = 180;
/** More are refused, and the socket is closed. */
const MAX_CONTEXTS = 5;
/** What the provider allows. */
const SLOWEST = 0.7;
const FASTEST = 1.2;

/** When each character sounds, counted from the beginning of the sound in the same message. The lists are of one length. */
const alignment = z.object({
  chars: z.array(z.string()),
  charStartTimesMs: z.array(z.number()),
  charDurationsMs: z.array(z.number()),
});

/** Names are written both ways in the provider's own pages. */
const output = z.object({
  contextId: z.string().optional(),
  context_id: z.string().optional(),
  audio: z.string().nullish(),
  alignment: alignment.nullish().catch(null), // of the text as it was sent; `normalizedAlignment` has numbers written out
  isFinal: z.boolean().nullish(),
  is_final: z.boolean().nullish(),
  error: z.string().optional(),
  message: z.string().optional(),
});

/** One account. */
export interface SocketSynthesiserOptions {
  account: ProviderAccount;
  clock: Clock;
  limits?: PatienceLimits;
}

/** @see SocketSynthesiserOptions */
export function createElevenLabsSynthesiser({
  account,
  clock,
  limits,
}: SocketSynthesiserOptions): Synthesiser {
  return createSocketSynthesiser(protocol(account), clock, limits);
}

function protocol({ baseUrl, apiKey }: ProviderAccount): SynthesiserProtocol {
  return {
    capabilities: { sampleRatesHz: RATES_HZ, settings: ['speed', 'stability', 'similarity'] },
    url: ({ voice, language }, rateHz) =>
      socketUrl(baseUrl, `/v1/text-to-speech/${encodeURIComponent(voice)}/multi-stream-input`, {
        model_id: MODEL,
        output_format: `pcm_${rateHz}`,
        language_code: language.slice(0, 2).toLowerCase(),
        inactivity_timeout: String(INACTIVITY_SECONDS),
        sync_alignment: 'true',
        auto_mode: 'true', // texts come as whole clauses, so nothing need be buffered
      }),
    headers: apiKey === null ? {} : { 'xi-api-key': apiKey },
    apiKey,
    maxContexts: MAX_CONTEXTS,
    timesFrom: 'message',
    speak: (context, text, options) => [
      { text: ' ', context_id: context, voice_settings: voiceSettings(options) },
      { text: `${text.trim()} `, context_id: context, flush: true },
      // Without this the context stays open and no last message comes; what was flushed is still spoken.
      { context_id: context, close_context: true },
    ],
    cancel: () => null, // the context is closed already
    read: (message) => read(message, apiKey),
  };
}

function voiceSettings({ stability, similarity, speed }: SpeakOptions): Record<string, number> {
  const allowedSpeed = Math.min(FASTEST, Math.max(SLOWEST, speed));
  return { stability, similarity_boost: similarity, speed: allowedSpeed };
}

function read(message: unknown, apiKey: string | null): ContextNews | null {
  const { data } = output.safeParse(message);
  if (!data) return null;
  const news: ContextNews = { context: data.contextId ?? data.context_id };
  if (data.audio) news.sound = Buffer.from(data.audio, 'base64');
  if (data.alignment) news.times = characterTimes(data.alignment);
  if (data.isFinal ?? data.is_final) news.isDone = true;
  if (data.error !== undefined) news.error = statedError('unavailable', data.message ?? data.error, apiKey);
  return news;
}

function characterTimes({
  chars,
  charStartTimesMs,
  charDurationsMs,
}: z.infer<typeof alignment>): TimedWord[] {
  return chars.flatMap((text, index) => {
    const startMs = charStartTimesMs[index];
    const durationMs = charDurationsMs[index];
    if (startMs === undefined || durationMs === undefined) return [];
    return { text, startMs, endMs: startMs + durationMs };
  });
}
