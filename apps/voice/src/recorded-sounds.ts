/**
 * The sounds of recorded phrases, which calls play instead of the voice. They are read when a call is set up, and kept in
 * memory for later calls at the rate of their line. A recording that cannot be read is spoken by the voice.
 */
import { readWav, resample } from '@parley/audio';
import type { PhraseRecordings } from '@parley/conversation';
import { loadPhraseSound, type CallPhrase, type CoreContext } from '@parley/core';
import { withDeadline } from '@parley/runtime';
import { SoundCache } from '@parley/speech';

/** About half an hour of telephone sound. */
const LIMIT_BYTES = 32 * 1024 * 1024;
/** A caller does not wait longer for a slow database: the voice speaks instead. Milliseconds. */
const LOAD_LIMIT_MS = 1000;

/** One per process. */
export class RecordedSounds {
  readonly #core: CoreContext;
  readonly #cache: SoundCache;
  readonly #loading = new Map<string, Promise<Int16Array | null>>();

  constructor(core: CoreContext, limitBytes = LIMIT_BYTES) {
    this.#core = core;
    this.#cache = new SoundCache(limitBytes);
  }

  /** Those of an assistant; of two with the same text the newer one counts. */
  of(phrases: readonly CallPhrase[]): PhraseRecordings | undefined {
    if (phrases.length === 0) return undefined;
    const ids = new Map(phrases.map(({ id, text }) => [text, id]));
    return {
      texts: [...ids.keys()],
      soundOf: async (text, sampleRateHz) => {
        const id = ids.get(text);
        return id === undefined ? null : this.#sound(id, sampleRateHz);
      },
    };
  }

  async #sound(id: number, sampleRateHz: number): Promise<Int16Array | null> {
    const key = `${id} ${sampleRateHz}`;
    const kept = this.#cache.get(key);
    if (kept) return kept.slice(); // the receiver may change it
    const loading = this.#loading.get(key) ?? this.#load(id, sampleRateHz, key);
    try {
      return (await withDeadline(this.#core.clock, LOAD_LIMIT_MS, loading))?.slice() ?? null;
    } catch (error) {
      this.#core.log.warn({ err: error, phraseId: id }, 'A recorded phrase could not be read');
      return null;
    }
  }

  #load(id: number, sampleRateHz: number, key: string): Promise<Int16Array | null> {
    const loading = this.#read(id, sampleRateHz).finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading.then((sound) => {
      if (sound) this.#cache.set(key, sound);
      return sound;
    });
  }

  async #read(id: number, sampleRateHz: number): Promise<Int16Array | null> {
    const file = await loadPhraseSound(this.#core, id);
    if (!file) return null;
    const { channels, sampleRateHz: fromHz } = readWav(file);
    return resample(channels[0] ?? new Int16Array(), fromHz, sampleRateHz);
  }
}
