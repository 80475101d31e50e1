/** The voices of a call: each a synthesiser and the name of its voice. */
import type { SpeakOptions, Synthesiser } from '@parley/speech';
import { ProviderChain } from '../provider-chain.ts';

/** One voice. */
export interface VoiceChoice {
  synthesiser: Synthesiser;
  /** The synthesiser's name of the voice. */
  voice: string;
}

/** Settings that are the same for all voices. */
export type SpeakingManner = Omit<SpeakOptions, 'voice'>;

/** The voices in order, one of which is in use. */
export class VoiceChain extends ProviderChain<VoiceChoice> {
  readonly #manner: SpeakingManner;

  constructor(manner: SpeakingManner, first: VoiceChoice, ...fallbacks: readonly VoiceChoice[]) {
    super(first, ...fallbacks);
    this.#manner = manner;
  }

  /** @param count - 0 for the voice in use, more for its replacements */
  speak(text: string, signal: AbortSignal, count = 0): AsyncIterable<Int16Array> {
    const { synthesiser, voice } = this.following(count);
    return synthesiser.speak(text, { ...this.#manner, voice }, signal);
  }

  /** The same for a text that other calls speak too. */
  speakFixed(text: string, signal: AbortSignal, count = 0): AsyncIterable<Int16Array> {
    const { synthesiser, voice } = this.following(count);
    return synthesiser.speak(text, { ...this.#manner, voice, isFixed: true }, signal);
  }
}
