/** A voice behind `audio/speech` of the OpenAI wire protocol, streamed as raw samples. */
import type { Clock } from '@parley/runtime';
import type { SpeakOptions, Synthesiser } from '../../ports.ts';
import { post, toSpeechError, type OpenAiEndpoint } from './endpoint.ts';
import { Patience, type PatienceLimits } from './patience.ts';
import { PcmStream } from './pcm-stream.ts';

/** What `response_format: pcm` is, by the reference: 24 000 Hz, 16 bit, one channel, no header. */
const SAMPLE_RATE_HZ = 24_000;
const LIMITS: PatienceLimits = { firstMs: 8000, betweenMs: 4000 };
/** What the protocol allows. */
const SLOWEST = 0.25;
const FASTEST = 4;

/** One speech model of one server. */
export interface SpeechSynthesiserOptions {
  endpoint: OpenAiEndpoint;
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
    async *speak(text, options, signal) {
      if (signal.aborted || text.trim() === '') return;
      const patience = new Patience(given.clock, given.limits ?? LIMITS, signal);
      try {
        const body = toBody(text, options, given.model);
        const response = await post(given.endpoint, '/audio/speech', body, patience.signal);
        yield* listen(response, options.sampleRateHz, patience);
      } catch (error) {
        const failure = patience.explain(error, toSpeechError);
        if (failure) throw failure;
      } finally {
        patience.end();
      }
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

async function* listen(
  response: Response,
  sampleRateHz: number,
  patience: Patience,
): AsyncGenerator<Int16Array> {
  const sound = new PcmStream(SAMPLE_RATE_HZ, sampleRateHz);
  for await (const bytes of response.body ?? []) {
    patience.heard();
    const samples = sound.push(bytes);
    if (samples.length > 0) yield samples;
    if (patience.signal.aborted) throw patience.signal.reason;
  }
  const rest = sound.end();
  if (rest.length > 0) yield rest;
}
