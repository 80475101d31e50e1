/** What every streaming {@link Recogniser} behind a socket promises when its provider fails. Run by each adapter. */
import { afterEach, describe, expect, it } from 'vitest';
import { ManualClock, systemClock } from '@parley/runtime';
import type { RecogniserSimulatorOptions, SimulatedFault } from '../../src/fakes/index.ts';
import type { ProviderSimulator } from '../../src/fakes/simulator/provider-simulator.ts';
import type { Recogniser, RecogniserEvent } from '../../src/ports.ts';
import type { StreamingRecogniserOptions } from '../../src/providers/deepgram/nova-recogniser.ts';
import { describeRecogniser, UTTERANCES } from './recogniser.ts';

/** One adapter under test. */
export interface RemoteRecogniserCase {
  name: string;
  simulate: (options: RecogniserSimulatorOptions) => ProviderSimulator;
  make: (options: StreamingRecogniserOptions) => Recogniser;
  /** Messages that the simulator sends by itself before it was asked anything. */
  greetings: number;
}

/** One word, in less than the second that is spoken. */
const HELLO = { utterances: ['hello'], utteranceMs: 960 };
const KEY = 'key-that-must-stay-secret';
const running: ProviderSimulator[] = [];

/** A simulator of one adapter, the adapter on it, and a stream that is open. */
export async function openRemote(
  { simulate, make }: RemoteRecogniserCase,
  given: Omit<RecogniserSimulatorOptions, 'clock'> & { faults?: SimulatedFault[]; language?: string } = {},
) {
  const { faults = [], language = 'en', ...options } = given;
  const clock = new ManualClock();
  const simulator = simulate({ clock: systemClock, ...options });
  running.push(simulator);
  await simulator.start();
  simulator.failNext(...faults);
  const account = { baseUrl: simulator.origin, apiKey: KEY };
  const heard: RecogniserEvent[] = [];
  let wake = (): void => {};
  const stream = make({ account, clock, sampleRateHz: 8000 }).open({ language }, (event) => {
    heard.push(event);
    wake();
  });
  const events = async (count: number): Promise<RecogniserEvent[]> => {
    while (heard.length < count) await new Promise<void>((resolve) => void (wake = resolve));
    return heard;
  };
  const final = async (): Promise<RecogniserEvent> => {
    for (let count = 1; ; count++) {
      const found = (await events(count)).find(({ type }) => type === 'final');
      if (found) return found;
    }
  };
  /** One second of sound. */
  const speak = (): void => stream.push(new Int16Array(8000).fill(500));
  return { clock, simulator, stream, heard, events, final, speak };
}

/** The suite of the port, and what is asked of a socket besides. */
export function describeRemoteRecogniser(subject: RemoteRecogniserCase): void {
  describeRecogniser(subject.name, async () => {
    const simulator = subject.simulate({ clock: systemClock, utterances: UTTERANCES, utteranceMs: 1200 });
    await simulator.start();
    const account = { baseUrl: simulator.origin, apiKey: KEY };
    return {
      recogniser: subject.make({ account, clock: systemClock, sampleRateHz: 8000 }),
      stop: async () => simulator.stop(),
    };
  });

  describe(`${subject.name}, when its provider fails`, () => {
    afterEach(async () => {
      await Promise.all(running.splice(0).map(async (simulator) => simulator.stop()));
    });

    it.each([
      [{ type: 'status', status: 401, message: `no such key ${KEY}` }, 'rejected'],
      [{ type: 'status', status: 429, message: 'slow down' }, 'unavailable'],
      [{ type: 'status', status: 503, message: 'busy' }, 'unavailable'],
      [{ type: 'garbage', after: subject.greetings }, 'unavailable'],
      [{ type: 'cut', after: subject.greetings }, 'unavailable'],
      [{ type: 'unfinished', after: subject.greetings }, 'unavailable'],
    ] as const)('tells %j once, as %s, without its key', async (fault, kind) => {
      const { events, heard, stream, speak, clock } = await openRemote(subject, { faults: [fault] });
      speak();
      await events(1);
      stream.finalise();
      expect(heard).toMatchObject([{ type: 'failed', error: { kind } }]);
      expect(JSON.stringify(heard[0])).not.toContain(KEY);
      expect((heard[0] as { error: Error }).error.message).not.toContain(KEY);
      expect(clock.pendingTimers()).toBe(0);
    });

    it('is unavailable when its address refuses connections', async () => {
      const { simulator, clock } = await openRemote(subject);
      const baseUrl = simulator.origin;
      await simulator.stop();
      const failed = new Promise((resolve) => {
        subject
          .make({ account: { baseUrl, apiKey: KEY }, clock, sampleRateHz: 8000 })
          .open({ language: 'en' }, resolve);
      });
      expect(await failed).toMatchObject({ type: 'failed', error: { kind: 'unavailable' } });
    });

    it('loses no sound that comes before the socket is open', async () => {
      const { simulator, final, speak, stream } = await openRemote(subject, HELLO);
      speak();
      stream.finalise();
      expect(await final()).toMatchObject({ text: 'hello' });
      expect(simulator.requests[0]?.soundBytes).toBeGreaterThan(15_000);
      stream.close();
    });

    it('returns a final without words when the provider does not answer, and reports it', async () => {
      const { clock, simulator, events, speak, stream } = await openRemote(subject, {
        faults: [{ type: 'stall', after: subject.greetings }],
      });
      speak();
      stream.finalise();
      await simulator.until(() => (simulator.requests[0]?.soundBytes ?? 0) > 15_000);
      clock.advance(1500);
      expect(await events(1)).toEqual([{ type: 'final', text: '', endMs: 1000, isOverdue: true }]);
      stream.close();
      expect(clock.pendingTimers()).toBe(0);
    });

    it('gives up a provider that does not read', async () => {
      const { simulator, events, stream } = await openRemote(subject, { faults: [{ type: 'deaf' }] });
      await simulator.request(0);
      const minute = new Int16Array(8000 * 60);
      const pushing = setInterval(() => stream.push(minute), 0);
      expect(await events(1)).toMatchObject([{ type: 'failed', error: { kind: 'timed-out' } }]);
      clearInterval(pushing);
    });

    it('says goodbye, so that the session ends at the provider', async () => {
      const { simulator, final, speak, stream } = await openRemote(subject, HELLO);
      speak();
      stream.finalise();
      await final();
      stream.close();
      expect(await (await simulator.request(0)).outcome).toBe('finished');
      expect(simulator.requests[0]?.messages.at(-1)?.['type']).toMatch(/^(CloseStream|Terminate)$/);
    });
  });
}
