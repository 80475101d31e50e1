/** What every {@link LanguageModel} of a provider promises when that fails, besides the suite of the port. Run by each adapter. */
import { afterEach, describe, expect, it } from 'vitest';
import { ManualClock, systemClock } from '@parley/runtime';
import type { ModelSimulatorOptions } from '../../src/fakes/anthropic-simulator.ts';
import type { ProviderSimulator } from '../../src/fakes/simulator/provider-simulator.ts';
import type { LanguageModel, LanguageModelEvent, LanguageModelRequest } from '../../src/ports.ts';
import type { ModelOptions } from '../../src/providers/ai-sdk/model-options.ts';
import { collect } from '../collect.ts';
import { describeLanguageModel, END_CALL } from './language-model.ts';

/** One adapter under test. */
export interface RemoteModelCase {
  name: string;
  simulate: (options: ModelSimulatorOptions) => ProviderSimulator;
  make: (options: ModelOptions) => LanguageModel;
  /** Appended to the simulator's origin. */
  basePath?: string;
  /** Pieces that the simulator sends before the first word. */
  piecesBeforeText: number;
}

/** A request in which the customer has said `text`. */
export const asked = (text: string): LanguageModelRequest => ({
  systemPrompt: 'You are brief.',
  dialogue: [{ role: 'customer', kind: 'speech', text }],
  tools: [END_CALL],
  temperature: 0.3,
  language: 'en',
});

const KEY = 'key-that-must-stay-secret';
const running: ProviderSimulator[] = [];

/** A simulator of one adapter, and a way to ask through it with little patience. */
export async function openModel(subject: RemoteModelCase, given: Omit<ModelSimulatorOptions, 'clock'> = {}) {
  const clock = new ManualClock();
  const simulator = subject.simulate({ clock: systemClock, ...given });
  running.push(simulator);
  await simulator.start();
  const model = subject.make({
    account: { baseUrl: `${simulator.origin}${subject.basePath ?? ''}`, apiKey: KEY },
    model: 'simulated',
    clock,
    limits: { firstMs: 3000, betweenMs: 1000 },
  });
  const ask = async (request = asked('Hello')): Promise<LanguageModelEvent[]> =>
    collect(model.stream(request, new AbortController().signal));
  return { clock, simulator, model, ask };
}

/** Stops what {@link openModel} has started. */
export async function stopModels(): Promise<void> {
  await Promise.all(running.splice(0).map(async (simulator) => simulator.stop()));
}

/** The suite of the port, and what is asked of a provider besides. */
export function describeRemoteModel(subject: RemoteModelCase): void {
  describeLanguageModel(subject.name, async () => {
    const simulator = subject.simulate({
      clock: systemClock,
      chat: (body) =>
        JSON.stringify(body).includes('Bye')
          ? { text: 'Goodbye.', toolCalls: [{ name: 'end_call', arguments: {} }] }
          : { text: 'How can I help you today?' },
    });
    await simulator.start();
    const account = { baseUrl: `${simulator.origin}${subject.basePath ?? ''}`, apiKey: null };
    return {
      model: subject.make({ account, model: 'simulated', clock: systemClock }),
      talk: asked('Hello'),
      goodbye: asked('Bye'),
      stop: async () => simulator.stop(),
    };
  });

  describe(`${subject.name}, when its provider fails`, () => {
    afterEach(stopModels);

    it.each([
      [401, 'rejected'],
      [404, 'rejected'],
      [429, 'unavailable'],
      [500, 'unavailable'],
    ] as const)(
      'tells %i as %s, with the message but not the key, and does not try again',
      async (status, kind) => {
        const { simulator, ask } = await openModel(subject);
        simulator.failNext({ type: 'status', status, message: `not today, ${KEY}` });
        const failure = await ask().catch((error: unknown) => error as Error);
        expect(failure).toMatchObject({ name: 'SpeechError', kind });
        expect((failure as Error).message).toContain('not today, [key]');
        expect(simulator.requests).toHaveLength(1);
      },
    );

    it.each(['garbage', 'cut', 'unfinished'] as const)(
      'is unavailable when the reply ends in: %s',
      async (type) => {
        const { simulator, ask, clock } = await openModel(subject);
        simulator.failNext({ type, after: subject.piecesBeforeText + 2 });
        await expect(ask()).rejects.toMatchObject({ name: 'SpeechError', kind: 'unavailable' });
        expect(clock.pendingTimers()).toBe(0);
      },
    );

    it('gives up a provider that does not begin, and lets it know', async () => {
      const { simulator, ask, clock } = await openModel(subject);
      simulator.failNext({ type: 'stall', after: 0 });
      const outcome = expect(ask()).rejects.toMatchObject({ kind: 'timed-out' });
      const received = await simulator.request(0);
      clock.advance(3000);
      await outcome;
      expect(await received.outcome).toBe('aborted');
    });

    it('waits for a listener who takes their time', async () => {
      const { model, clock } = await openModel(subject);
      let pieces = 0;
      for await (const _event of model.stream(asked('Hello'), new AbortController().signal)) {
        pieces += 1;
        clock.advance(60_000);
      }
      expect(pieces).toBeGreaterThan(1);
    });

    it('hangs up on the provider when the listener leaves', async () => {
      const { simulator, model, clock } = await openModel(subject);
      simulator.failNext({ type: 'stall', after: subject.piecesBeforeText + 2 });
      const leaving = new AbortController();
      for await (const _event of model.stream(asked('Hello'), leaving.signal)) leaving.abort();
      expect(await (await simulator.request(0)).outcome).toBe('aborted');
      expect(clock.pendingTimers()).toBe(0);
    });

    it('reports what was used, and takes arguments of tools', async () => {
      const { ask } = await openModel(subject, {
        chat: () => ({
          text: 'One moment.',
          toolCalls: [{ name: 'end_call', arguments: { hours: [9, 10] } }],
        }),
      });
      const events = await ask();
      expect(events.at(-2)).toMatchObject({
        type: 'tool-call',
        name: 'end_call',
        arguments: { hours: [9, 10] },
      });
      expect(events.at(-1)).toEqual({
        type: 'usage',
        inputTokens: 20,
        outputTokens: expect.any(Number) as number,
      });
    });
  });
}
