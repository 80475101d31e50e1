/**
 * A server of the OpenAI wire protocol: language models, voices and recognisers of this kind are tested against it, and the
 * whole product can use it in place of a hosted provider.
 */
import type { WavSound } from '@parley/audio';
import { embeddingsReply, wordsOf } from './openai-embeddings.ts';
import { chatReply, jsonReply, speechReply, type SimulatedAnswer } from './openai-wire.ts';
import {
  ProviderSimulator,
  type SimulatedReply,
  type SimulatorOptions,
} from './simulator/provider-simulator.ts';
import type { SimulatedRequest } from './simulator/simulated-request.ts';

/** What the simulated models do. Without a function, they say something fixed. */
export interface OpenAiSimulatorOptions extends SimulatorOptions {
  chat?: (body: Record<string, unknown>) => SimulatedAnswer;
  /** The embedding of a text. Default: its words. */
  embed?: (text: string) => readonly number[];
  /** @param index - counts the transcriptions from 0 */
  transcribe?: (sound: WavSound, index: number) => string;
}

/** @see OpenAiSimulatorOptions */
export class OpenAiSimulator extends ProviderSimulator {
  readonly #given: OpenAiSimulatorOptions;
  #transcriptions = 0;

  constructor(options: OpenAiSimulatorOptions) {
    super(options);
    this.#given = options;
  }

  /** Where clients find it, as providers write it: up to `/v1`. */
  get baseUrl(): string {
    return `${this.origin}/v1`;
  }

  #chat(body: Record<string, unknown>): SimulatedReply {
    const answer = this.#given.chat?.(body) ?? { text: 'Hello, how can I help you?' };
    if (body['stream'] === true) return chatReply(answer);
    const message = { role: 'assistant', content: answer.text ?? null };
    return jsonReply({ choices: [{ index: 0, message, finish_reason: 'stop' }] });
  }

  protected reply({ path, body, sound }: SimulatedRequest): SimulatedReply | null {
    switch (path) {
      case '/v1/embeddings':
      case '/v1beta/openai/embeddings': // Google's
        return embeddingsReply(body, this.#given.embed ?? wordsOf);
      case '/v1/chat/completions':
        return this.#chat(body);
      case '/v1/audio/speech':
        return speechReply(String(body['input']), Number(body['speed'] ?? 1));
      case '/v1/audio/transcriptions': {
        const index = this.#transcriptions++;
        return jsonReply({ text: sound ? (this.#given.transcribe?.(sound, index) ?? 'hello') : '' });
      }
      default:
        return null;
    }
  }
}
