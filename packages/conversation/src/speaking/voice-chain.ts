/** The voices of a call: each a synthesiser and the name of the voice in it. */
import type { SpeakOptions, Synthesiser } from '@parley/speech';
import { ProviderChain } from '../provider-chain.ts';

/** Who speaks. */
export interface VoiceChoice {
  synthesiser: Synthesiser;
  /** The synthesiser's own name of the voice. */
  voice: string;
}

/** How it is spoken, whoever speaks. */
export type SpeakingManner = Omit<SpeakOptions, 'voice'>;

/** The voices in order, of which one is at work. */
export class VoiceChain extends ProviderChain<VoiceChoice> {
  readonly #manner: SpeakingManner;

  constructor(manner: SpeakingManner, first: VoiceChoice, ...fallbacks: readonly VoiceChoice[]) {
    super(first, ...fallbacks);
    this.#manner = manner;
  }

  /** @param count - 0 for the voice at work, more for those who would follow it */
  speak(text: string, signal: AbortSignal, count = 0): AsyncIterable<Int16Array> {
    const { synthesiser, voice } = this.following(count);
    return synthesiser.speak(text, { ...this.#manner, voice }, signal);
  }
}
