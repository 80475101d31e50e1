/** What callers of simulated carriers do: listen, and answer in words. */
import { rmsDbfs } from '@parley/audio';
import type { FliteSynthesiser } from '@parley/speech';
import type { StreamedCall } from '@parley/testkit';
import { expect } from 'vitest';

const FRAME_SAMPLES = 160;
/** A pause after which the assistant waits for an answer, frames: 1.4 s. */
const PAUSE_FRAMES = 70;

/** Waits until the assistant has said something from now on, and then has paused. */
export async function untilAsked(call: StreamedCall): Promise<void> {
  const from = call.heard().length;
  const isLoud = (at: number, heard: Int16Array): boolean =>
    rmsDbfs(heard.subarray(at, at + FRAME_SAMPLES)) > -50;
  await expect
    .poll(
      () => {
        const heard = call.heard();
        const frames = Math.floor((heard.length - from) / FRAME_SAMPLES);
        const loud = Array.from({ length: frames }, (_, frame) =>
          isLoud(from + frame * FRAME_SAMPLES, heard),
        );
        return loud.includes(true) && !loud.slice(-PAUSE_FRAMES).includes(true);
      },
      { timeout: 40_000, interval: 100 },
    )
    .toBe(true);
}

/** Says a line, in the words of a voice. */
export async function sayLine(voice: FliteSynthesiser, call: StreamedCall, line: string): Promise<void> {
  const manner = { voice: 'rms', sampleRateHz: 8000, speed: 1, stability: 0, similarity: 0, language: 'en' };
  for await (const samples of voice.speak(line, manner, new AbortController().signal)) call.say(samples);
}
