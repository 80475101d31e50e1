/**
 * The conformance suite of `MediaPort`. Each implementation runs it from its own test and provides a far end.
 */
import { describe, expect, test } from 'vitest';
import { rmsDbfs, tone, tonePurity } from '@parley/audio';
import type { MediaPort, MediaTick } from '../src/call-leg.ts';

/**
 * A tone that arrived. On a busy machine a frame may have been concealed or held, hence not 1; the tones used are
 * multiples of 50 Hz, so that a frame more or less does not break their phase.
 */
const PURE = 0.8;

/** A connected port and its far end. */
export interface ConnectedPort {
  port: MediaPort;
  /** The far end sends these samples from now on, 20 ms every 20 ms, at the sample rate of the port. */
  sayAtFarEnd(samples: Int16Array): void;
  /** The audio that has arrived at the far end so far. */
  heardAtFarEnd(): Int16Array;
  /** Lets time pass and delivers the events of the port in that time. */
  passTime(): Promise<void>;
  close(): Promise<void>;
}

/** Runs the suite against ports from `connect`, a new one for each test. */
export function describeMediaPort(name: string, connect: () => Promise<ConnectedPort>): void {
  async function setup() {
    const far = await connect();
    const ticks: MediaTick[] = [];
    far.port.onTick((tick) =>
      ticks.push({ ...tick, received: tick.received.slice(), sent: tick.sent.slice() }),
    );
    const until = async (isTrue: () => boolean): Promise<void> => {
      while (!isTrue()) await far.passTime();
    };
    const toneOf = (hz: number, seconds: number): Int16Array =>
      tone({ hz, sampleRateHz: far.port.sampleRateHz, samples: far.port.sampleRateHz * seconds });
    /** The number of samples of `turn` that were sent, according to the ticks. */
    const sentOf = (turn: number): number =>
      ticks.filter((tick) => tick.sentTurn === turn).reduce((sum, tick) => sum + tick.sentSamples, 0);
    return { far, port: far.port, ticks, until, toneOf, sentOf };
  }

  describe(`media port: ${name}`, () => {
    test('ticks count from zero without a gap and contain frames of 20 ms, silent at first', async () => {
      const { far, port, ticks, until } = await setup();
      await until(() => ticks.length >= 10);
      expect(ticks.map((tick) => tick.index)).toEqual(ticks.map((_, i) => i));
      expect(port.frameSamples).toBe(port.sampleRateHz / 50);
      for (const tick of ticks) {
        expect([tick.received.length, tick.sent.length]).toEqual([port.frameSamples, port.frameSamples]);
        expect([tick.sentTurn, tick.sentSamples, tick.queuedSamples]).toEqual([0, 0, 0]);
        expect(rmsDbfs(tick.sent)).toBe(-100);
      }
      await far.close();
    });

    test('played audio arrives, and the ticks report sent and queued samples exactly', async () => {
      const { far, port, ticks, until, toneOf, sentOf } = await setup();
      const sound = toneOf(400, 0.5).subarray(0, -7);
      const total = sound.length;
      port.play(1, sound.slice());
      await until(() => sentOf(1) >= total && ticks.at(-1)?.sentTurn === 0);
      expect(sentOf(1)).toBe(total);
      const spoken = ticks.filter((tick) => tick.sentTurn === 1);
      let left = total;
      for (const tick of spoken) {
        left -= tick.sentSamples;
        expect(tick.queuedSamples).toBe(left);
      }
      expect(spoken.flatMap((tick) => [...tick.sent.subarray(0, tick.sentSamples)])).toEqual([...sound]);
      await until(() => far.heardAtFarEnd().some((sample) => sample !== 0));
      await until(() => rmsDbfs(far.heardAtFarEnd().slice(-port.frameSamples)) < -80);
      const heard = far.heardAtFarEnd();
      const start = heard.findIndex((sample) => Math.abs(sample) > 1000);
      const middle = heard.subarray(start + port.frameSamples, start + total - port.frameSamples * 4);
      expect(tonePurity(middle, 400, port.sampleRateHz)).toBeGreaterThan(PURE);
      await far.close();
    });

    test('audio of the far end is received', async () => {
      const { far, port, ticks, until, toneOf } = await setup();
      far.sayAtFarEnd(toneOf(1000, 1));
      const loud = (): MediaTick[] => ticks.filter((tick) => rmsDbfs(tick.received) > -30);
      await until(() => loud().length >= 30);
      const heard = Int16Array.from(
        loud()
          .slice(5, 25)
          .flatMap((tick) => [...tick.received]),
      );
      expect(tonePurity(heard, 1000, port.sampleRateHz)).toBeGreaterThan(PURE);
      expect(port.stats().packetsReceived).toBeGreaterThan(25);
      await far.close();
    });

    test('a frame contains audio of one turn only, and turns are in order', async () => {
      const { far, port, until, ticks, sentOf } = await setup();
      const length = Math.round(port.frameSamples * 2.5);
      port.play(1, new Int16Array(length).fill(100));
      port.play(2, new Int16Array(length).fill(200));
      await until(() => sentOf(2) >= length);
      const spoken = ticks.filter((tick) => tick.sentTurn > 0);
      expect(spoken.map((tick) => tick.sentTurn)).toEqual([1, 1, 1, 2, 2, 2]);
      for (const tick of spoken) {
        const own = tick.sent.subarray(0, tick.sentSamples);
        expect(own.every((sample) => sample === tick.sentTurn * 100)).toBe(true);
        // Speech that stops suddenly fades out for 4 ms.
        const after = tick.sent.subarray(tick.sentSamples + tick.sent.length / 5);
        expect(after.every((sample) => sample === 0)).toBe(true);
      }
      await far.close();
    });

    test('a pause sends silence and keeps the queue; resuming loses no sample', async () => {
      const { far, port, ticks, until, sentOf } = await setup();
      const total = port.frameSamples * 20;
      port.play(1, new Int16Array(total).fill(300));
      await until(() => sentOf(1) > 0);
      port.pausePlayout();
      await until(() => ticks.at(-1)?.sentTurn === 0);
      const held = ticks.at(-1)?.queuedSamples ?? 0;
      expect(held).toBe(total - sentOf(1));
      const before = ticks.length;
      await until(() => ticks.length >= before + 5);
      expect(ticks.slice(before).every((tick) => tick.sentTurn === 0 && tick.queuedSamples === held)).toBe(
        true,
      );
      port.resumePlayout();
      await until(() => sentOf(1) === total);
      await far.close();
    });

    test('a lowered level applies to the queue until playout resumes', async () => {
      const { far, port, until, ticks } = await setup();
      port.play(1, new Int16Array(port.sampleRateHz * 5).fill(400));
      await until(() => ticks.some(({ sentTurn }) => sentTurn === 1));
      port.lowerPlayout();
      await until(() => ticks.at(-1)?.sent.every((sample) => sample === 100) ?? false);
      expect(ticks.at(-1)?.sentTurn).toBe(1);
      port.resumePlayout();
      await until(() => ticks.at(-1)?.sent.every((sample) => sample === 400) ?? false);
      await far.close();
    });

    test('clearing drops the queue: silence follows, then the next turn from its beginning', async () => {
      const { far, port, ticks, until, sentOf } = await setup();
      port.play(1, new Int16Array(port.sampleRateHz * 5).fill(300));
      await until(() => sentOf(1) > 0);
      port.clear();
      port.play(2, new Int16Array(port.frameSamples * 3).fill(400));
      await until(() => sentOf(2) === port.frameSamples * 3);
      const lastOfFirst = ticks.findLastIndex((tick) => tick.sentTurn === 1);
      expect(lastOfFirst).toBeLessThan(ticks.findIndex((tick) => tick.sentTurn === 2));
      expect(sentOf(1)).toBeLessThan(port.sampleRateHz * 5);
      expect(ticks.at(-1)?.queuedSamples).toBe(0);
      await far.close();
    });

    test('background sound is mixed into silence, belongs to no turn, and can be stopped', async () => {
      const { far, port, ticks, until } = await setup();
      const samples = new Int16Array(port.sampleRateHz).fill(1000);
      port.setAmbience({ samples, gain: 0.5 });
      await until(() => (ticks.at(-1)?.sent.at(-1) ?? 0) >= 490);
      expect(ticks.at(-1)).toMatchObject({ sentTurn: 0, sentSamples: 0 });
      port.setAmbience(null);
      await until(() => ticks.at(-1)?.sent.at(-1) === 0);
      await far.close();
    });

    test('a late listener gets all ticks from the first one on', async () => {
      const far = await connect();
      for (let i = 0; i < 5; i++) await far.passTime();
      const indices: number[] = [];
      far.port.onTick((tick) => indices.push(tick.index));
      while (indices.length < 8) await far.passTime();
      expect(indices.slice(0, 8)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      await far.close();
    });
  });
}
