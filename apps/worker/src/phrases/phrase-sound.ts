/** Turns an uploaded sound into that of a recorded phrase: mono, 16 000 Hz, at the loudness of all voices, without silence around it. */
import {
  ActiveLevel,
  amplify,
  LEVEL_FRAME_MS,
  readWav,
  resample,
  rmsDbfs,
  SPEECH_DBFS,
  WAV_HEADER_BYTES,
  wavHeader,
} from '@parley/audio';
import { monoOf, type DecodedSound } from './decoded-sound.ts';
import { decodeMp3, isMp3 } from './mp3-sound.ts';
import { isOgg } from './ogg-packets.rules.ts';
import { decodeOggOpus } from './opus-sound.ts';

/** Wideband, for browsers; telephone calls resample it. */
const RATE_HZ = 16_000;
/** One sentence or a few; the first message of an assistant is rarely longer. */
const MAX_SECONDS = 60;
const MIN_MS = 100;
/** Recordings differ more than synthetic voices, and are amplified as a whole. Decibels. */
const MOST_GAIN_DB = 30;
/** Quieter frames at both ends are removed. */
const SILENCE_DBFS = -50;
/** What stays before and after the first and last sound, so that soft consonants are not cut. */
const MARGIN_FRAMES = 100 / LEVEL_FRAME_MS;
/** Rates of studio equipment and telephones. */
const LEAST_HZ = 8000;
const MOST_HZ = 192_000;

/** @throws Error with a sentence for the owner */
export async function phraseSound(file: Uint8Array): Promise<{ sound: Uint8Array; durationMs: number }> {
  const decoded = await decode(file);
  const { sampleRateHz, channelCount } = decoded;
  if (sampleRateHz === 0 || channelCount === 0) throw new Error('It contains no sound.');
  if (sampleRateHz < LEAST_HZ || sampleRateHz > MOST_HZ)
    throw new Error(`Its sample rate must be between ${LEAST_HZ} and ${MOST_HZ} Hz.`);
  const mono = monoOf(decoded);
  if (mono.length > MAX_SECONDS * sampleRateHz) throw new Error(`It is longer than ${MAX_SECONDS} seconds.`);
  const samples = withoutSilence(resample(mono, sampleRateHz, RATE_HZ));
  if (samples.length < (RATE_HZ / 1000) * MIN_MS) throw new Error('It is silent.');
  level(samples);
  return { sound: wavOf(samples), durationMs: Math.round((samples.length * 1000) / RATE_HZ) };
}

async function decode(file: Uint8Array): Promise<DecodedSound> {
  // One second more, which shows that it is too long.
  const seconds = MAX_SECONDS + 1;
  if (isOgg(file)) return decodeOggOpus(file, seconds);
  if (isMp3(file)) return decodeMp3(file, seconds);
  if (String.fromCharCode(...file.subarray(0, 4)) !== 'RIFF')
    throw new Error('It is not a WAV, MP3 or Ogg Opus file.');
  const { sampleRateHz, channels } = readWav(file);
  return { sampleRateHz, channelCount: 1, pieces: [meanOf(channels)] };
}

function meanOf(channels: readonly Int16Array[]): Int16Array {
  const [first = new Int16Array()] = channels;
  if (channels.length === 1) return first;
  return first.map((_, at) =>
    Math.round(channels.reduce((sum, channel) => sum + (channel[at] ?? 0), 0) / channels.length),
  );
}

function withoutSilence(samples: Int16Array): Int16Array {
  const frame = (RATE_HZ * LEVEL_FRAME_MS) / 1000;
  const count = Math.ceil(samples.length / frame);
  const isLoud = (index: number): boolean =>
    rmsDbfs(samples.subarray(index * frame, (index + 1) * frame)) > SILENCE_DBFS;
  let first = 0;
  while (first < count && !isLoud(first)) first += 1;
  let end = count;
  while (end > first && !isLoud(end - 1)) end -= 1;
  if (first === end) return new Int16Array();
  return samples.slice(Math.max(0, first - MARGIN_FRAMES) * frame, (end + MARGIN_FRAMES) * frame);
}

/** In place, to the loudness of all voices: docs/decisions/loudness.md. */
function level(samples: Int16Array): void {
  const measured = new ActiveLevel();
  const frame = (RATE_HZ * LEVEL_FRAME_MS) / 1000;
  const measure = (raisedDb: number): void => {
    for (let at = 0; at + frame <= samples.length; at += frame) {
      const part = samples.slice(at, at + frame);
      if (raisedDb !== 0) amplify(part, raisedDb);
      measured.add(part);
    }
  };
  measure(0);
  // A very quiet recording has no frame above the floor of the measurement.
  const raisedDb = measured.measure().dbfs === null ? MOST_GAIN_DB / 2 : 0;
  if (raisedDb > 0) measure(raisedDb);
  const { dbfs } = measured.measure();
  if (dbfs === null) return;
  const gainDb = SPEECH_DBFS - (dbfs - raisedDb);
  amplify(samples, Math.max(-MOST_GAIN_DB, Math.min(MOST_GAIN_DB, gainDb)));
}

function wavOf(samples: Int16Array): Uint8Array {
  const file = new Uint8Array(WAV_HEADER_BYTES + 2 * samples.length);
  file.set(wavHeader({ sampleRateHz: RATE_HZ, channelCount: 1, dataBytes: 2 * samples.length }));
  const view = new DataView(file.buffer);
  for (let i = 0; i < samples.length; i++) view.setInt16(WAV_HEADER_BYTES + 2 * i, samples[i] ?? 0, true);
  return file;
}
