/**
 * Cartesia's voices over its web socket: one socket for a call, one context for each text.
 *
 * @see https://docs.cartesia.ai/api-reference/tts/websocket
 */
import { z } from 'zod';
import type { SpeakOptions, Synthesiser, TimedWord } from '../../ports.ts';
import { socketUrl } from '../../wire/http-request.ts';
import { statedError } from '../../wire/provider-error.ts';
import {
  createSocketSynthesiser,
  type ContextNews,
  type SynthesiserProtocol,
} from '../../wire/socket-synthesiser.ts';
import type { SocketSynthesiserOptions } from '../elevenlabs/elevenlabs-synthesiser.ts';
import type { ProviderAccount } from '../provider-account.ts';

const MODEL = 'sonic-3';
/** The API version that this file implements. */
const CARTESIA_VERSION = '2025-04-16';
const RATES_HZ = [8000, 16_000, 24_000, 44_100, 48_000];
/** The provider documents no limit except "dozens". */
const MAX_CONTEXTS = 20;
/** What the provider allows. */
const SLOWEST = 0.6;
const FASTEST = 1.5;

/** Seconds since the beginning of the context. The lists are of one length. */
const wordTimestamps = z.object({
  words: z.array(z.string()),
  start: z.array(z.number()),
  end: z.array(z.number()),
});

const response = z.object({
  type: z.string(),
  context_id: z.string().nullish(),
  data: z.string().optional(),
  word_timestamps: wordTimestamps.nullish().catch(null),
  done: z.boolean().default(false),
  status_code: z.number().optional(),
  title: z.string().optional(),
  message: z.string().optional(),
  error: z.string().optional(),
});

/** `stability` and `similarity` have no effect: the protocol has no fields for them. */
export function createCartesiaSynthesiser({ account, clock, limits }: SocketSynthesiserOptions): Synthesiser {
  return createSocketSynthesiser(protocol(account), clock, limits);
}

function protocol(account: ProviderAccount): SynthesiserProtocol {
  return {
    capabilities: { sampleRatesHz: RATES_HZ, settings: ['speed'] },
    url: () => socketUrl(account.baseUrl, '/tts/websocket'),
    headers: {
      'cartesia-version': CARTESIA_VERSION,
      ...(account.apiKey === null ? {} : { 'x-api-key': account.apiKey }),
    },
    apiKey: account.apiKey,
    maxContexts: MAX_CONTEXTS,
    timesFrom: 'context',
    speak: (context, text, options, rateHz) => [generation(context, text, options, rateHz)],
    cancel: (context) => ({ context_id: context, cancel: true }),
    read: (message) => read(message, account.apiKey),
  };
}

function generation(
  context: string,
  text: string,
  { voice, language, speed }: SpeakOptions,
  rateHz: number,
): Record<string, unknown> {
  return {
    model_id: MODEL,
    transcript: text,
    voice: { mode: 'id', id: voice },
    language: language.slice(0, 2).toLowerCase(),
    context_id: context,
    output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: rateHz },
    generation_config: { speed: Math.min(FASTEST, Math.max(SLOWEST, speed)) },
    add_timestamps: true,
    continue: false,
  };
}

function read(message: unknown, apiKey: string | null): ContextNews | null {
  const { data } = response.safeParse(message);
  if (!data) return null;
  const context = data.context_id ?? undefined;
  if (data.type === 'error') {
    const status = data.status_code ?? 500;
    const kind = status >= 400 && status < 500 && status !== 429 ? 'rejected' : 'unavailable';
    return { context, error: statedError(kind, data.message ?? data.error ?? data.title ?? '', apiKey) };
  }
  if (data.type === 'chunk' && data.data !== undefined)
    return { context, sound: Buffer.from(data.data, 'base64'), isDone: data.done };
  if (data.type === 'timestamps')
    return data.word_timestamps ? { context, times: wordTimes(data.word_timestamps) } : null;
  return data.type === 'done' ? { context, isDone: true } : null;
}

/** A space after each word, because they come without. */
function wordTimes({ words, start, end }: z.infer<typeof wordTimestamps>): TimedWord[] {
  return words.flatMap((text, index) => {
    const startMs = (start[index] ?? NaN) * 1000;
    const endMs = (end[index] ?? NaN) * 1000;
    if (Number.isNaN(startMs + endMs)) return [];
    return [
      { text, startMs, endMs },
      { text: ' ', startMs: endMs, endMs },
    ];
  });
}
