/**
 * A cache of synthesised audio: greetings, goodbyes and questions are the same in every call. Limited by size; the least
 * recently used entry is removed first.
 */

/** Sounds by a key of the owner's making. */
export class SoundCache {
  readonly #limitBytes: number;
  readonly #sounds = new Map<string, Int16Array>(); // oldest use first
  #sizeBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** The cached array itself; copy it before passing it on. */
  get(key: string): Int16Array | undefined {
    const sound = this.#sounds.get(key);
    if (sound) {
      this.#sounds.delete(key);
      this.#sounds.set(key, sound);
    }
    return sound;
  }

  /** Stores a sound, unless it would take more than a quarter of the cache. */
  set(key: string, sound: Int16Array): void {
    this.#drop(key);
    if (sound.byteLength > this.#limitBytes / 4) return;
    this.#sounds.set(key, sound);
    this.#sizeBytes += sound.byteLength;
    for (const oldest of this.#sounds.keys()) {
      if (this.#sizeBytes <= this.#limitBytes) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#sizeBytes -= this.#sounds.get(key)?.byteLength ?? 0;
    this.#sounds.delete(key);
  }
}
