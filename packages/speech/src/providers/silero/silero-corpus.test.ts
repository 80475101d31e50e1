/**
 * Silero on sounds whose truth is known: built-in voices over a telephone codec, in silence and in noise as loud as they
 * are, and sounds that are no speech. The findings the project began with, made on a human voice (frames found 96.0 %,
 * false 0.8 %; none missed at 0 dB; no false starts on clicks, music and keys), must hold here within 2 points.
 */
import { applyGain, decodeG711, encodeG711, gainOfDb, mixInto, resample, rmsDbfs, tone } from '@parley/audio';
import { silentLog, systemClock } from '@parley/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFliteSynthesiser } from '../flite/flite-synthesiser.ts';
import { SileroDetector } from './silero-detector.ts';

const RATE = 8000;
const WINDOW_MS = 32;
const SPEECH_AT = 0.5;
const LASTS_ABOVE = 0.35;
const PAUSE_WINDOWS = 8;
/** A window of a sentence that is so much softer than the whole is a pause, for which either verdict is right, decibels. */
const SOFT_DB = 25;
const LEAD_MS = 1000;

const SENTENCES = [
  'Good morning, I would like to change my appointment.',
  'My name is Miller, and the number of my house is seventeen.',
  'No, that is not what I meant. Could you say it again?',
  'The delivery should have been here on Thursday.',
  'Yes, I can hear you very well.',
  'What does it cost to send it back?',
];

const flite = createFliteSynthesiser({ clock: systemClock });
const detector = new SileroDetector({ clock: systemClock, log: silentLog, batchLimitMs: 60_000 });
beforeAll(async () => {
  await Promise.all([flite.start(), detector.start()]);
});
afterAll(async () => {
  await detector.close();
  await flite.stop();
});

/** A second of silence around each sentence. */
async function sentences(): Promise<Int16Array[]> {
  const sounds: Int16Array[] = [];
  for (const voice of ['rms', 'slt'])
    for (const text of SENTENCES) {
      const options = { voice, sampleRateHz: RATE, speed: 1, stability: 0, similarity: 0, language: 'en' };
      const pieces: Int16Array[] = [new Int16Array(RATE)];
      for await (const piece of flite.speak(text, options, new AbortController().signal)) pieces.push(piece);
      sounds.push(Int16Array.from([...pieces, new Int16Array(RATE)].flatMap((piece) => [...piece])));
    }
  return sounds;
}

/** What the detector makes of a telephone sound: speech or not, window by window, as the rules of a turn hear it. */
async function speechIn(sound: Int16Array): Promise<boolean[]> {
  const coded = new Uint8Array(sound.length);
  const line = new Int16Array(sound.length);
  encodeG711('PCMU', sound, coded);
  decodeG711('PCMU', coded, line);
  const wide = resample(line, RATE, 16_000);
  const probabilities: number[] = [];
  await new Promise<void>((resolve) => {
    const stream = detector.open((probability) => {
      if (probabilities.push(probability) === Math.floor(wide.length / 512)) resolve();
    });
    stream.push(wide);
  });
  let loud = 0;
  let quiet = Infinity;
  return probabilities.map((probability) => {
    loud = probability >= SPEECH_AT ? loud + 1 : 0;
    const goesOn = quiet < PAUSE_WINDOWS && probability >= LASTS_ABOVE;
    quiet = loud >= 2 || goesOn ? 0 : quiet + 1;
    return quiet < PAUSE_WINDOWS;
  });
}

function noise(length: number, levelDbfs: number): Int16Array {
  let seed = 5;
  const sound = new Int16Array(length).map(() => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return (seed / 2 ** 31 - 1) * 10_000;
  });
  applyGain(sound, gainOfDb(levelDbfs - rmsDbfs(sound)));
  return sound;
}
/** The level of the sentence itself. */
const levelOf = (sound: Int16Array): number => rmsDbfs(sound.subarray(RATE, sound.length - RATE));

describe('Silero', () => {
  it('finds the frames of speech, and few others', async () => {
    const counts = { speech: 0, found: 0, silence: 0, wrong: 0 };
    for (const sound of await sentences()) {
      const speech = await speechIn(sound);
      const windowSamples = (WINDOW_MS * RATE) / 1000;
      for (const [index, isSpeech] of speech.entries()) {
        const window = sound.subarray(index * windowSamples, (index + 1) * windowSamples);
        const isBefore = (index + 1) * WINDOW_MS <= LEAD_MS;
        if (isBefore) counts.silence += 1;
        if (isBefore && isSpeech) counts.wrong += 1;
        if (rmsDbfs(window) < levelOf(sound) - SOFT_DB) continue;
        counts.speech += 1;
        if (isSpeech) counts.found += 1;
      }
    }
    expect((100 * counts.found) / counts.speech).toBeGreaterThanOrEqual(94);
    expect((100 * counts.wrong) / counts.silence).toBeLessThanOrEqual(2.8);
  });

  it('misses no sentence in noise as loud as the voice', async () => {
    for (const sound of await sentences()) {
      mixInto(sound, noise(sound.length, levelOf(sound)));
      expect((await speechIn(sound)).some((isSpeech) => isSpeech)).toBe(true);
    }
  });

  it.each([
    ['clicks', () => new Int16Array(30 * RATE).map((_sample, n) => (n % 3777 < 12 ? 12_000 : 0))],
    ['music', () => chords()],
    ['keys', () => keys()],
    ['noise', () => noise(30 * RATE, -30)],
  ])('takes no %s for speech', async (_name, make) => {
    expect((await speechIn(make())).filter((isSpeech) => isSpeech)).toEqual([]);
  });
});

/** Three notes at a time, another chord each half second. */
function chords(): Int16Array {
  const sound = new Int16Array(30 * RATE);
  for (let at = 0, k = 0; at < sound.length; at += RATE / 2, k++)
    for (const third of [1, 1.26, 1.5])
      mixInto(
        sound.subarray(at),
        tone({
          hz: 220 * 2 ** ((k % 5) / 6) * third,
          sampleRateHz: RATE,
          samples: RATE / 2,
          amplitude: 3000,
        }),
      );
  return sound;
}

function keys(): Int16Array {
  const sound = new Int16Array(30 * RATE);
  for (let at = 0, k = 0; at < sound.length; at += RATE / 4, k++)
    for (const hz of [[697, 770, 852, 941][k % 4] ?? 697, [1209, 1336, 1477][k % 3] ?? 1209])
      mixInto(sound.subarray(at), tone({ hz, sampleRateHz: RATE, samples: RATE / 8, amplitude: 5000 }));
  return sound;
}
