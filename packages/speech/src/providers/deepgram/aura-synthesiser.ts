/**
 * Deepgram's Aura voices over streamed HTTP. The socket accepts at most 20 texts a minute (the limit of `Flush`) and has no
 * contexts, so each text is a separate request on a connection that stays open.
 *
 * @see https://developers.deepgram.com/reference/text-to-speech/speak-request
 */
import type { Clock } from '@parley/runtime';
import type { SpeakOptions, Synthesiser } from '../../ports.ts';
import { post, trimmedUrl } from '../../wire/http-request.ts';
import type { PatienceLimits } from '../../wire/patience.ts';
import { speakOverHttp } from '../../wire/streamed-sound.ts';
import type { ProviderAccount } from '../provider-account.ts';
import { deepgramHeaders } from './deepgram-headers.ts';

const LIMITS: PatienceLimits = { firstMs: 5000, betweenMs: 4000 };
const RATES_HZ = [8000, 16_000, 24_000, 48_000];
/** What the provider allows. */
const SLOWEST = 0.7;
const FASTEST = 1.5;

/** One account. */
export interface AuraSynthesiserOptions {
  account: ProviderAccount;
  clock: Clock;
  limits?: PatienceLimits;
}

/** A voice is a model: `aura-2-thalia-en`. Its language is in its name. */
export function createAuraSynthesiser({
  account,
  clock,
  limits = LIMITS,
}: AuraSynthesiserOptions): Synthesiser {
  return {
    capabilities: { sampleRatesHz: RATES_HZ, settings: ['speed'] },
    speak(text, options, signal) {
      const rateHz = RATES_HZ.find((rate) => rate >= options.sampleRateHz) ?? 48_000;
      const ask = async (patient: AbortSignal): Promise<Response> =>
        post(request(account, text, options, rateHz), patient);
      return speakOverHttp({ text, rateHz, options, clock, limits, ask }, signal);
    },
  };
}

function request(account: ProviderAccount, text: string, { voice, speed }: SpeakOptions, rateHz: number) {
  const query = new URLSearchParams({
    model: voice,
    encoding: 'linear16',
    container: 'none',
    sample_rate: String(rateHz),
    ...(speed === 1 ? {} : { speed: String(Math.min(FASTEST, Math.max(SLOWEST, speed))) }),
  });
  return {
    url: `${trimmedUrl(account.baseUrl).replace(/^ws/i, 'http')}/v1/speak?${query.toString()}`,
    headers: deepgramHeaders(account),
    body: { text },
    apiKey: account.apiKey,
  };
}
