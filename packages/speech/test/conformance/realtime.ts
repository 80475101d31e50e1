/**
 * What every {@link RealtimeModel} promises, with its provider at work and failing. Run by each adapter, against the
 * simulator of its provider, whose own account of the dialogue says what the model knows.
 */
import { tonePurity } from '@parley/audio';
import { ManualClock, systemClock, type Clock } from '@parley/runtime';
import { afterEach, describe, expect, it } from 'vitest';
import type { SimulatedFault } from '../../src/fakes/index.ts';
import type { SpokenScript } from '../../src/fakes/openai-wire.ts';
import type { ProviderSimulator, SimulatorOptions } from '../../src/fakes/simulator/provider-simulator.ts';
import type {
  RealtimeEvent,
  RealtimeModel,
  RealtimeOptions,
  RealtimePiece,
  RealtimeSession,
} from '../../src/ports.ts';
import type { ProviderAccount } from '../../src/providers/provider-account.ts';
import type { PatienceLimits } from '../../src/wire/patience.ts';
import { collect } from '../collect.ts';

/** A simulator of a model that speaks. */
export type RealtimeSimulator = ProviderSimulator & { dialogues: string[][]; baseUrl?: string };

/** One adapter under test. */
export interface RealtimeCase<Simulator extends RealtimeSimulator = RealtimeSimulator> {
  name: string;
  simulate: (options: SimulatorOptions & SpokenScript) => Simulator;
  make: (options: {
    account: ProviderAccount;
    model: string;
    voice: string;
    clock: Clock;
    limits?: PatienceLimits;
  }) => RealtimeModel;
  /** Messages that the simulator sends before anything of a first answer. */
  greetings: number;
  /** The context of the model for "How can I help you?" when only "How can" was played. */
  knowsItHeard: readonly RegExp[];
}

const KEY = 'key-that-must-stay-secret';
/** No one cancels. */
export const NEVER = new AbortController().signal;
const OPTIONS: RealtimeOptions = {
  sampleRateHz: 8000,
  systemPrompt: 'You are a test.',
  tools: [{ name: 'look_up', description: 'Looks up.', parameters: { type: 'object' } }],
  language: 'en',
  speed: 1.1,
  history: [],
};
const running: { simulator: RealtimeSimulator; session: RealtimeSession }[] = [];

/** Stops what {@link openRealtime} has started. */
export async function stopRealtime(): Promise<void> {
  for (const { session, simulator } of running.splice(0)) {
    session.close();
    await simulator.stop();
  }
}

/** A simulator of one adapter, and a session on it that has little patience. */
export async function openRealtime<Simulator extends RealtimeSimulator>(
  subject: Pick<RealtimeCase<Simulator>, 'simulate' | 'make'>,
  given: {
    script?: SpokenScript;
    options?: Partial<RealtimeOptions>;
    fault?: SimulatedFault;
    voice?: string;
  } = {},
) {
  const clock = new ManualClock();
  const simulator = subject.simulate({ clock: systemClock, ...given.script });
  await simulator.start();
  if (given.fault) simulator.failNext(given.fault);
  const events: RealtimeEvent[] = [];
  let wake = (): void => {};
  const model = subject.make({
    account: { baseUrl: `${simulator.baseUrl ?? simulator.origin}/`, apiKey: KEY },
    model: 'simulated',
    voice: given.voice ?? 'marin',
    clock,
    limits: { firstMs: 2000, betweenMs: 1000 },
  });
  const session = model.open({ ...OPTIONS, ...given.options }, (event) => {
    events.push(event);
    wake();
  });
  running.push({ simulator, session });
  /** The first event of a type, when it comes. */
  const told = async <Type extends RealtimeEvent['type']>(type: Type) => {
    for (;;) {
      const found = events.find(
        (event): event is Extract<RealtimeEvent, { type: Type }> => event.type === type,
      );
      if (found) return found;
      await new Promise<void>((resolve) => void (wake = resolve));
    }
  };
  return { clock, simulator, session, events, told };
}

/** All sound among pieces. */
export const soundOf = (pieces: readonly RealtimePiece[]): Int16Array =>
  Int16Array.from(pieces.flatMap((piece) => (piece.type === 'sound' ? [...piece.samples] : [])));
/** All words among pieces. */
export const wordsOf = (pieces: readonly RealtimePiece[]): string =>
  pieces.map((piece) => (piece.type === 'words' ? piece.text : '')).join('');
/** 200 ms of a telephone line. */
export const PAUSE = new Int16Array(1600);

/** Samples of a text in the simulators' voice. */
const lengthOf = (text: string, sampleRateHz: number): number => (text.length * 40 * sampleRateHz) / 1000;
const HELP = 'How can I help you?';

/** The pieces of a reply up to its first sound; the listener then leaves. */
async function beginningOf(session: RealtimeSession): Promise<RealtimePiece[]> {
  const leaving = new AbortController();
  const pieces: RealtimePiece[] = [];
  for await (const piece of session.reply(null, leaving.signal)) {
    pieces.push(piece);
    if (piece.type === 'sound') leaving.abort();
  }
  return pieces;
}

/** All of a reply; tells when it has begun. */
async function collectUntil(session: RealtimeSession, onBegun: () => void): Promise<void> {
  for await (const _piece of session.reply(null, NEVER)) onBegun();
}

/** Lets time pass, a little with each turn of the event loop, until something has happened. */
async function advanceUntil<Result>(clock: ManualClock, happened: Promise<Result>): Promise<Result> {
  const passing = setInterval(() => clock.advance(200), 1);
  return happened.finally(() => clearInterval(passing));
}

/** The suite of the port, and what is asked of a provider besides. */
export function describeRealtime(subject: RealtimeCase): void {
  const connect = async (given: Parameters<typeof openRealtime>[1] = {}) => openRealtime(subject, given);

  describe(subject.name, () => {
    afterEach(stopRealtime);

    it('tells the words of a commit and answers with words and sound of one item', async () => {
      const { session, told, simulator } = await connect({ script: { hear: () => 'tomorrow at nine' } });
      session.push(PAUSE);
      session.commit(1200);
      const pieces = await collect(session.reply(null, NEVER));
      expect(await told('words')).toEqual({ type: 'words', text: 'tomorrow at nine', endMs: 1200 });
      expect(wordsOf(pieces)).toBe(HELP);
      expect(soundOf(pieces)).toHaveLength(lengthOf(HELP, 8000));
      expect(tonePurity(soundOf(pieces).subarray(100, -100), 500, 8000)).toBeGreaterThan(0.99);
      expect(new Set(pieces.map((piece) => ('item' in piece ? piece.item : '')))).toHaveProperty('size', 1);
      expect(simulator.dialogues[0]).toEqual(['user: (sound) tomorrow at nine', `assistant: ${HELP}`]);
    });

    it('says what an answer took', async () => {
      const { session, told } = await connect();
      session.push(PAUSE);
      session.commit(200);
      await collect(session.reply(null, NEVER));
      expect(await told('usage')).toEqual({
        type: 'usage',
        inputTokens: 20,
        cachedInputTokens: 4,
        audioInputTokens: 12,
        outputTokens: 10,
        audioOutputTokens: 10,
      });
    });

    it('speaks wide band with any other line', async () => {
      const { session } = await connect({ options: { sampleRateHz: 16_000 } });
      session.push(new Int16Array(3200));
      session.commit(200);
      const sound = soundOf(await collect(session.reply(null, NEVER)));
      expect(sound).toHaveLength(lengthOf(HELP, 16_000));
      expect(tonePurity(sound.subarray(200, -200), 500, 16_000)).toBeGreaterThan(0.99);
    });

    it('answers turn after turn', async () => {
      const { session, simulator } = await connect({
        script: {
          hear: (index) => `turn ${index}`,
          answer: (_dialogue, index) => ({ text: `Answer ${index}.` }),
        },
      });
      for (const index of [0, 1, 2]) {
        session.push(PAUSE);
        session.commit(200 * (index + 1));
        expect(wordsOf(await collect(session.reply(null, NEVER)))).toBe(`Answer ${index}.`);
      }
      expect(simulator.dialogues[0]).toHaveLength(6);
    });

    it('reads a text out beside the dialogue, and says what it took', async () => {
      const { session, simulator, told } = await connect();
      const chunks = await collect(session.speak('Good morning.', NEVER));
      expect(chunks.reduce((sum, chunk) => sum + chunk.length, 0)).toBe(lengthOf('Good morning.', 8000));
      expect(await told('usage')).toMatchObject({ outputTokens: 10 });
      await collect(session.reply(null, NEVER));
      expect(simulator.dialogues[0]?.join()).not.toContain('Good morning.');
    });

    it('uses tools, and goes on with what they say', async () => {
      const { session } = await connect({
        script: {
          answer: (dialogue, index) =>
            index === 0
              ? { text: 'A moment.', toolCalls: [{ name: 'look_up', arguments: { day: 'Tuesday' } }] }
              : { text: dialogue.at(-1) ?? '' },
        },
      });
      session.push(PAUSE);
      session.commit(200);
      const pieces = await collect(session.reply(null, NEVER));
      const call = pieces.at(-1);
      expect(wordsOf(pieces)).toBe('A moment.');
      expect(call).toMatchObject({ type: 'tool-call', name: 'look_up', arguments: { day: 'Tuesday' } });
      if (call?.type !== 'tool-call') return;
      session.note({ role: 'tool', toolCallId: call.id, name: call.name, result: 'Free at nine.' });
      expect(wordsOf(await collect(session.reply(null, NEVER)))).toBe('result: Free at nine.');
    });

    it('tells what the model cannot have heard, and what was said in a session before', async () => {
      const { session, simulator } = await connect({
        options: {
          history: [
            { role: 'assistant', text: 'Hello.' },
            { role: 'customer', kind: 'speech', text: 'Book a table.' },
          ],
        },
      });
      session.note({ role: 'customer', kind: 'dtmf', text: '1' });
      await collect(session.reply(null, NEVER));
      expect(simulator.dialogues[0]).toEqual([
        'assistant: Hello.',
        'user: Book a table.',
        "user: [The customer pressed 1 on the telephone's keypad.]",
        `assistant: ${HELP}`,
      ]);
    });

    it('breaks an answer off, gives nothing of it to the next one, and lets the model know what was heard', async () => {
      const { session, simulator } = await connect({
        script: {
          hear: (index) => ['hello', 'wait'][index] ?? '',
          answer: (_dialogue, index) => (index === 0 ? { text: HELP, hasNoEnd: true } : { text: 'Yes?' }),
        },
      });
      session.push(PAUSE);
      session.commit(200);
      const [first] = await beginningOf(session);
      if (first === undefined || !('item' in first)) throw new Error('Nothing was said');
      session.truncate(first.item, 260.7, 'How can');
      session.push(PAUSE);
      session.commit(700);
      const next = await collect(session.reply(null, NEVER));
      expect(wordsOf(next)).toBe('Yes?');
      expect(soundOf(next)).toHaveLength(lengthOf('Yes?', 8000));
      const known = simulator.dialogues[0]?.join('\n') ?? '';
      for (const fact of subject.knowsItHeard) expect(known).toMatch(fact);
      expect(known).toMatch(/user: \(sound\) wait\nassistant: Yes\?$/);
    });

    it('hears what is said while it answers, and is not disturbed by it', async () => {
      const { session, simulator } = await connect({ script: { hear: (index) => `turn ${index}` } });
      session.push(PAUSE);
      session.commit(200);
      const pieces: RealtimePiece[] = [];
      for await (const piece of session.reply(null, NEVER)) {
        if (pieces.push(piece) > 3) continue;
        session.push(PAUSE);
        session.commit(400);
      }
      expect(soundOf(pieces)).toHaveLength(lengthOf(HELP, 8000));
      await collect(session.reply(null, NEVER));
      expect(simulator.dialogues[0]?.join()).toContain('turn 1');
    });

    it('ends in good order, and waits for nothing after that', async () => {
      const { session, simulator, clock } = await connect();
      await collect(session.reply(null, NEVER));
      session.close();
      session.close();
      expect(await simulator.requests[0]?.outcome).toBe('finished');
      expect(clock.pendingTimers()).toBe(0);
      await expect(collect(session.reply(null, NEVER))).rejects.toMatchObject({ kind: 'unavailable' });
    });
  });

  describe(`${subject.name}, when its provider fails`, () => {
    afterEach(stopRealtime);

    it.each([
      [{ type: 'status', status: 401, message: `no such key ${KEY}` }, 'rejected'],
      [{ type: 'status', status: 429, message: 'slow down' }, 'unavailable'],
      [{ type: 'garbage', after: subject.greetings + 1 }, 'unavailable'],
      [{ type: 'cut', after: subject.greetings + 2 }, 'unavailable'],
      [{ type: 'unfinished', after: subject.greetings + 2 }, 'unavailable'],
      [{ type: 'close', after: subject.greetings, code: 1008, reason: `bad ${KEY}` }, 'rejected'],
    ] as const)('reports %j as %s to its caller, once, and without its key', async (fault, kind) => {
      const { session, events, told, clock } = await connect({ fault });
      session.push(PAUSE);
      session.commit(200);
      const failure = await collect(session.reply(null, NEVER)).catch((error: unknown) => error as Error);
      await told('failed');
      expect(failure).toMatchObject({ name: 'SpeechError', kind });
      expect((failure as Error).message).not.toContain(KEY);
      expect(events.filter(({ type }) => type === 'failed')).toMatchObject([{ error: { kind } }]);
      await expect(collect(session.speak('Hello.', NEVER))).rejects.toMatchObject({ kind: 'unavailable' });
      expect(clock.pendingTimers()).toBe(0);
    });

    it('is unavailable when its address refuses connections', async () => {
      const { simulator, session: _first } = await connect();
      const baseUrl = simulator.baseUrl ?? simulator.origin;
      await simulator.stop();
      const model = subject.make({
        account: { baseUrl, apiKey: KEY },
        model: 'simulated',
        voice: 'marin',
        clock: new ManualClock(),
      });
      const failed = new Promise((resolve) => model.open(OPTIONS, resolve));
      expect(await failed).toMatchObject({ type: 'failed', error: { kind: 'unavailable' } });
    });

    it('gives up a provider that does not begin, and keeps the session', async () => {
      const { session, clock, simulator, events } = await connect({
        fault: { type: 'stall', after: subject.greetings },
      });
      const sent = (): number => simulator.requests[0]?.messages.length ?? 0;
      const never = expect(collect(session.reply(null, NEVER))).rejects.toMatchObject({ kind: 'timed-out' });
      await simulator.until(() => sent() === 2);
      clock.advance(2000);
      await never;
      expect(events).toEqual([]);
    });

    it('gives up a provider that falls silent in the middle', async () => {
      const { session, clock } = await connect({ fault: { type: 'stall', after: subject.greetings + 6 } });
      session.push(PAUSE);
      session.commit(200);
      const begun = Promise.withResolvers<void>();
      const failure = collectUntil(session, begun.resolve).catch((error: unknown) => error as Error);
      await begun.promise;
      expect(await advanceUntil(clock, failure)).toMatchObject({ kind: 'timed-out' });
    });

    it('waits for a provider that is slow to connect', async () => {
      const { session } = await connect({ fault: { type: 'delay', ms: 150 } });
      session.push(PAUSE);
      session.commit(200);
      expect(wordsOf(await collect(session.reply(null, NEVER)))).toBe(HELP);
    });

    it('gives up a provider that does not read', async () => {
      const { session, simulator, told, clock } = await connect({ fault: { type: 'deaf' } });
      await simulator.request(0);
      const minute = new Int16Array(8000 * 60);
      const pushing = setInterval(() => session.push(minute), 0);
      expect(await advanceUntil(clock, told('failed'))).toMatchObject({ error: { kind: 'timed-out' } });
      clearInterval(pushing);
    });

    it('loses a session that was not taken', async () => {
      const { told } = await connect({ voice: 'missing' });
      expect(await told('failed')).toMatchObject({ error: { kind: 'rejected' } });
    });
  });
}
