/**
 * Synthetic background sounds: bands of noise whose level varies, occasional events and, for places with people, a
 * murmur mixed from given voices. So the repository contains no recordings. Generated once per process, in some tens of
 * milliseconds.
 */
import { clip, gainOfDb } from './level.ts';
import { bandNoise, seededRandom } from './seeded-noise.ts';

/** All ambient sounds. */
export const AMBIENT_SOUNDS = ['office', 'city', 'forest', 'crowded_room', 'cafe', 'nature'] as const;
export type AmbientSound = (typeof AMBIENT_SOUNDS)[number];

/** The level of a loop; speech is about 6 dB louder. */
export const AMBIENT_DBFS = -26;
const LOOP_SECONDS = 20;
/** The end of a loop is cross-faded into its beginning over this time. */
const SEAM_SECONDS = 0.5;
/** Voices of one murmur. */
const MURMURERS = 9;

/** An occasional sound. */
interface Event {
  perMinute: number;
  loudness: number;
  sound: 'key' | 'bird' | 'cup' | 'car';
}

/** The components of a sound with their relative loudness. */
interface Recipe {
  noise: readonly { aboveHz: number; belowHz: number; loudness: number; swellSeconds: number }[];
  murmur: number;
  events: readonly Event[];
}

const RECIPES: Record<AmbientSound, Recipe> = {
  office: {
    noise: [{ aboveHz: 60, belowHz: 400, loudness: 1, swellSeconds: 20 }],
    murmur: 0.25,
    events: [{ perMinute: 150, loudness: 0.5, sound: 'key' }],
  },
  city: {
    noise: [
      { aboveHz: 50, belowHz: 300, loudness: 1, swellSeconds: 10 },
      { aboveHz: 300, belowHz: 1500, loudness: 0.3, swellSeconds: 5 },
    ],
    murmur: 0,
    events: [{ perMinute: 12, loudness: 1.5, sound: 'car' }],
  },
  forest: {
    noise: [{ aboveHz: 300, belowHz: 1500, loudness: 0.6, swellSeconds: 6.7 }],
    murmur: 0,
    events: [{ perMinute: 40, loudness: 1, sound: 'bird' }],
  },
  crowded_room: {
    noise: [{ aboveHz: 100, belowHz: 800, loudness: 0.3, swellSeconds: 20 }],
    murmur: 1,
    events: [],
  },
  cafe: {
    noise: [{ aboveHz: 100, belowHz: 900, loudness: 0.3, swellSeconds: 20 }],
    murmur: 0.7,
    events: [{ perMinute: 15, loudness: 0.8, sound: 'cup' }],
  },
  nature: {
    noise: [
      { aboveHz: 400, belowHz: 3000, loudness: 0.8, swellSeconds: 20 },
      { aboveHz: 100, belowHz: 600, loudness: 0.5, swellSeconds: 5 },
    ],
    murmur: 0,
    events: [{ perMinute: 8, loudness: 0.7, sound: 'bird' }],
  },
};

/** The parameters of {@link makeAmbientSound}. */
export interface AmbientSoundOptions {
  sampleRateHz: number;
  /** Recordings of speech, mono at that sample rate; without recordings there is no murmur. */
  voices: readonly Int16Array[];
}

/** Whether the sound contains a murmur of voices. */
export function hasMurmur(sound: AmbientSound): boolean {
  return RECIPES[sound].murmur > 0;
}

/** A seamless loop of 20 s at {@link AMBIENT_DBFS}; mono, in memory that threads can share. */
export function makeAmbientSound(
  sound: AmbientSound,
  { sampleRateHz, voices }: AmbientSoundOptions,
): Int16Array {
  const { noise, murmur, events } = RECIPES[sound];
  const random = seededRandom(AMBIENT_SOUNDS.indexOf(sound) + 1);
  const length = (LOOP_SECONDS + SEAM_SECONDS) * sampleRateHz;
  const mix = new Float32Array(length);
  for (const { loudness, swellSeconds, ...band } of noise) {
    const part = bandNoise(length, { ...band, sampleRateHz }, random);
    const swell = (n: number): number =>
      0.7 + 0.3 * Math.sin((2 * Math.PI * n) / (swellSeconds * sampleRateHz));
    addPart(
      mix,
      part.map((sample, n) => sample * swell(n)),
      loudness,
    );
  }
  if (murmur > 0 && voices.length > 0) addPart(mix, murmurOf(voices, length, random), murmur);
  for (const event of events) addEvents(mix, event, { sampleRateHz, random });
  return toLoop(mix, SEAM_SECONDS * sampleRateHz);
}

/** Adds a part at the given loudness, independent of its own level. */
function addPart(mix: Float32Array, part: Float32Array, loudness: number): void {
  const scale = loudness / Math.max(1e-9, rmsOf(part));
  for (let n = 0; n < mix.length; n++) mix[n] = (mix[n] ?? 0) + scale * (part[n] ?? 0);
}

/** Mixes many voices, each repeated from a random start position. */
function murmurOf(voices: readonly Int16Array[], length: number, random: () => number): Float32Array {
  const murmur = new Float32Array(length);
  for (let k = 0; k < MURMURERS; k++) {
    const voice = voices[k % voices.length] ?? new Int16Array(1);
    const start = Math.floor(random() * voice.length);
    const nearness = 0.4 + random();
    for (let n = 0; n < length; n++)
      murmur[n] = (murmur[n] ?? 0) + nearness * (voice[(start + n) % voice.length] ?? 0);
  }
  return murmur;
}

function addEvents(
  mix: Float32Array,
  { perMinute, loudness, sound }: Event,
  { sampleRateHz, random }: { sampleRateHz: number; random: () => number },
): void {
  const count = Math.round((perMinute * mix.length) / (60 * sampleRateHz));
  for (let k = 0; k < count; k++) {
    const at = Math.floor(random() * mix.length);
    const part = eventSound(sound, sampleRateHz, random);
    const own = loudness * (0.5 + random());
    for (let n = 0; n < part.length && at + n < mix.length; n++)
      mix[at + n] = (mix[at + n] ?? 0) + own * (part[n] ?? 0);
  }
}

/** One random variant of an event sound, about -2 to 2. */
function eventSound(sound: Event['sound'], sampleRateHz: number, random: () => number): Float32Array {
  const make = (seconds: number, at: (t: number, share: number) => number): Float32Array =>
    Float32Array.from({ length: Math.round(seconds * sampleRateHz) }, (_, n) =>
      at(n / sampleRateHz, n / (seconds * sampleRateHz)),
    );
  const hz = random();
  const sine = (frequency: number, t: number): number => Math.sin(2 * Math.PI * frequency * t);
  switch (sound) {
    case 'key':
      return make(0.03, (t) => 2 * (random() - 0.5) * Math.exp(-t / 0.006));
    case 'cup':
      return make(
        0.25,
        (t) => (sine(2100 + 600 * hz, t) + 0.6 * sine(3100 + 300 * hz, t)) * Math.exp(-t / 0.04),
      );
    case 'bird':
      return make(
        0.35,
        (t, share) => sine(2200 + 800 * hz + 250 * sine(9 + 8 * hz, t), t) * Math.sin(Math.PI * share),
      );
    case 'car': {
      const rumble = bandNoise(4 * sampleRateHz, { aboveHz: 60, belowHz: 500, sampleRateHz }, random);
      return rumble.map((sample, n) => 6 * sample * Math.sin((Math.PI * n) / rumble.length) ** 2);
    }
  }
}

/** Cuts the seam off the end and cross-fades it into the beginning with equal power. */
function toLoop(mix: Float32Array, seam: number): Int16Array {
  const length = mix.length - seam;
  const loop = new Int16Array(new SharedArrayBuffer(2 * length));
  const rms = rmsOf(mix);
  const scale = (gainOfDb(AMBIENT_DBFS) * 32_768) / Math.max(1e-9, rms);
  for (let n = 0; n < length; n++) {
    const angle = n < seam ? (Math.PI * n) / (2 * seam) : Math.PI / 2;
    const tail = n < seam ? (mix[length + n] ?? 0) : 0;
    loop[n] = clip(scale * (Math.sin(angle) * (mix[n] ?? 0) + Math.cos(angle) * tail));
  }
  return loop;
}

function rmsOf(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}
