import { afterEach, describe, expect, it } from 'vitest';
import { tonePurity } from '@parley/audio';
import { ManualClock, systemClock } from '@parley/runtime';
import { collect } from '../../../test/collect.ts';
import { OpenAiRealtimeSimulator, type SimulatedFault } from '../../fakes/index.ts';
import type { RealtimeEvent, RealtimeOptions, RealtimePiece, RealtimeSession } from '../../ports.ts';
import { createOpenAiRealtime } from './openai-realtime.ts';

const KEY = 'key-that-nobody-may-see';
const NEVER = new AbortController().signal;
const OPTIONS: RealtimeOptions = {
  sampleRateHz: 8000,
  systemPrompt: 'You are a test.',
  tools: [{ name: 'look_up', description: 'Looks up.', parameters: { type: 'object' } }],
  language: 'en',
  speed: 1.1,
  history: [],
};
const open: { simulator: OpenAiRealtimeSimulator; session: RealtimeSession }[] = [];

afterEach(async () => {
  for (const { session, simulator } of open.splice(0)) {
    session.close();
    await simulator.stop();
  }
});

type Script = Partial<ConstructorParameters<typeof OpenAiRealtimeSimulator>[0]>;

async function connect(
  given: { script?: Script; options?: Partial<RealtimeOptions>; fault?: SimulatedFault; voice?: string } = {},
) {
  const clock = new ManualClock();
  const simulator = new OpenAiRealtimeSimulator({ clock: systemClock, ...given.script });
  await simulator.start();
  if (given.fault) simulator.failNext(given.fault);
  const events: RealtimeEvent[] = [];
  const model = createOpenAiRealtime({
    account: { baseUrl: `${simulator.baseUrl}/`, apiKey: KEY },
    model: 'gpt-realtime',
    voice: given.voice ?? 'marin',
    clock,
    limits: { firstMs: 2000, betweenMs: 1000 },
  });
  const told = Promise.withResolvers<void>();
  const session = model.open({ ...OPTIONS, ...given.options }, (event) => {
    events.push(event);
    told.resolve();
  });
  open.push({ simulator, session });
  const messages = (type: string) =>
    simulator.requests[0]?.messages.filter((one) => one['type'] === type) ?? [];
  return { clock, simulator, session, events, told: told.promise, messages };
}

const soundOf = (pieces: readonly RealtimePiece[]): Int16Array =>
  Int16Array.from(pieces.flatMap((piece) => (piece.type === 'sound' ? [...piece.samples] : [])));
const wordsOf = (pieces: readonly RealtimePiece[]): string =>
  pieces.map((piece) => (piece.type === 'words' ? piece.text : '')).join('');
/** 200 ms of a telephone line. */
const PAUSE = new Int16Array(1600);

it('opens a session that leaves the turns to us, in the sound of a telephone line', async () => {
  const { session, messages, simulator } = await connect();
  await collect(session.reply(null, NEVER));
  const { path, query, authorization } = await simulator.request(0);
  expect([path, query['model'], authorization]).toEqual(['/v1/realtime', 'gpt-realtime', `Bearer ${KEY}`]);
  expect(messages('session.update')[0]?.['session']).toMatchObject({
    type: 'realtime',
    instructions: 'You are a test.',
    audio: {
      input: { format: { type: 'audio/pcmu' }, turn_detection: null, transcription: { language: 'en' } },
      output: { format: { type: 'audio/pcmu' }, voice: 'marin', speed: 1.1 },
    },
    tools: [{ type: 'function', name: 'look_up' }],
  });
});

it('tells the words of each commit and answers with words, sound and the price of it', async () => {
  const { session, events, told, simulator } = await connect({ script: { hear: () => 'tomorrow at nine' } });
  session.push(PAUSE);
  session.commit(1200);
  const pieces = await collect(session.reply(null, NEVER));
  await told;
  expect(events).toEqual([{ type: 'words', text: 'tomorrow at nine', endMs: 1200 }]);
  expect(wordsOf(pieces)).toBe('How can I help you?');
  expect(soundOf(pieces)).toHaveLength((19 * 40 * 8000) / 1000);
  expect(tonePurity(soundOf(pieces).subarray(100, -100), 500, 8000)).toBeGreaterThan(0.99);
  expect(pieces.at(-1)).toEqual({ type: 'usage', inputTokens: 20, outputTokens: 10 });
  expect(simulator.dialogues[0]).toEqual([
    'user: (sound) tomorrow at nine',
    'assistant: How can I help you?',
  ]);
});

it('speaks wide band with any other line', async () => {
  const { session, messages } = await connect({ options: { sampleRateHz: 16_000 } });
  session.push(new Int16Array(3200));
  session.commit(200);
  const sound = soundOf(await collect(session.reply(null, NEVER)));
  expect(sound).toHaveLength((19 * 40 * 16_000) / 1000);
  expect(tonePurity(sound.subarray(200, -200), 500, 16_000)).toBeGreaterThan(0.99);
  const [first] = messages('input_audio_buffer.append');
  expect(Buffer.from(String(first?.['audio']), 'base64').length).toBeGreaterThan(9000);
});

it('commits no sound that the provider would refuse', async () => {
  const { session, events, messages } = await connect();
  session.push(PAUSE.subarray(0, 700));
  session.commit(88);
  expect(events).toEqual([{ type: 'words', text: '', endMs: 88 }]);
  await collect(session.reply(null, NEVER));
  expect(messages('input_audio_buffer.commit')).toEqual([]);
});

it('reads a text out beside the dialogue', async () => {
  const { session, simulator } = await connect();
  const chunks = await collect(session.speak('Good morning.', NEVER));
  expect(chunks.reduce((sum, chunk) => sum + chunk.length, 0)).toBe((13 * 40 * 8000) / 1000);
  expect(simulator.dialogues[0]).toEqual([]);
});

it('uses tools, and goes on with what they say', async () => {
  const script: Script = {
    answer: (dialogue, index) =>
      index === 0
        ? { toolCalls: [{ name: 'look_up', arguments: { day: 'Tuesday' } }] }
        : { text: dialogue.at(-1) ?? '' },
  };
  const { session } = await connect({ script });
  const [call] = await collect(session.reply(null, NEVER));
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
  await collect(session.reply('Say goodbye.', NEVER));
  expect(simulator.dialogues[0]).toEqual([
    'assistant: Hello.',
    'user: Book a table.',
    "user: [The customer pressed 1 on the telephone's keypad.]",
    'assistant: How can I help you?',
  ]);
});

it('lets the model forget what was not heard', async () => {
  const { session, simulator } = await connect();
  const [first] = await collect(session.reply(null, NEVER));
  if (first?.type !== 'words') throw new Error('No words came first');
  session.truncate(first.item, 260.7);
  await simulator.until(() => simulator.dialogues[0]?.[0]?.includes('ms of') ?? false);
  expect(simulator.dialogues[0]).toEqual(['assistant: (260 ms of) How can I help you?']);
});

it('stops the model when nobody listens, and answers again only after that', async () => {
  const { session, messages, simulator } = await connect({ fault: { type: 'stall', after: 4 } });
  const leaving = new AbortController();
  for await (const _piece of session.reply(null, leaving.signal)) leaving.abort();
  await simulator.until(() => messages('response.cancel').length === 1);
  expect(messages('response.cancel')[0]).toMatchObject({ response_id: 'resp_1' });
  const next = session.reply(null, NEVER)[Symbol.asyncIterator]().next();
  session.note({ role: 'customer', kind: 'silence', text: '' });
  await simulator.until(() => messages('conversation.item.create').length === 1);
  expect(messages('response.create')).toHaveLength(1);
  session.close();
  await expect(next).rejects.toMatchObject({ kind: 'unavailable' });
});

describe('when the provider fails', () => {
  it.each([
    [{ type: 'status', status: 401, message: `no such key ${KEY}` }, 'rejected'],
    [{ type: 'status', status: 429, message: 'slow down' }, 'unavailable'],
    [{ type: 'garbage', after: 3 }, 'unavailable'],
    [{ type: 'cut', after: 4 }, 'unavailable'],
    [{ type: 'unfinished', after: 4 }, 'unavailable'],
  ] as const)('tells %j as %s to whoever waits, once, and without its key', async (fault, kind) => {
    const { session, events, told } = await connect({ fault });
    const failure = await collect(session.reply(null, NEVER)).catch((error: unknown) => error as Error);
    await told;
    expect(failure).toMatchObject({ name: 'SpeechError', kind });
    expect((failure as Error).message).not.toContain(KEY);
    expect(events).toMatchObject([{ type: 'failed', error: { kind } }]);
    await expect(collect(session.speak('Hello.', NEVER))).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('gives up a provider that does not begin, and keeps the session', async () => {
    const { session, clock, simulator, messages, events } = await connect({
      fault: { type: 'stall', after: 2 },
    });
    const never = expect(collect(session.reply(null, NEVER))).rejects.toMatchObject({ kind: 'timed-out' });
    await simulator.until(() => messages('response.create').length === 1);
    clock.advance(2000);
    await never;
    expect(events).toEqual([]);
  });

  it('loses a session that was not taken', async () => {
    const { told, events } = await connect({ voice: 'missing' });
    await told;
    expect(events).toMatchObject([{ type: 'failed', error: { kind: 'rejected' } }]);
  });
});
