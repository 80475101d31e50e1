/**
 * A server of speech in the form of Speaches, written from its sources: it has no language models, its list says what each
 * model is for, it refuses models and voices that it does not have, and speaks at the rate of the model unless a request
 * names another one. @see https://github.com/speaches-ai/speaches
 */
import type { WavSound } from '@parley/audio';
import { jsonReply, simulatedSpeech } from './openai-wire.ts';
import type { SimulatedFault } from './simulator/simulated-fault.ts';
import {
  ProviderSimulator,
  type SimulatedReply,
  type SimulatorOptions,
} from './simulator/provider-simulator.ts';
import type { SimulatedRequest } from './simulator/simulated-request.ts';

/** The models of the simulator. */
export const SPEACHES_MODELS = {
  transcription: 'Systran/faster-whisper-small',
  /** Its voice is `lessac`, at 22 050 Hz. */
  speech: 'speaches-ai/piper-en_US-lessac-medium',
} as const;
const VOICE = 'lessac';
const MODEL_RATE_HZ = 22_050;

const MODELS = [
  {
    id: SPEACHES_MODELS.transcription,
    created: 1_700_000_000,
    object: 'model',
    owned_by: 'Systran',
    language: ['en', 'de'],
    task: 'automatic-speech-recognition',
  },
  {
    id: SPEACHES_MODELS.speech,
    created: 1_700_000_000,
    object: 'model',
    owned_by: 'speaches-ai',
    language: ['en'],
    task: 'text-to-speech',
    sample_rate: MODEL_RATE_HZ,
    voices: [{ name: VOICE, language: 'en', id: VOICE }],
  },
];

/** @see SpeachesSimulator */
export interface SpeachesSimulatorOptions extends SimulatorOptions {
  /** @param index - counts the transcriptions from 0 */
  transcribe?: (sound: WavSound, index: number) => string;
}

export class SpeachesSimulator extends ProviderSimulator {
  readonly #transcribe: SpeachesSimulatorOptions['transcribe'];
  #transcriptions = 0;

  constructor({ transcribe, ...options }: SpeachesSimulatorOptions) {
    super({ ...options, faultFor: (request) => options.faultFor?.(request) ?? refusalOf(request) });
    this.#transcribe = transcribe;
  }

  /** Up to `/v1`. */
  get baseUrl(): string {
    return `${this.origin}/v1`;
  }

  protected reply({ path, body, sound }: SimulatedRequest): SimulatedReply | null {
    if (path === '/v1/models') return jsonReply({ object: 'list', data: MODELS });
    if (path === '/v1/audio/transcriptions') {
      const index = this.#transcriptions++;
      return jsonReply({ text: sound ? (this.#transcribe?.(sound, index) ?? 'hello') : '' });
    }
    if (path !== '/v1/audio/speech') return null;
    const rateHz = Number(body['sample_rate'] ?? MODEL_RATE_HZ);
    const pieces = simulatedSpeech(String(body['input']), { speed: Number(body['speed'] ?? 1), rateHz });
    return { contentType: 'audio/pcm', pieces };
  }
}

/** Models must be installed, and have the task of the endpoint. */
function refusalOf({ path, body }: SimulatedRequest): SimulatedFault | undefined {
  const wanted = { '/v1/audio/transcriptions': 'transcription', '/v1/audio/speech': 'speech' } as const;
  if (!Object.hasOwn(wanted, path)) return undefined;
  const { model, voice } = body;
  if (model !== SPEACHES_MODELS[wanted[path as keyof typeof wanted]])
    return { type: 'status', status: 404, message: `Model '${String(model)}' is not installed locally.` };
  return path === '/v1/audio/speech' && voice !== VOICE
    ? { type: 'status', status: 422, message: `Voice '${String(voice)}' is not supported.` }
    : undefined;
}
