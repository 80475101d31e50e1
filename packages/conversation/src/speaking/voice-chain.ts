/** The voices of a call: each a synthesiser and the name of its voice. */
import type { SpeakOptions, Synthesiser, TimedWord } from '@parley/speech';
import { ProviderChain } from '../provider-chain.ts';
import { RecordedPhrases } from './recorded-phrases.ts';

/** One voice. */
export interface VoiceChoice {
  synthesiser: Synthesiser;
  /** The synthesiser's name of the voice. */
  voice: string;
}

/** Settings that are the same for all voices. */
export type SpeakingManner = Omit<SpeakOptions, 'voice' | 'isFixed' | 'onWord'>;

/** Receives the words of a sound, if the voice reports when they sound. */
export type OnWord = (word: TimedWord) => void;

/** How one text is spoken. */
interface TextOptions {
  signal: AbortSignal;
  /** 0 for the voice in use, more for its replacements. */
  count?: number;
  onWord?: OnWord | undefined;
}

/** The voices in order, one of which is in use. Sentences that have a recording need none of them. */
export class VoiceChain extends ProviderChain<VoiceChoice> {
  readonly #manner: SpeakingManner;
  readonly recorded: RecordedPhrases;

  constructor(
    { manner, recorded = new RecordedPhrases() }: { manner: SpeakingManner; recorded?: RecordedPhrases },
    first: VoiceChoice,
    ...fallbacks: readonly VoiceChoice[]
  ) {
    super(first, ...fallbacks);
    this.#manner = manner;
    this.recorded = recorded;
  }

  speak(text: string, options: TextOptions): AsyncIterable<Int16Array> {
    return this.#sound(text, options, false);
  }

  /** The same for a text that other calls speak too. */
  speakFixed(text: string, options: TextOptions): AsyncIterable<Int16Array> {
    return this.#sound(text, options, true);
  }

  #sound(
    text: string,
    { signal, count = 0, onWord }: TextOptions,
    isFixed: boolean,
  ): AsyncIterable<Int16Array> {
    const { synthesiser, voice } = this.following(count);
    const options = { ...this.#manner, voice, ...(isFixed && { isFixed }), ...(onWord && { onWord }) };
    const speak = (): AsyncIterable<Int16Array> => synthesiser.speak(text, options, signal);
    return this.recorded.has(text) ? this.#recordedOr(text, speak) : speak();
  }

  /** The recording; what the voice says, when there is none any more. */
  async *#recordedOr(text: string, speak: () => AsyncIterable<Int16Array>): AsyncGenerator<Int16Array> {
    const sound = await this.recorded.soundOf(text, this.#manner.sampleRateHz);
    if (sound) yield sound;
    else yield* speak();
  }
}
