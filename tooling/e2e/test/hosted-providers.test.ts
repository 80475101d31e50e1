/**
 * A call through the hosted providers' own protocols: accounts are saved, their voices and models appear in the lookups, and
 * an assistant made of them holds a conversation over real SIP. The providers are our simulators of them, on loopback.
 */
import { pause, systemClock } from '@parley/runtime';
import { AnthropicSimulator, DeepgramSimulator, ElevenLabsSimulator } from '@parley/speech/fakes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { placeCall, waitForCall } from '../src/calls.ts';
import { startInstallation, type Installation } from '../src/installation.ts';

/** See the phone book of `tooling/phones`: answers and talks. */
const TALKS = '+12025550100';
const KEY = 'key-that-must-stay-secret';

const deepgram = new DeepgramSimulator({
  clock: systemClock,
  // The phone says the second and third in one go, with a pause that may or may not end its turn.
  utterances: ['hello', 'yes that is me', 'what is it about', 'I see', 'please go on', 'good bye'],
  isFollowingLevel: true,
});
const elevenLabs = new ElevenLabsSimulator({ clock: systemClock });
const anthropic = new AnthropicSimulator({
  clock: systemClock,
  chat: (body) =>
    JSON.stringify(body['messages']).includes('I see')
      ? { text: 'Then goodbye.', toolCalls: [{ name: 'end_call', arguments: {} }] }
      : { text: 'I call about your appointment tomorrow.' },
});

let installation: Installation;
beforeAll(async () => {
  await Promise.all([deepgram, elevenLabs, anthropic].map(async (simulator) => simulator.start()));
  installation = await startInstallation();
});
afterAll(async () => {
  await installation?.stop();
  await Promise.all([deepgram, elevenLabs, anthropic].map(async (simulator) => simulator.stop()));
});

async function addProvider(kind: string, origin: string): Promise<void> {
  const answer = await installation.request('POST', '/api/user/providers', {
    name: kind,
    kind,
    base_url: origin,
    api_key: KEY,
  });
  expect(answer).toMatchObject({ data: { kind, has_api_key: true, note: null } });
}

/** Waits until the worker has taken a provider's list. */
async function lookUp(list: string, name: string): Promise<{ id: number; name: string }> {
  for (;;) {
    const found = (await installation.request('GET', `/api/user/assistants/${list}`)) as {
      id: number;
      name: string;
    }[];
    const entry = found.find((one) => one.name === name);
    if (entry) return entry;
    await pause(systemClock, 100);
  }
}

async function createAssistant(endpointType: 'vad' | 'ai'): Promise<number> {
  const voice = await lookUp('voices', 'Adam (elevenlabs)');
  const model = await lookUp('models', 'claude-simulated');
  const answer = (await installation.request('POST', '/api/user/assistant', {
    assistant_name: 'Hosted',
    voice_id: voice.id,
    language: 'English',
    llm_model: model.name,
    calls_direction: 'make',
    engine_type: 'pipeline',
    timezone: 'UTC',
    initial_message: 'Good morning.',
    // These phones speak first, and the assistant would wait.
    initial_message_delay: 0,
    system_prompt: 'You confirm appointments.',
    end_call_on_voicemail: false,
    endpoint_type: endpointType,
  })) as { data: { id: number } };
  return answer.data.id;
}

it('accounts are saved with a key that is tested', async () => {
  await addProvider('deepgram', deepgram.origin);
  await addProvider('elevenlabs', elevenLabs.origin);
  await addProvider('anthropic', anthropic.origin);
});

it.each([
  ['by silence', 'vad', '/v1/listen'],
  ['by their meaning', 'ai', '/v2/listen'],
] as const)(
  'a call is held through three of them, the ends of turns found %s',
  async (_how, endpoint, recogniserPath) => {
    const socketsBefore = elevenLabs.requests.length;
    const assistantId = await createAssistant(endpoint);
    const callId = await placeCall(installation, { assistantId, phoneNumber: TALKS });
    const call = await waitForCall(installation, callId, ({ status }) => status === 'completed', 110_000);
    expect(call.ended_reason, call.transcript).toBe('end_call');
    expect(call.transcript).toMatch(/^AI: Good morning\./);
    expect(call.transcript).toContain('Customer: hello');
    expect(call.transcript).toContain('AI: I call about your appointment tomorrow.');
    expect(call.transcript).toMatch(/AI: Then goodbye\.$/);
    const used = new Set(call.costs.filter(({ quantity }) => Number(quantity) > 0).map(({ stage }) => stage));
    expect([...used].toSorted()).toEqual(['carrier', 'evaluation', 'model', 'transcription', 'voice']);

    const listened = deepgram.requests.find(({ path }) => path === recogniserPath);
    expect(listened?.query).toMatchObject({ sample_rate: '8000' });
    expect(await listened?.outcome).toBe('finished');
    const spoken = elevenLabs.requests
      .slice(socketsBefore)
      .filter(({ path }) => path.endsWith('/multi-stream-input'));
    expect(spoken).toHaveLength(1);
    expect(spoken[0]).toMatchObject({
      path: '/v1/text-to-speech/simulated-2/multi-stream-input',
      query: { output_format: 'pcm_8000' },
    });
    expect(await spoken[0]?.outcome).toBe('finished');
    expect(installation.output()).not.toContain(KEY);
  },
);
