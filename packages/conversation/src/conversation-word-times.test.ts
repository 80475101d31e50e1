/** Interruptions of a voice that reports word times, in virtual time; each character takes 50 ms. */
import { describe, expect, it } from 'vitest';
import { ManualClock } from '@parley/runtime';
import { createFakeSynthesiser, fakeSpeech, wordTimes, type FakeAnswer } from '@parley/speech/fakes';
import { Scenario } from '../test/scenario.ts';

const ANSWER = 'I can certainly arrange an extraordinary appointment';
const WORDS = wordTimes(ANSWER, 50);
/** What the caller waits before the interruption, milliseconds: it hits every part of several words. */
const WAITS = Array.from({ length: 30 }, (_, index) => 700 + index * 20);

interface Options {
  hasWordTimes: boolean;
  answers?: FakeAnswer[];
  sensitivity?: number;
}

/** The caller has said something, and the answer sounds. */
async function answered({ hasWordTimes, answers = [], sensitivity = 0.5 }: Options): Promise<Scenario> {
  const clock = new ManualClock();
  const synthesiser = createFakeSynthesiser({ clock, hasWordTimes });
  const settings = { interruptSensitivitySeconds: sensitivity };
  const call = new Scenario({ clock, synthesiser, settings, answers: [fakeSpeech(ANSWER), ...answers] });
  await call.answerAndGreet();
  await call.speech(800);
  return call;
}

/** How much of the answer sounded, and the transcript, when the caller interrupted it after a wait. */
async function interrupted(waitMs: number, options: Options) {
  const call = await answered({ ...options, answers: [fakeSpeech('Yes.')] });
  await call.silence(waitMs);
  await call.speech(900);
  await call.silence(1500);
  const said = call.transcript()[2];
  return { soundedMs: soundedMs(call), said };
}

function soundedMs({ line }: Scenario): number {
  return line.sent.reduce((sum, { turn, samples }) => sum + (turn === 2 ? samples / 8 : 0), 0);
}

/** Where the voice stops that would stop at `ms` without word times. */
function stopOf(ms: number): number {
  const word = WORDS.find(({ startMs, endMs }) => startMs < ms && ms < endMs);
  const frames = word ? Math.round((word.endMs - ms) / 20) : 0;
  return ms + (frames <= 2 ? frames * 20 : 0);
}

function heardAt(ms: number): string {
  return WORDS.filter(({ startMs, endMs }) => (startMs + endMs) / 2 <= ms)
    .map(({ text }) => text)
    .join(' ');
}

describe('an interruption of a voice with word times', () => {
  it('stops at the end of the word if it is at most 40 ms away, and records the words that were heard', async () => {
    let moved = 0;
    for (const waitMs of WAITS) {
      const plain = await interrupted(waitMs, { hasWordTimes: false });
      const timed = await interrupted(waitMs, { hasWordTimes: true });
      expect(timed.soundedMs, `${waitMs} ms`).toBe(stopOf(plain.soundedMs));
      expect(timed.said, `${waitMs} ms`).toBe(`bot: ${heardAt(timed.soundedMs)} –`);
      if (timed.soundedMs > plain.soundedMs) moved += 1;
    }
    // Otherwise the test shows nothing.
    expect(moved).toBeGreaterThan(2);
  });

  it('pauses at the end of a word, and continues with the next one', async () => {
    let moved = 0;
    for (const waitMs of WAITS) {
      const pausedAfter = async (hasWordTimes: boolean): Promise<number> => {
        const call = await answered({ hasWordTimes, sensitivity: 3 });
        await call.silence(waitMs);
        await call.speech(800);
        expect(call.line.isPaused).toBe(true);
        const ms = soundedMs(call);
        await call.silence(6000);
        expect(soundedMs(call)).toBe(ANSWER.length * 50);
        expect(call.transcript()).toContain(`bot: ${ANSWER}`);
        return ms;
      };
      const plain = await pausedAfter(false);
      const timed = await pausedAfter(true);
      expect(timed, `${waitMs} ms`).toBe(stopOf(plain));
      if (timed > plain) moved += 1;
    }
    expect(moved).toBeGreaterThan(2);
  });

  it('is recorded and leaves nothing in the queue when the call ends before the end of the word', async () => {
    for (const waitMs of WAITS) {
      const call = await answered({ hasWordTimes: true });
      await call.silence(waitMs);
      await call.speech(520);
      const heard = heardAt(soundedMs(call));
      const { turns } = await call.end();
      expect(turns[2], `${waitMs} ms`).toMatchObject({ text: heard, wasInterrupted: true });
      expect(call.story()).toContain(`bot "${heard}"`);
      expect(call.line.queuedSamples()).toBe(0);
    }
  });

  it('is cut at once when the next turn begins, of which nothing is lost', async () => {
    for (const waitMs of WAITS) {
      const call = await answered({ hasWordTimes: true, answers: [fakeSpeech('Thank you.')] });
      await call.silence(waitMs);
      call.press('#');
      await call.silence(2000);
      const next = call.line.sent.filter(({ turn }) => turn === 3);
      expect(
        next.reduce((sum, { samples }) => sum + samples, 0),
        `${waitMs} ms`,
      ).toBe(10 * 50 * 8);
    }
  });

  it('counts the words of a greeting that was prepared', async () => {
    for (const waitMs of WAITS) {
      const clock = new ManualClock();
      const synthesiser = createFakeSynthesiser({ clock, hasWordTimes: true });
      const call = new Scenario({ clock, synthesiser, settings: { initialMessage: ANSWER } });
      await call.answer();
      await call.silence(waitMs);
      await call.speech(900);
      const heardMs = call.line.sent.reduce((sum, { samples }) => sum + samples / 8, 0);
      expect(heardMs % 50 === 0 || stopOf(heardMs) === heardMs, `${waitMs} ms`).toBe(true);
      expect(call.transcript()[0], `${waitMs} ms`).toBe(`bot: ${heardAt(heardMs)} –`);
    }
  });
});
