/**
 * Sound that is made before it is needed: the greeting while it rings; the apology and the fillers, which must be there
 * when a provider is not. One text after the other, with the voice that is at work.
 */
import type { FillerClips } from './filler-clips.ts';
import { PreparedSpeech } from './prepared-speech.ts';
import { untilAborted } from './until-aborted.ts';
import type { VoiceChain } from './voice-chain.ts';

/** What to make. */
export interface SpeechPreparationOptions {
  voices: VoiceChain;
  /** Said once, in this order: the sentences of greeting and apology. */
  sentences: { greeting: readonly string[]; apology: readonly string[] };
  fillerClips: FillerClips;
  signal: AbortSignal;
}

/** One per conversation. */
export class SpeechPreparation {
  readonly #options: SpeechPreparationOptions;
  readonly #prepared = new Map<string, PreparedSpeech>();
  /** Ends the text that is being made. */
  #making = new AbortController();
  #isGreetingOver = false;

  constructor(options: SpeechPreparationOptions) {
    this.#options = options;
  }

  /** Makes everything; what fails with every voice is left out and made again when it is due. Never rejects. */
  async prepare(): Promise<void> {
    const { sentences, fillerClips } = this.#options;
    for (const sentence of sentences.greeting) if (!this.#isGreetingOver) await this.#prepare(sentence);
    for (const sentence of sentences.apology) await this.#prepare(sentence);
    for (const text of fillerClips.wanted()) await this.#prepareFiller(text);
  }

  /** The first turn has begun: what was not made of the greeting by now is made as it is said. */
  endGreeting(): void {
    this.#isGreetingOver = true;
  }

  /** The voice at work was replaced: nobody waits for what it still makes. */
  voiceReplaced(): void {
    this.#making.abort();
  }

  /** The sound of a text, if it was made ahead; given away with this. */
  take(text: string): AsyncIterable<Int16Array> | undefined {
    const prepared = this.#prepared.get(text);
    this.#prepared.delete(text);
    return prepared;
  }

  async #prepare(text: string): Promise<void> {
    await this.#withEachVoice(async (signal, count) => {
      const speech = new PreparedSpeech(this.#speak(text, signal, count));
      this.#prepared.set(text, speech);
      const isMade = (await speech.isMade) && !signal.aborted;
      if (!isMade && this.#prepared.get(text) === speech) this.#prepared.delete(text);
      return isMade;
    });
  }

  async #prepareFiller(text: string): Promise<void> {
    await this.#withEachVoice(async (signal, count) => {
      const clip = new PreparedSpeech(this.#speak(text, signal, count));
      if (!(await clip.isMade) || signal.aborted) return false;
      const samples = await clip.whole();
      if (samples.length > 0) this.#options.fillerClips.put(text, samples);
      return true;
    });
  }

  /** Until one has made it. A voice that fails here is not replaced for the call: the turns decide on that. */
  async #withEachVoice(make: (signal: AbortSignal, count: number) => Promise<boolean>): Promise<void> {
    const { voices, signal } = this.#options;
    for (let count = 0; count < voices.size && !signal.aborted; count++) {
      this.#making = new AbortController();
      if (await make(AbortSignal.any([signal, this.#making.signal]), count)) return;
    }
  }

  /** A generator, so that a voice which throws at once fails like one that throws later. */
  async *#speak(text: string, signal: AbortSignal, count: number): AsyncGenerator<Int16Array> {
    yield* untilAborted(this.#options.voices.speak(text, signal, count), signal);
  }
}
