/**
 * Cartesia's voices over its web socket: one socket for a call, one context for each text.
 *
 * @see https://docs.cartesia.ai/api-reference/tts/websocket
 */
import { z } from 'zod';
import type { SpeakOptions, Synthesiser } from '../../ports.ts';
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

const response = z.object({
  type: z.string(),
  context_id: z.string().nullish(),
  data: z.string().optional(),
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
  return data.type === 'done' ? { context, isDone: true } : null;
}
