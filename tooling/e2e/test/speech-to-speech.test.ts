/**
 * A call with one speech-to-speech model: its voices appear when the provider has a key, an assistant of
 * the kind `multimodal` is made of one, and holds a conversation over real SIP. The provider is our simulator of it.
 */
import { pause, systemClock } from '@parley/runtime';
import {
  GeminiLiveSimulator,
  OpenAiRealtimeSimulator,
  type GeminiLiveSimulatorOptions,
} from '@parley/speech/fakes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { placeCall, waitForCall } from '../src/calls.ts';
import { startInstallation, type Installation } from '../src/installation.ts';

/** See the phone book of `tooling/phones`: answers and talks. */
const TALKS = '+12025550100';
const KEY = 'key-that-must-stay-secret';
/** A pause, followed by 10 s of speech: an assistant that takes the pause for the end interrupts the rest. */
const LONG = `I call about your appointment. … ${'I would like to talk about it for a long while. '.repeat(5)}`;

const script: GeminiLiveSimulatorOptions = {
  clock: systemClock,
  hear: (index) => ['hello', 'wait', 'yes that is me'][index] ?? 'I see',
  answer: (_dialogue, index) =>
    index === 0
      ? { text: LONG }
      : { text: 'Then goodbye.', toolCalls: [{ name: 'end_call', arguments: {} }] },
};
const openAi = new OpenAiRealtimeSimulator(script);
const google = new GeminiLiveSimulator(script);

let installation: Installation;
beforeAll(async () => {
  await Promise.all([openAi.start(), google.start()]);
  installation = await startInstallation();
});
afterAll(async () => {
  await installation?.stop();
  await Promise.all([openAi.stop(), google.stop()]);
});

interface Named {
  id: number;
  name: string;
}

/** Waits until the worker has taken the provider's list. */
async function lookUp(list: string, isIt: (name: string) => boolean): Promise<Named> {
  for (;;) {
    const found = (await installation.request('GET', `/api/user/assistants/${list}`)) as Named[];
    const entry = found.find(({ name }) => isIt(name));
    if (entry) return entry;
    await pause(systemClock, 100);
  }
}

it.each([
  {
    account: () => ({ name: 'OpenAI', kind: 'openai', base_url: openAi.baseUrl }),
    voiceName: 'marin, gpt-realtime (OpenAI)',
    modelName: 'gpt-4o-mini',
    simulator: openAi,
    forgets: /^assistant: \(\d+ ms of\) I call about/u,
    socketPath: /^\/v1\/realtime$/,
  },
  {
    account: () => ({ name: 'Google', kind: 'google', base_url: google.origin }),
    voiceName: 'Kore, gemini-live (Google)',
    modelName: 'gemini-flash',
    simulator: google,
    forgets: /^user: \[The customer interrupted you and heard of your last answer only: "I call about/u,
    socketPath: /BidiGenerateContent$/,
  },
])('$voiceName holds a call, and its record contains only the played part of an answer', async (provider) => {
  const { simulator } = provider;
  await installation.request('POST', '/api/user/providers', { ...provider.account(), api_key: KEY });
  const voice = await lookUp('voices?mode=multimodal', (name) => name === provider.voiceName);
  const model = await lookUp('models', (name) => name.startsWith(provider.modelName));
  const made = (await installation.request('POST', '/api/user/assistant', {
    assistant_name: 'Speech to speech',
    voice_id: voice.id,
    language: 'English',
    llm_model: model.name,
    calls_direction: 'make',
    engine_type: 'multimodal',
    timezone: 'UTC',
    initial_message: 'Good morning.',
    // These phones speak first, and the assistant would wait.
    initial_message_delay: 0,
    system_prompt: 'You confirm appointments.',
    end_call_on_voicemail: false,
  })) as { data: { id: number; mode: string } };
  expect(made.data.mode).toBe('multimodal');

  const callId = await placeCall(installation, { assistantId: made.data.id, phoneNumber: TALKS });
  const call = await waitForCall(installation, callId, ({ status }) => status === 'completed', 110_000);
  expect(call.ended_reason, call.transcript).toBe('end_call');
  expect(call.transcript).toMatch(/^AI: Good morning\./);
  expect(call.transcript).toContain('Customer: hello');
  expect(call.transcript).toContain('AI: I call about your appointment');
  expect(call.transcript).not.toContain(LONG.trim());
  expect(call.transcript).toMatch(/AI: Then goodbye\.$/);

  const tokens = call.costs.filter(({ stage }) => stage === 'speech_to_speech');
  expect(tokens.map(({ unit }) => unit)).toContain('audio_output_token');
  expect(tokens.every(({ quantity, amount }) => Number(quantity) > 0 && amount === null)).toBe(true);
  expect(call.are_costs_complete).toBe(false); // no price is set for tokens

  const sockets = simulator.requests.filter(({ path }) => provider.socketPath.test(path));
  const outcomes = await Promise.all(sockets.map(async ({ outcome }) => outcome));
  expect(outcomes.every((outcome) => outcome === 'finished')).toBe(true);
  expect(simulator.dialogues).toHaveLength(1);
  expect(simulator.dialogues[0]).toContainEqual(expect.stringMatching(provider.forgets));
  expect(installation.output()).not.toContain(KEY);
});
