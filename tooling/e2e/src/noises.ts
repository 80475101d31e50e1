/** Sounds from around a caller, made in code; mono at {@link PEOPLE_RATE_HZ}. */
import { applyGain, gainOfDb, makeHoldMusic, mixInto, resample } from '@parley/audio';
import { seededRandom } from '@parley/phones';
import { PEOPLE_RATE_HZ, type Speak } from './people-bed.ts';

const samplesIn = (ms: number): number => Math.round((ms * PEOPLE_RATE_HZ) / 1000);

/** Softer samples at both ends of a voice are silence. */
const FAINTEST = 150;

/** Sounds one after the other, with silence of exactly these lengths between them. */
export function withPauses(sounds: readonly Int16Array[], pausesMs: readonly number[]): Int16Array {
  const isLoud = (sample: number): boolean => Math.abs(sample) > FAINTEST;
  const parts = sounds.flatMap((sound, at) => [
    ...sound.slice(sound.findIndex(isLoud), sound.findLastIndex(isLoud) + 1),
    ...new Int16Array(samplesIn(pausesMs[at] ?? 0)),
  ]);
  return Int16Array.from(parts);
}

/** The same sound at another level. */
export function atLevel(sound: Int16Array, db: number): Int16Array {
  const changed = sound.slice();
  applyGain(changed, gainOfDb(db));
  return changed;
}

/** Noise that fades by a factor of e in `fadeMs`. */
function burst(ms: number, options: { fadeMs: number; peak: number; hz: number; seed: number }): Int16Array {
  const random = seededRandom('burst', options.seed);
  let low = 0;
  const follows = 1 - Math.exp((-2 * Math.PI * options.hz) / PEOPLE_RATE_HZ);
  return Int16Array.from({ length: samplesIn(ms) }, (_, n) => {
    low += follows * (2 * random() - 1 - low);
    return options.peak * low * Math.exp(-n / samplesIn(options.fadeMs));
  });
}

/** A door that falls shut: a dull bang, the latch, and what rattles after it. */
export function door(): Int16Array {
  const sound = burst(700, { fadeMs: 90, peak: 60_000, hz: 250, seed: 1 });
  mixInto(sound, burst(60, { fadeMs: 8, peak: 20_000, hz: 3000, seed: 2 }));
  return sound;
}

/** Keys of a computer near the telephone, six a second with irregular gaps. */
export function keyboard(ms: number): Int16Array {
  const random = seededRandom('keyboard', 1);
  const sound = new Int16Array(samplesIn(ms));
  for (let atMs = 0; atMs < ms - 100; atMs += 90 + 160 * random())
    mixInto(
      sound.subarray(samplesIn(atMs)),
      burst(50, { fadeMs: 6, peak: 2500 + 3500 * random(), hz: 2500, seed: atMs }),
    );
  return sound;
}

/** Music in the room. */
export const music = (): Int16Array => Int16Array.from(makeHoldMusic(PEOPLE_RATE_HZ));

/** A child near the telephone: a voice half an octave higher. */
export async function child(speak: Speak, text: string): Promise<Int16Array> {
  return resample(await speak(text, 'slt'), PEOPLE_RATE_HZ * 1.4, PEOPLE_RATE_HZ);
}
