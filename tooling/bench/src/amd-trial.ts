/** Plays the calls of the corpus to the detector of answering machines, with the real voice activity detector, and counts. */
import { Resampler } from '@parley/audio';
import { MachineDetector, type AnsweredBy } from '@parley/conversation';
import type { VoiceActivityDetector } from '@parley/speech';
import { SAMPLE_RATE_HZ, type Greeting } from './amd-corpus.ts';

const DETECTOR_RATE_HZ = 16_000;
const FRAME_SAMPLES = 160;
const FRAME_MS = 20;
/** A streaming recogniser gives new guesses about so often, and so late, milliseconds. */
const GUESS_EVERY_MS = 300;
const WORDS_LAG_MS = 300;

/** The verdict on one call. */
export interface Trial {
  by: Greeting['by'];
  text: string;
  verdict: AnsweredBy | null;
  /** The time from the first word to the final verdict. */
  afterFirstWordMs: number;
}

interface Window {
  probability: number;
  endMs: number;
}

/** @param hasWords - true: with a recogniser that recognises every word; false: by voice and beep alone */
export async function tryGreeting(
  greeting: Greeting,
  detector: VoiceActivityDetector,
  hasWords: boolean,
): Promise<Trial> {
  const windows = await analyse(greeting.sound, detector);
  let verdict: AnsweredBy | null = null;
  let nowMs = 0;
  let toldAtMs = 0;
  const machineDetector = new MachineDetector({
    sampleRateHz: SAMPLE_RATE_HZ,
    language: 'en',
    onVerdict: (result) => {
      verdict = result;
      toldAtMs = nowMs;
    },
    onBeep: () => {},
  });
  for (let at = 0; at + FRAME_SAMPLES <= greeting.sound.length; at += FRAME_SAMPLES) {
    nowMs += FRAME_MS;
    const { fromMs, toMs } = greeting.assistant ?? { fromMs: Infinity, toMs: 0 };
    machineDetector.hearFrame(
      greeting.sound.subarray(at, at + FRAME_SAMPLES),
      nowMs > fromMs && nowMs <= toMs,
    );
    while (windows[0] && windows[0].endMs <= nowMs)
      machineDetector.hearWindow(windows.shift() ?? { probability: 0, endMs: 0 });
    if (hasWords) giveWords(machineDetector, greeting, nowMs - WORDS_LAG_MS);
  }
  return {
    by: greeting.by,
    text: greeting.text,
    verdict,
    afterFirstWordMs: toldAtMs - greeting.spokenFromMs,
  };
}

/** The words up to an instant, as if all were of one length. */
function giveWords(
  machineDetector: MachineDetector,
  { text, spokenFromMs, spokenToMs }: Greeting,
  untilMs: number,
): void {
  const endMs = spokenFromMs + FRAME_MS * Math.ceil((spokenToMs - spokenFromMs) / FRAME_MS);
  if (untilMs === endMs) return machineDetector.hearEvent({ type: 'words.recognised', text, endMs: null });
  if (untilMs > endMs || untilMs < spokenFromMs || (untilMs - spokenFromMs) % GUESS_EVERY_MS >= FRAME_MS)
    return;
  const words = text.split(' ');
  const share = (untilMs - spokenFromMs) / (endMs - spokenFromMs);
  const guess = words.slice(0, Math.floor(words.length * share)).join(' ');
  machineDetector.hearEvent({ type: 'words.guessed', text: guess });
}

async function analyse(sound: Int16Array, detector: VoiceActivityDetector): Promise<Window[]> {
  const wide = new Resampler(SAMPLE_RATE_HZ, DETECTOR_RATE_HZ).process(sound);
  const expected = Math.floor(wide.length / 512);
  const windows: Window[] = [];
  await new Promise<void>((resolve) => {
    const stream = detector.open((probability, endMs) => {
      windows.push({ probability, endMs });
      if (windows.length < expected) return;
      stream.close();
      resolve();
    });
    stream.push(wide);
  });
  return windows;
}

/** Every class that a trial can have and get. */
export const CALLERS = ['human', 'machine', 'screening', 'menu'] as const;
export const VERDICTS = [...CALLERS, 'unknown'] as const;

/** How often each was taken for what. */
export function confusion(
  trials: readonly Trial[],
): Record<Greeting['by'], Partial<Record<AnsweredBy, number>>> {
  const count = (by: Greeting['by']): Partial<Record<AnsweredBy, number>> => {
    const verdicts = trials.filter((trial) => trial.by === by).map(({ verdict }) => verdict ?? 'unknown');
    const counts = VERDICTS.map((wanted) => [
      wanted,
      verdicts.filter((verdict) => verdict === wanted).length,
    ]);
    return Object.fromEntries(counts.filter(([, of]) => of !== 0)) as Partial<Record<AnsweredBy, number>>;
  };
  return {
    human: count('human'),
    machine: count('machine'),
    screening: count('screening'),
    menu: count('menu'),
  };
}
