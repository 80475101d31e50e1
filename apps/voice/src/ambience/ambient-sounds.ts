/**
 * The ambient sounds of this process. Each is generated when the first call needs it, with a murmur of the built-in voices
 * if it includes people, and shared by all later calls.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { hasMurmur, AMBIENT_SOUNDS, type AmbientSound } from '@parley/audio';
import type { Log } from '@parley/runtime';
import { FLITE_VOICES, type Synthesiser } from '@parley/speech';

/** The texts of the background murmur. */
const SMALL_TALK = [
  'So I told her that we would meet at the station, but of course the train was late again.',
  'Have you seen the new place around the corner? They make a very good soup, and it is not expensive.',
  'We could do that next week, or maybe on Thursday, when the others are back from the mountains.',
  'I never know what to say to that. He just smiled, and then they went on as if nothing had happened.',
];

/** The name of the hold music for the thread that generates sounds. */
const HOLD_MUSIC = 'hold_music';

/** Options of the ambient sounds. */
export interface AmbientSoundsOptions {
  /** The built-in voice. */
  synthesiser: Synthesiser;
  log: Log;
}

/** One instance per process. */
export class AmbientSounds {
  readonly #options: AmbientSoundsOptions;
  readonly #loops = new Map<string, Promise<Int16Array | null>>();

  constructor(options: AmbientSoundsOptions) {
    this.#options = options;
  }

  /**
   * The loop of an ambient sound, at full volume. Never rejects: the call goes on without its ambient sound.
   *
   * @param name - of an ambient sound; null is returned for anything else, such as `off`
   */
  async loop(name: string, sampleRateHz: number): Promise<Int16Array | null> {
    const sound = AMBIENT_SOUNDS.find((known) => known === name);
    if (!sound) return null;
    const key = `${sound} ${sampleRateHz}`;
    const loop = this.#loops.get(key) ?? this.#make(sound, sampleRateHz);
    this.#loops.set(key, loop);
    return loop;
  }

  /** The music for callers who wait. Never rejects: null if it could not be made. */
  async holdMusic(sampleRateHz: number): Promise<Int16Array | null> {
    const key = `${HOLD_MUSIC} ${sampleRateHz}`;
    const loop = this.#loops.get(key) ?? this.#make(HOLD_MUSIC, sampleRateHz);
    this.#loops.set(key, loop);
    return loop;
  }

  async #make(sound: AmbientSound | typeof HOLD_MUSIC, sampleRateHz: number): Promise<Int16Array | null> {
    try {
      const voices = sound !== HOLD_MUSIC && hasMurmur(sound) ? await this.#murmurs(sampleRateHz) : [];
      const worker = new Worker(new URL('./ambient-sound-worker.ts', import.meta.url), {
        workerData: { sound, options: { sampleRateHz, voices } },
      });
      const [loop] = (await once(worker, 'message')) as [Int16Array];
      return loop;
    } catch (error) {
      this.#options.log.warn(
        { err: error, sound },
        'An ambient sound could not be made; calls go on without it',
      );
      return null;
    }
  }

  async #murmurs(sampleRateHz: number): Promise<Int16Array[]> {
    const murmurs: Int16Array[] = [];
    for (const [index, text] of SMALL_TALK.entries()) {
      const voice = FLITE_VOICES[index % FLITE_VOICES.length] ?? FLITE_VOICES[0];
      const options = { voice, sampleRateHz, speed: 1, stability: 0, similarity: 0, language: 'en' };
      const pieces: number[] = [];
      for await (const piece of this.#options.synthesiser.speak(text, options, new AbortController().signal))
        for (const sample of piece) pieces.push(sample);
      murmurs.push(Int16Array.from(pieces));
    }
    return murmurs;
  }
}
