/**
 * A call through one model that hears, thinks and speaks: its voices appear when the provider has a key, an assistant of
 * the kind `multimodal` is made of one, and holds a conversation over real SIP. The provider is our simulator of it.
 */
import { pause, systemClock } from '@parley/runtime';
import { OpenAiRealtimeSimulator } from '@parley/speech/fakes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { placeCall, waitForCall } from '../src/calls.ts';
import { startHouse, type House } from '../src/house.ts';

/** See the phone book of `tooling/phones`: answers and talks. */
const TALKS = '+12025550100';
const KEY = 'key-that-nobody-may-see';
/** A pause, and 10 s of sound after it: whoever takes the pause for the end talks into the rest. */
const LONG = `I call about your appointment. … ${'I would like to talk about it for a long while. '.repeat(5)}`;

const openAi = new OpenAiRealtimeSimulator({
  clock: systemClock,
  hear: (index) => ['hello', 'wait', 'yes that is me'][index] ?? 'I see',
  answer: (_dialogue, index) =>
    index === 0
      ? { text: LONG }
      : { text: 'Then goodbye.', toolCalls: [{ name: 'end_call', arguments: {} }] },
});

let house: House;
beforeAll(async () => {
  await openAi.start();
  house = await startHouse();
});
afterAll(async () => {
  await house?.stop();
  await openAi.stop();
});

interface Named {
  id: number;
  name: string;
}

/** Waits until the worker has taken the provider's list. */
async function lookUp(list: string, isIt: (name: string) => boolean): Promise<Named> {
  for (;;) {
    const found = (await house.request('GET', `/api/user/assistants/${list}`)) as Named[];
    const entry = found.find(({ name }) => isIt(name));
    if (entry) return entry;
    await pause(systemClock, 100);
  }
}

it('a call is held by a model that speaks, and forgets what was not heard', async () => {
  await house.request('POST', '/api/user/providers', {
    name: 'OpenAI',
    kind: 'openai',
    base_url: openAi.baseUrl,
    api_key: KEY,
  });
  const voice = await lookUp('voices?mode=multimodal', (name) => name === 'marin, gpt-realtime (OpenAI)');
  const model = await lookUp('models', (name) => name.startsWith('gpt-4o-mini'));
  const made = (await house.request('POST', '/api/user/assistant', {
    assistant_name: 'Speech to speech',
    voice_id: voice.id,
    language: 'English',
    llm_model: model.name,
    calls_direction: 'make',
    engine_type: 'multimodal',
    timezone: 'UTC',
    initial_message: 'Good morning.',
    system_prompt: 'You confirm appointments.',
    end_call_on_voicemail: false,
  })) as { data: { id: number; mode: string } };
  expect(made.data.mode).toBe('multimodal');

  const callId = await placeCall(house, { assistantId: made.data.id, phoneNumber: TALKS });
  const call = await waitForCall(house, callId, ({ status }) => status === 'completed', 110_000);
  expect(call.ended_reason, call.transcript).toBe('end_call');
  expect(call.transcript).toMatch(/^AI: Good morning\./);
  expect(call.transcript).toContain('Customer: hello');
  expect(call.transcript).toContain('AI: I call about your appointment');
  expect(call.transcript).not.toContain(LONG.trim());
  expect(call.transcript).toMatch(/AI: Then goodbye\.$/);

  const sockets = openAi.requests.filter(({ path }) => path === '/v1/realtime');
  expect(sockets).toHaveLength(1);
  expect(await sockets[0]?.outcome).toBe('finished');
  expect(openAi.dialogues[0]).toContainEqual(
    expect.stringMatching(/^assistant: \(\d+ ms of\) I call about/u),
  );
  expect(house.output()).not.toContain(KEY);
});
