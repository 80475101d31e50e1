/** What every {@link VoiceActivityDetector} promises. Run by the test of each adapter and of the fake. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VoiceActivityDetector } from '../../src/ports.ts';

/** One adapter under test. */
export interface DetectorCase {
  detector: VoiceActivityDetector;
  /** Two seconds or more that it must take for speech, at 16 000 Hz. */
  speech: Int16Array;
}

interface Window {
  probability: number;
  endMs: number;
}

/** One window of Silero; the longest one allowed. */
const LONGEST_WINDOW_MS = 40;

/** @param make - a fresh adapter for the whole suite */
export function describeDetector(name: string, make: () => Promise<DetectorCase>): void {
  describe(`${name} as a voice activity detector`, () => {
    let subject: DetectorCase;
    beforeAll(async () => {
      subject = await make();
    });
    afterAll(async () => subject.detector.close());

    /** Pushes sound in pieces and waits for the windows that it fills. */
    const listen = async (sound: Int16Array, pieceSamples: number): Promise<Window[]> => {
      const windows: Window[] = [];
      const untilMs = sound.length / 16 - LONGEST_WINDOW_MS;
      await new Promise<void>((resolve) => {
        const stream = subject.detector.open((probability, endMs) => {
          windows.push({ probability, endMs });
          if (endMs >= untilMs) resolve();
        });
        for (let at = 0; at < sound.length; at += pieceSamples)
          stream.push(sound.subarray(at, at + pieceSamples));
      });
      return windows;
    };
    const speechShare = (windows: Window[]): number =>
      windows.filter(({ probability }) => probability >= 0.5).length / windows.length;

    it('tells speech from silence', async () => {
      const [speech, silence] = await Promise.all([
        listen(subject.speech, 320),
        listen(new Int16Array(32_000), 320),
      ]);
      expect(speechShare(speech)).toBeGreaterThan(0.5);
      expect(speechShare(silence)).toBe(0);
    });

    it('gives probabilities and the times of the sound, in order and without gaps', async () => {
      const windows = await listen(subject.speech, 320);
      const windowMs = windows[0]?.endMs ?? 0;
      expect(windowMs).toBeGreaterThan(0);
      expect(windowMs).toBeLessThanOrEqual(LONGEST_WINDOW_MS);
      for (const [index, { probability, endMs }] of windows.entries()) {
        expect(probability).toBeGreaterThanOrEqual(0);
        expect(probability).toBeLessThanOrEqual(1);
        expect(endMs).toBeCloseTo(windowMs * (index + 1), 6);
      }
    });

    it('does not care in which pieces the sound comes', async () => {
      const small = await listen(subject.speech, 77);
      const large = await listen(subject.speech, subject.speech.length);
      const shared = Math.min(small.length, large.length);
      for (let i = 0; i < shared; i++) {
        expect(small[i]?.endMs).toBe(large[i]?.endMs);
        expect(small[i]?.probability).toBeCloseTo(large[i]?.probability ?? -1, 3);
      }
    });

    it('does not mix up its streams', async () => {
      const alone = await listen(subject.speech, 320);
      const [together] = await Promise.all([
        listen(subject.speech, 320),
        listen(new Int16Array(48_000), 320),
        listen(subject.speech.subarray(4000), 500),
      ]);
      const last = Math.min(alone.length, together.length) - 1;
      expect(together[last]?.probability).toBeCloseTo(alone[last]?.probability ?? -1, 3);
    });

    it('keeps nothing of the array it was given', async () => {
      const buffer = new Int16Array(320);
      const untilMs = subject.speech.length / 16 - LONGEST_WINDOW_MS;
      let spoken = 0;
      await new Promise<void>((resolve) => {
        const stream = subject.detector.open((probability, endMs) => {
          if (probability >= 0.5) spoken += 1;
          if (endMs >= untilMs) resolve();
        });
        for (let at = 0; at + 320 <= subject.speech.length; at += 320) {
          buffer.set(subject.speech.subarray(at, at + 320));
          stream.push(buffer);
          buffer.fill(0);
        }
      });
      expect(spoken).toBeGreaterThan(20);
    });

    it('says nothing more to a stream that was closed', async () => {
      const heard: number[] = [];
      const stream = subject.detector.open((_probability, endMs) => heard.push(endMs));
      stream.push(subject.speech);
      stream.close();
      stream.close();
      stream.push(subject.speech);
      await listen(subject.speech, 320); // whatever was on its way has come by now
      expect(heard).toEqual([]);
    });

    it('may be closed twice', async () => {
      await subject.detector.close();
      await subject.detector.close();
    });
  });
}
