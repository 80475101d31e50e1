import { afterEach, expect, it } from 'vitest';
import { collect } from '../../../test/collect.ts';
import {
  describeRealtime,
  NEVER,
  openRealtime,
  PAUSE,
  stopRealtime,
} from '../../../test/conformance/realtime.ts';
import { OpenAiRealtimeSimulator, type OpenAiRealtimeSimulatorOptions } from '../../fakes/index.ts';
import { createOpenAiRealtime } from './openai-realtime.ts';

const subject = {
  simulate: (options: OpenAiRealtimeSimulatorOptions) => new OpenAiRealtimeSimulator(options),
  make: createOpenAiRealtime,
};

describeRealtime({
  name: 'OpenAI Realtime',
  ...subject,
  greetings: 2,
  knowsItHeard: [/assistant: \(260 ms of\) How can I help you\?\n/],
});

afterEach(stopRealtime);

const connect = async (given: Parameters<typeof openRealtime>[1] = {}) => {
  const opened = await openRealtime(subject, given);
  const messages = (type: string) =>
    opened.simulator.requests[0]?.messages.filter((one) => one['type'] === type) ?? [];
  return { ...opened, messages };
};

it('opens a session that leaves the turns to us, in the sound of a telephone line', async () => {
  const { session, messages, simulator } = await connect();
  await collect(session.reply(null, NEVER));
  const { path, query, authorization } = await simulator.request(0);
  expect([path, query['model'], authorization]).toEqual([
    '/v1/realtime',
    'simulated',
    'Bearer key-that-must-stay-secret',
  ]);
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

it('sends its own wide band where the line is none of a telephone', async () => {
  const { session, messages, simulator } = await connect({ options: { sampleRateHz: 16_000 } });
  session.push(new Int16Array(3200));
  await simulator.until(() => messages('input_audio_buffer.append').length === 1);
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

it('gives other instructions for one reply', async () => {
  const { session, messages } = await connect();
  await collect(session.reply('Say goodbye.', NEVER));
  expect(messages('response.create')[0]?.['response']).toMatchObject({ instructions: 'Say goodbye.' });
});

it('stops the model when its output is cancelled, and answers again only after that', async () => {
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
