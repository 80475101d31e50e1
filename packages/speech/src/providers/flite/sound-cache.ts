/**
 * Remembers what was synthesised last: greetings, closing lines and questions are the same in every call. Bounded by
 * size; what was not used for longest goes first.
 */

/** Sounds by a key of the owner's making. */
export class SoundCache {
  readonly #limitBytes: number;
  readonly #sounds = new Map<string, Int16Array>(); // oldest use first
  #sizeBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** The sound itself, not a copy: whoever gives it away copies it. */
  get(key: string): Int16Array | undefined {
    const sound = this.#sounds.get(key);
    if (sound) {
      this.#sounds.delete(key);
      this.#sounds.set(key, sound);
    }
    return sound;
  }

  /** Keeps a sound, unless it would take more than a quarter of the room. */
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
