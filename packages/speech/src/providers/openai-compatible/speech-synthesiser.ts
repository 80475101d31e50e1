/** A voice behind `audio/speech` of the OpenAI wire protocol, streamed as raw samples. */
import type { Clock } from '@parley/runtime';
import type { SpeakOptions, Synthesiser } from '../../ports.ts';
import { post } from '../../wire/http-request.ts';
import type { PatienceLimits } from '../../wire/patience.ts';
import { speakOverHttp, type StreamedSound } from '../../wire/streamed-sound.ts';
import type { ProviderAccount } from '../provider-account.ts';
import { openAiRequest } from './openai-request.ts';
import { soundOf } from './sound-format.ts';

/** What `response_format: pcm` is, by the reference: 24 000 Hz, 16 bit, one channel, no header. */
const SAMPLE_RATE_HZ = 24_000;
const LIMITS: PatienceLimits = { firstMs: 8000, betweenMs: 4000 };
/** What the protocol allows. */
const SLOWEST = 0.25;
const FASTEST = 4;

/** One speech model of one server. */
export interface SpeechSynthesiserOptions {
  account: ProviderAccount;
  /** Used for voices that name no model of their own; see {@link createSpeechSynthesiser}. */
  model: string;
  clock: Clock;
  limits?: PatienceLimits;
}

/**
 * A voice is given as `voice` or, where one server has several speech models, as `voice@model`.
 * `stability`, `similarity` and `language` have no effect: the protocol has no place for them.
 */
export function createSpeechSynthesiser(given: SpeechSynthesiserOptions): Synthesiser {
  return {
    capabilities: { sampleRatesHz: [SAMPLE_RATE_HZ], settings: ['speed'] },
    speak(text, options, signal) {
      const { account, model, clock, limits = LIMITS } = given;
      const rate = account.convertsSampleRate === true ? { sample_rate: SAMPLE_RATE_HZ } : {};
      const body = { ...toBody(text, options, model), ...rate };
      const ask = async (patient: AbortSignal): Promise<StreamedSound> =>
        soundOf(await post(openAiRequest(account, '/audio/speech', body), patient));
      return speakOverHttp({ text, rateHz: SAMPLE_RATE_HZ, options, clock, limits, ask }, signal);
    },
  };
}

function toBody(text: string, { voice, speed }: SpeakOptions, defaultModel: string): Record<string, unknown> {
  const [name, model] = voice.split(/@(.*)/s);
  return {
    model: model ?? defaultModel,
    input: text,
    voice: name,
    response_format: 'pcm',
    speed: Math.min(FASTEST, Math.max(SLOWEST, speed)),
  };
}
