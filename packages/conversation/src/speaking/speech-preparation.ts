/**
 * Synthesises speech before it is needed: the greeting while the phone rings, then the apology and the fillers, which must
 * be available when a provider fails. One text after the other, with the voice in use.
 */
import type { FillerClips } from './filler-clips.ts';
import { PreparedSpeech } from './prepared-speech.ts';
import { untilAborted } from './until-aborted.ts';
import type { OnWord, VoiceChain } from './voice-chain.ts';

/** What to synthesise. */
export interface SpeechPreparationOptions {
  voices: VoiceChain;
  /** The sentences of greeting and apology, in this order; each is used once. */
  sentences: { greeting: readonly string[]; apology: readonly string[] };
  fillerClips: FillerClips;
  signal: AbortSignal;
}

/** One per conversation. */
export class SpeechPreparation {
  readonly #options: SpeechPreparationOptions;
  readonly #prepared = new Map<string, PreparedSpeech>();
  /** Cancels the text that is being synthesised. */
  #making = new AbortController();
  #isGreetingOver = false;

  constructor(options: SpeechPreparationOptions) {
    this.#options = options;
  }

  /** Synthesises everything. Texts that fail with every voice are synthesised again when they are needed. Never rejects. */
  async prepare(): Promise<void> {
    const { sentences, fillerClips } = this.#options;
    for (const sentence of sentences.greeting) if (!this.#isGreetingOver) await this.#prepare(sentence);
    for (const sentence of sentences.apology) await this.#prepare(sentence);
    for (const text of fillerClips.wanted()) await this.#prepareFiller(text);
  }

  /** The first turn has begun: the rest of the greeting is synthesised when it is spoken. */
  endGreeting(): void {
    this.#isGreetingOver = true;
  }

  /** The voice in use was replaced: cancels what it is synthesising. */
  voiceReplaced(): void {
    this.#making.abort();
  }

  /** Returns and removes the prepared speech of a text, if there is any. */
  take(text: string): PreparedSpeech | undefined {
    const prepared = this.#prepared.get(text);
    this.#prepared.delete(text);
    return prepared;
  }

  async #prepare(text: string): Promise<void> {
    await this.#withEachVoice(async (signal, count) => {
      const speech = new PreparedSpeech((onWord) => this.#speak(text, { signal, count, onWord }));
      this.#prepared.set(text, speech);
      const isMade = (await speech.isMade) && !signal.aborted;
      if (!isMade && this.#prepared.get(text) === speech) this.#prepared.delete(text);
      return isMade;
    });
  }

  async #prepareFiller(text: string): Promise<void> {
    await this.#withEachVoice(async (signal, count) => {
      const clip = new PreparedSpeech(() => this.#speak(text, { signal, count }));
      if (!(await clip.isMade) || signal.aborted) return false;
      const samples = await clip.whole();
      if (samples.length > 0) this.#options.fillerClips.put(text, samples);
      return true;
    });
  }

  /** Tries the voices until one succeeds. A voice that fails here is not replaced for the call; the turns decide on that. */
  async #withEachVoice(make: (signal: AbortSignal, count: number) => Promise<boolean>): Promise<void> {
    const { voices, signal } = this.#options;
    for (let count = 0; count < voices.size && !signal.aborted; count++) {
      this.#making = new AbortController();
      if (await make(AbortSignal.any([signal, this.#making.signal]), count)) return;
    }
  }

  /** A generator, so that a voice which throws at once fails like one that throws later. */
  async *#speak(
    text: string,
    options: { signal: AbortSignal; count: number; onWord?: OnWord },
  ): AsyncGenerator<Int16Array> {
    yield* untilAborted(this.#options.voices.speakFixed(text, options), options.signal);
  }
}
