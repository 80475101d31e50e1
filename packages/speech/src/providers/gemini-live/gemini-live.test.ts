import { afterEach, expect, it } from 'vitest';
import { tonePurity } from '@parley/audio';
import { collect } from '../../../test/collect.ts';
import {
  describeRealtime,
  NEVER,
  openRealtime,
  PAUSE,
  soundOf,
  stopRealtime,
  wordsOf,
} from '../../../test/conformance/realtime.ts';
import { GeminiLiveSimulator, type GeminiLiveSimulatorOptions } from '../../fakes/index.ts';
import type { RealtimePiece } from '../../ports.ts';
import { createGeminiLive } from './gemini-live.ts';

const subject = {
  simulate: (options: GeminiLiveSimulatorOptions) => new GeminiLiveSimulator(options),
  make: createGeminiLive,
};

describeRealtime({
  name: 'Gemini Live',
  ...subject,
  greetings: 1,
  // It keeps the sent text, and receives a correction before the next words.
  knowsItHeard: [
    /assistant: How can I help you\?\n/,
    /user: \[The customer interrupted you and heard of your last answer only: "How can"\]\nuser: \(sound\) wait/,
  ],
});

afterEach(stopRealtime);

const setup = async (given: Parameters<typeof openRealtime>[1] = {}) => {
  const opened = await openRealtime(subject, given);
  const { simulator } = opened;
  /** The kinds of messages of a connection, sound once for any number of pieces. */
  const sent = (connection = 0): string[] => {
    const kinds = simulator.requests[connection]?.messages.map(kindOf) ?? [];
    return kinds.filter((kind, index) => kind !== 'sound' || kinds[index - 1] !== 'sound');
  };
  return { ...opened, sent };
};

function kindOf(message: Record<string, unknown>): string {
  const [kind = ''] = Object.keys(message);
  if (kind !== 'realtimeInput') return kind;
  const [input = ''] = Object.keys(message[kind] as object);
  return input === 'audio' ? 'sound' : input;
}

/** The caller says something. */
const say = (session: { push(samples: Int16Array): void; commit(endMs: number): void }): void => {
  session.push(PAUSE);
  session.commit(200);
};

it('sets up a session that leaves the turns to us, and waits for it', async () => {
  const { session, simulator, sent } = await setup();
  say(session);
  await collect(session.reply(null, NEVER));
  const { path, query, headers, messages } = await simulator.request(0);
  expect(path).toBe('/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent');
  expect([query, headers['x-goog-api-key']]).toEqual([{}, 'key-that-must-stay-secret']);
  expect(messages[0]?.['setup']).toEqual({
    model: 'models/simulated',
    generationConfig: {
      responseModalities: ['AUDIO'],
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'marin' } } },
    },
    systemInstruction: { parts: [{ text: 'You are a test.' }] },
    tools: [
      {
        functionDeclarations: [
          {
            name: 'look_up',
            description: 'Looks up.',
            parametersJsonSchema: { type: 'object' },
            behavior: 'BLOCKING',
          },
        ],
      },
    ],
    realtimeInputConfig: { automaticActivityDetection: { disabled: true } },
    inputAudioTranscription: {},
    outputAudioTranscription: {},
    sessionResumption: {},
    contextWindowCompression: { slidingWindow: {} },
  });
  expect(sent()).toEqual(['setup', 'activityStart', 'sound', 'activityEnd']);
});

it('keeps what the caller says into an answer from the provider, which would stop it', async () => {
  const { session, sent } = await setup({
    script: { answer: () => ({ text: 'How can I help you?', hasNoEnd: true }) },
  });
  say(session);
  const leaving = new AbortController();
  for await (const piece of session.reply(null, leaving.signal)) {
    if (piece.type !== 'sound') continue;
    session.push(PAUSE);
    await collect(session.speak('Hm.', NEVER)); // whatever was sent before has come by then
    expect(sent()).toEqual(['setup', 'activityStart', 'sound', 'activityEnd']);
    leaving.abort();
  }
  const next = session.reply(null, NEVER)[Symbol.asyncIterator]();
  await next.next();
  expect(sent().slice(4)).toEqual(['activityStart', 'sound', 'activityEnd']);
});

it('takes the rate of the sound from the sound', async () => {
  const { session } = await openRealtime({
    ...subject,
    simulate: (options: GeminiLiveSimulatorOptions) =>
      new GeminiLiveSimulator({ ...options, spokenRateHz: 16_000 }),
  });
  say(session);
  const sound = soundOf(await collect(session.reply(null, NEVER)));
  expect(sound).toHaveLength(19 * 40 * 8);
  expect(tonePurity(sound.subarray(100, -100), 500, 8000)).toBeGreaterThan(0.99);
});

it('tells instructions for one reply as what they add to the usual ones', async () => {
  const { session, simulator } = await setup();
  await collect(session.reply('You are a test.\n\nSay goodbye.', NEVER));
  expect(simulator.dialogues[0]?.[0]).toBe('user: [Instruction for your next answer: Say goodbye.]');
});

it('is asked to speak where there is nothing to answer', async () => {
  const { session, simulator } = await setup();
  expect(wordsOf(await collect(session.reply(null, NEVER)))).toBe('How can I help you?');
  expect(simulator.dialogues[0]?.[0]).toBe('user: [It is your turn to speak.]');
});

it('tells in words what came of a tool that the model has given up', async () => {
  const { session, simulator } = await setup({
    script: {
      answer: (_dialogue, index) =>
        index === 0 ? { toolCalls: [{ name: 'look_up', arguments: {} }] } : { text: 'Well.' },
    },
  });
  say(session);
  const [call] = await collect(session.reply(null, NEVER));
  if (call?.type !== 'tool-call') throw new Error('No tool was called');
  say(session);
  session.note({ role: 'tool', toolCallId: call.id, name: call.name, result: 'Free at nine.' });
  expect(wordsOf(await collect(session.reply(null, NEVER)))).toBe('Well.');
  expect(simulator.dialogues[0]?.slice(1)).toEqual([
    'call: look_up',
    'user: [The tool look_up answered: Free at nine.]',
    'user: (sound) hello',
    'assistant: Well.',
  ]);
});

it('goes on in another connection when the provider ends one, after the sentence and with the whole dialogue', async () => {
  const { session, simulator, events, sent } = await setup({
    script: { answer: (_dialogue, index) => ({ text: `Answer ${index}.` }) },
  });
  say(session);
  const pieces: RealtimePiece[] = [];
  for await (const piece of session.reply(null, NEVER)) {
    if (pieces.length === 0) simulator.goAway();
    pieces.push(piece);
  }
  expect(wordsOf(pieces)).toBe('Answer 0.');
  expect(await (await simulator.request(0)).outcome).toBe('finished');
  say(session);
  expect(wordsOf(await collect(session.reply(null, NEVER)))).toBe('Answer 1.');
  expect(sent(1)).toEqual(['setup', 'activityStart', 'sound', 'activityEnd']);
  expect(simulator.requests[1]?.messages[0]).toMatchObject({
    setup: { sessionResumption: { handle: 'handle-1' } },
  });
  expect(simulator.dialogues).toHaveLength(1);
  expect(simulator.dialogues[0]).toHaveLength(4);
  expect(events.filter(({ type }) => type === 'failed')).toEqual([]);
});

it('waits for the moment in which the provider can take the session up again', async () => {
  const { session, simulator } = await setup();
  session.push(PAUSE);
  await simulator.until(() => (simulator.requests[0]?.messages.length ?? 0) > 2);
  simulator.goAway();
  session.commit(200);
  await collect(session.reply(null, NEVER));
  await simulator.request(1);
  say(session);
  await collect(session.reply(null, NEVER));
  expect(simulator.dialogues).toHaveLength(1);
  expect(simulator.dialogues[0]).toHaveLength(4);
});

it('takes up no state of the session that lacks its last turn', async () => {
  const { session, simulator } = await setup({
    script: {
      answer: (_dialogue, index) => {
        if (index === 1) simulator.goAway(); // before the answer, and before the handle that includes it
        return { text: `Answer ${index}.` };
      },
    },
  });
  await collect(session.reply(null, NEVER));
  await collect(session.reply(null, NEVER));
  expect((await simulator.request(1)).path).toContain('BidiGenerateContent');
  await simulator.until(() => (simulator.requests[1]?.messages.length ?? 0) > 0);
  expect(simulator.requests[1]?.messages[0]).toMatchObject({
    setup: { sessionResumption: { handle: 'handle-2' } },
  });
});

it('is lost when the provider does not know the session any more', async () => {
  const { session, simulator, told } = await setup();
  await collect(session.reply(null, NEVER));
  simulator.forget();
  simulator.goAway();
  expect(await told('failed')).toMatchObject({ error: { kind: 'rejected' } });
});
