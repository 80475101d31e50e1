/** What callers say, as packets, with the instants of its first and its last sound known to the sample. */
import { decodeG711, encodeG711 } from '@parley/audio';
import { systemClock } from '@parley/runtime';
import { createFliteSynthesiser, type FliteSynthesiser, type FliteVoice } from '@parley/speech';
import { PHRASE } from './talk-script.rules.ts';
import { FRAME_MS, FRAME_SAMPLES, isLoud } from './talk-wire.ts';

const VOICE = 'rms';
const RATE_HZ = 8000;

/** A phrase of whole frames. */
export interface Phrase {
  /** 160 octets of G.711 mu-law each. */
  frames: Uint8Array[];
  /** From its first sample to its first sound and to the end of its last one, milliseconds. */
  onsetMs: number;
  endMs: number;
}

/** Made by the built-in voice, so that detectors take it for speech. */
export async function makePhrase(): Promise<Phrase> {
  const [phrase] = await makePhrases([{ text: PHRASE, voice: VOICE }]);
  if (!phrase) throw new Error('The voice made no phrase');
  return phrase;
}

/** The same for any texts, in their order. */
export async function makePhrases(texts: readonly { text: string; voice: FliteVoice }[]): Promise<Phrase[]> {
  const flite = createFliteSynthesiser({ clock: systemClock });
  const phrases: Phrase[] = [];
  for (const { text, voice } of texts) phrases.push(phraseOf(await speak(flite, text, voice)));
  await flite.stop();
  return phrases;
}

async function speak(flite: FliteSynthesiser, text: string, voice: FliteVoice): Promise<Int16Array> {
  const manner = { voice, sampleRateHz: RATE_HZ, speed: 1, stability: 0, similarity: 0, language: 'en' };
  const samples: number[] = [];
  for await (const piece of flite.speak(text, manner, new AbortController().signal)) samples.push(...piece);
  return Int16Array.from(samples);
}

/** Once more after a pause, as one phrase. */
export function saidTwice(phrase: Phrase, pauseMs: number): Phrase {
  return saidAfter(phrase, phrase, pauseMs);
}

/** Two phrases with a pause between them, as one. */
export function saidAfter(first: Phrase, second: Phrase, pauseMs: number): Phrase {
  const silence = encoded(new Int16Array(FRAME_SAMPLES));
  const pause = Array.from({ length: Math.round(pauseMs / FRAME_MS) }, () => silence);
  const before = [...first.frames, ...pause];
  return {
    frames: [...before, ...second.frames],
    onsetMs: first.onsetMs,
    endMs: before.length * FRAME_MS + second.endMs,
  };
}

/** @param samples - mono, 8000 Hz; silence at the beginning and the end is removed */
function phraseOf(samples: Int16Array): Phrase {
  const sent = asSent(samples);
  const first = sent.findIndex(isLoud);
  const end = sent.findLastIndex(isLoud) + 1;
  const start = first - (first % FRAME_SAMPLES);
  const frames: Uint8Array[] = [];
  for (let at = start; at < end; at += FRAME_SAMPLES) {
    const frame = new Int16Array(FRAME_SAMPLES);
    frame.set(sent.subarray(Math.max(at, first), Math.min(at + FRAME_SAMPLES, end)), Math.max(0, first - at));
    frames.push(encoded(frame));
  }
  const msOf = (sample: number): number => ((sample - start) * FRAME_MS) / FRAME_SAMPLES;
  return { frames, onsetMs: msOf(first), endMs: msOf(end) };
}

function encoded(samples: Int16Array): Uint8Array {
  const octets = new Uint8Array(samples.length);
  encodeG711('PCMU', samples, octets);
  return octets;
}

/** The sound after coding and decoding. */
function asSent(samples: Int16Array): Int16Array {
  const sent = new Int16Array(samples.length);
  decodeG711('PCMU', encoded(samples), sent);
  return sent;
}
