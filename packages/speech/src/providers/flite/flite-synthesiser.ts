/**
 * The built-in voice: Flite in a separate worker thread, one sentence at a time for the whole process, with a cache of
 * earlier sentences. English only. Needs no key, no network and no installed program.
 */
import type { Clock } from '@parley/runtime';
import { SpeechError, type SpeakOptions, type Synthesiser } from '../../ports.ts';
import { WorkerConnection } from '../../worker-connection.ts';
import { FLITE_VOICES, type FliteVoice } from './flite-engine.ts';
import type { FliteReply, FliteRequest } from './flite-message.ts';
import { toFliteSentences } from './flite-text.rules.ts';
import { SoundCache } from './sound-cache.ts';

/** A sentence takes 10 to 50 ms; a thread that needs longer than this hangs, milliseconds. */
const SENTENCE_LIMIT_MS = 10_000;
/**
 * The thread uses about 70 MB. A new thread delays the first sentence by 0.15 s, while the phone rings; earlier sentences
 * come from the cache.
 */
const IDLE_LIMIT_MS = 20_000;
/** About nine minutes of speech at 8000 Hz. */
const CACHE_BYTES = 8 * 1024 * 1024;
const SLOWEST = 0.5;
const FASTEST = 2;

/** Created by {@link createFliteSynthesiser}. */
export interface FliteSynthesiser extends Synthesiser {
  /** Starts the thread and lets it speak once, so that the first caller does not wait for the compiler. */
  start(): Promise<void>;
  /** Ends the thread; open requests fail. May be called more than once. */
  stop(): Promise<void>;
}

/** Voices are those of {@link FLITE_VOICES}; `stability`, `similarity` and `language` have no effect. */
export function createFliteSynthesiser(options: { clock: Clock }): FliteSynthesiser {
  return new QueuedFlite(options.clock);
}

class QueuedFlite implements FliteSynthesiser {
  readonly capabilities = { sampleRatesHz: [16_000], settings: ['speed'] } as const;
  readonly #line: WorkerConnection<FliteRequest, FliteReply>;
  readonly #cache = new SoundCache(CACHE_BYTES);
  /** The newest request; each waits for the one before it. Never rejects. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(clock: Clock) {
    const file = new URL('./flite-worker.ts', import.meta.url);
    this.#line = new WorkerConnection({
      file,
      clock,
      limitMs: SENTENCE_LIMIT_MS,
      idleLimitMs: IDLE_LIMIT_MS,
    });
  }

  async start(): Promise<void> {
    const request = { text: 'Hello, how are you?', voice: 'slt', speed: 1, sampleRateHz: 8000 } as const;
    await this.#synthesise(request, new AbortController().signal);
  }

  async stop(): Promise<void> {
    await this.#line.stop();
  }

  async *speak(text: string, options: SpeakOptions, signal: AbortSignal): AsyncGenerator<Int16Array> {
    const voice = toVoice(options.voice);
    const speed = Math.min(FASTEST, Math.max(SLOWEST, options.speed));
    for (const sentence of toFliteSentences(text)) {
      const request = { text: sentence, voice, speed, sampleRateHz: options.sampleRateHz };
      const samples = await this.#synthesise(request, signal);
      if (!samples || signal.aborted) return;
      yield samples.slice(); // the receiver may change it, but the cached samples must stay as they are
    }
  }

  /** @returns null if the signal was aborted first */
  async #synthesise(request: FliteRequest, signal: AbortSignal): Promise<Int16Array | null> {
    if (signal.aborted) return null;
    const cached = this.#cache.get(keyOf(request));
    if (cached) return cached;
    const { promise: aborted, resolve } = Promise.withResolvers<null>();
    const onAbort = (): void => resolve(null);
    signal.addEventListener('abort', onAbort, { once: true });
    const spoken = this.#last.then(async () => (signal.aborted ? null : this.#ask(request)));
    this.#last = spoken;
    const result = await Promise.race([spoken, aborted]);
    signal.removeEventListener('abort', onAbort);
    if (result instanceof SpeechError) throw result;
    return result;
  }

  /** Never rejects. */
  async #ask(request: FliteRequest): Promise<Int16Array | SpeechError> {
    const cached = this.#cache.get(keyOf(request)); // an earlier job may have made it meanwhile
    if (cached) return cached;
    try {
      const reply = await this.#line.ask(request);
      if ('fault' in reply) return new SpeechError('rejected', `Flite could not say it: ${reply.fault}`);
      this.#cache.set(keyOf(request), reply.samples);
      return reply.samples;
    } catch (error) {
      if (error instanceof SpeechError) return error;
      return new SpeechError('unavailable', 'Flite could not be asked', { cause: error });
    }
  }
}

function keyOf({ voice, speed, sampleRateHz, text }: FliteRequest): string {
  return `${voice} ${speed} ${sampleRateHz} ${text}`;
}

function toVoice(name: string): FliteVoice {
  const voice = FLITE_VOICES.find((known) => known === name);
  if (!voice) throw new SpeechError('rejected', `Flite has no voice named "${name}"`);
  return voice;
}
