import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { decodeG711, encodeG711, resample, tone } from '@parley/audio';
import { ManualClock, silentLog, systemClock } from '@parley/runtime';
import { describeDetector } from '../../../test/conformance/voice-activity-detector.ts';
import type { VoiceActivityDetector } from '../../ports.ts';
import { createBuiltInDetector } from '../built-in-detector.ts';
import { FliteEngine } from '../flite/flite-engine.ts';
import { SileroDetector, type SileroOptions } from './silero-detector.ts';

/** Two spoken sentences with pauses around them, as a telephone carries them, at 16 000 Hz. */
function spokenSentences(): Int16Array {
  const flite = new FliteEngine();
  const pause = new Int16Array(16_000);
  const parts = ['Yes, I would like to come on Tuesday morning.', 'Is nine o’clock still free?'].flatMap(
    (text) => [pause.subarray(0, 8000), flite.synthesise(text, 'rms', 1).samples, pause],
  );
  const whole = new Int16Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return throughTelephone(whole);
}

function throughTelephone(sound: Int16Array): Int16Array {
  const narrow = resample(sound, 16_000, 8000);
  const bytes = new Uint8Array(narrow.length);
  encodeG711('PCMU', narrow, bytes);
  decodeG711('PCMU', bytes, narrow);
  return resample(narrow, 8000, 16_000);
}

describeDetector('Silero', async () => {
  const detector = new SileroDetector({ clock: systemClock, log: silentLog, batchLimitMs: 60_000 });
  await detector.start();
  return { detector, speech: spokenSentences().subarray(8000, 56_000) };
});

describe('Silero', () => {
  const open: VoiceActivityDetector[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map(async (detector) => detector.close()));
  });

  const setup = (given: Partial<SileroOptions> = {}) => {
    const errors: unknown[] = [];
    const log = { ...silentLog, error: (...told: unknown[]) => void errors.push(told) } as typeof silentLog;
    const detector = new SileroDetector({ clock: systemClock, log, batchLimitMs: 60_000, ...given });
    open.push(detector);
    /** Pushes a sound in pieces of 20 ms and waits until all its windows have been told. */
    const listen = async (sound: Int16Array): Promise<number[]> => {
      const probabilities: number[] = [];
      const expected = Math.floor(sound.length / 512);
      await new Promise<void>((resolve) => {
        const stream = detector.open((probability) => {
          if (probabilities.push(probability) === expected) resolve();
        });
        for (let at = 0; at < sound.length; at += 320) stream.push(sound.subarray(at, at + 320));
      });
      return probabilities;
    };
    return { detector, listen, errors };
  };

  it('finds the speech in a telephone sound, and its pauses', async () => {
    const { listen, errors } = setup();
    const sound = spokenSentences();
    const probabilities = await listen(sound);
    const pauses = [probabilities.slice(2, 13), probabilities.slice(-15)];
    for (const pause of pauses) expect(Math.max(...pause)).toBeLessThan(0.35);
    const share = probabilities.filter((probability) => probability >= 0.5).length / probabilities.length;
    expect(share).toBeGreaterThan(0.4);
    expect(share).toBeLessThan(0.85);
    expect(errors).toEqual([]);
  });

  it('does not take dialled keys and a ringing tone for speech', async () => {
    const { listen } = setup();
    const first = tone({ hz: 440, sampleRateHz: 16_000, samples: 16_000 });
    const second = tone({ hz: 480, sampleRateHz: 16_000, samples: 16_000 });
    const probabilities = await listen(first.map((sample, i) => sample / 2 + (second[i] ?? 0) / 2));
    expect(probabilities.filter((probability) => probability >= 0.5)).toEqual([]);
  });

  it('gives a stream the same in a batch of many as alone', async () => {
    const { listen } = setup();
    const sound = spokenSentences().subarray(0, 24_000);
    const alone = await listen(sound);
    const others = Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? sound : sound.subarray(i * 100)));
    const heard = await Promise.all(others.map(listen));
    for (const list of heard.filter((_list, i) => i % 2 === 0))
      for (const [i, probability] of list.entries()) expect(probability).toBeCloseTo(alone[i] ?? -1, 3);
  });

  it('goes on when a listener throws', async () => {
    const { detector, listen, errors } = setup();
    detector
      .open(() => {
        throw new Error('broken listener');
      })
      .push(new Int16Array(512));
    expect(await listen(new Int16Array(5120))).toHaveLength(10);
    expect(errors).toHaveLength(1);
  });

  it('gathers windows by the clock and leaves no timer when it is closed', async () => {
    const clock = new ManualClock();
    const { detector } = setup({ clock });
    detector.open(() => {}).push(new Int16Array(1024));
    expect(clock.pendingTimers()).toBe(1);
    await detector.close();
    expect(clock.pendingTimers()).toBe(0);
  });

  it('tells speech by loudness when its thread dies in a call', async () => {
    const dies = new URL('data:text/javascript,process.exit(3)');
    const { listen, errors } = setup({ threadFile: dies });
    const quietThenLoud = new Int16Array(32_000);
    quietThenLoud.set(tone({ hz: 300, sampleRateHz: 16_000, samples: 16_000 }), 16_000);
    const probabilities = await listen(quietThenLoud);
    expect(Math.max(...probabilities.slice(0, 30))).toBeLessThan(0.1);
    expect(Math.min(...probabilities.slice(32))).toBeGreaterThan(0.9);
    expect(errors).toHaveLength(1);
  });
});

describe('the built-in detector', () => {
  it('is Silero where it can be loaded', async () => {
    const detector = await createBuiltInDetector({ clock: systemClock, log: silentLog });
    expect(detector.kind).toBe('silero');
    await detector.close();
  });

  it('uses the level while Silero loads slowly, and Silero from then on', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'silero-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const loaded = join(folder, 'loaded');
    const script = `import { existsSync } from 'node:fs';
      import { setTimeout } from 'node:timers/promises';
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', async ({ streamIds }) => {
        while (!existsSync(${JSON.stringify(loaded)})) await setTimeout(10);
        parentPort.postMessage({ probabilities: new Float32Array(streamIds.length).fill(0.75) });
      });`;
    const threadFile = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
    const clock = new ManualClock();
    const starting = createBuiltInDetector({ clock, log: silentLog, threadFile });
    clock.advance(30_000);
    const detector = await starting;
    expect(detector.kind).toBe('silero');
    const heard: number[] = [];
    const stream = detector.open((probability) => heard.push(probability));
    const nextWindow = async () => {
      const count = heard.length;
      stream.push(new Int16Array(512));
      clock.advance(10);
      await vi.waitFor(() => expect(heard).toHaveLength(count + 1), { timeout: 30_000 });
      return heard.at(-1);
    };
    expect(await nextWindow()).toBeLessThan(0.1);
    await writeFile(loaded, '');
    await vi.waitFor(async () => expect(await nextWindow()).toBe(0.75), { timeout: 30_000 });
    await detector.close();
  });

  it('falls back to the level and reports it', async () => {
    const script = `import { parentPort } from 'node:worker_threads';
      parentPort.on('message', () => parentPort.postMessage({ fault: 'no build for this machine' }));`;
    const warnings: unknown[] = [];
    const log = {
      ...silentLog,
      warn: (...given: unknown[]) => void warnings.push(given),
    } as typeof silentLog;
    const threadFile = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
    const detector = await createBuiltInDetector({ clock: systemClock, log, threadFile });
    expect(detector.kind).toBe('energy');
    expect(warnings).toHaveLength(1);
    await detector.close();
  });
});
