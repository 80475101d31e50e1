/**
 * A call that hears and speaks through a server of speech on this machine, which was found by itself: its voice and its
 * transcription are in the lists, and an assistant is made of them. The server is our simulator of Speaches, on loopback; the
 * language model is another one, which does neither.
 */
import { pause, systemClock } from '@parley/runtime';
import { OpenAiSimulator, SPEACHES_MODELS, SpeachesSimulator } from '@parley/speech/fakes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitForCall } from '../src/calls.ts';
import { startInstallation, type Installation } from '../src/installation.ts';
import { startStranger } from '../src/stranger.ts';

const NUMBER = '+12025550120';
/** Nothing that the built-in recogniser could hear. */
const HEARD = 'gibberish that only the server says';

const speech = new SpeachesSimulator({ clock: systemClock, transcribe: () => HEARD });
const model = new OpenAiSimulator({
  clock: systemClock,
  chat: ({ messages }) =>
    JSON.stringify(messages).includes(HEARD)
      ? { text: 'We open at nine. Goodbye.', toolCalls: [{ name: 'end_call', arguments: {} }] }
      : { text: 'Could you say that again?' },
});
let installation: Installation;
let phone: Awaited<ReturnType<typeof startStranger>>;
beforeAll(async () => {
  await Promise.all([speech.start(), model.start()]);
  const LOCAL_MODELS = new URL(speech.origin).port;
  [installation, phone] = await Promise.all([
    startInstallation({ environment: { LOCAL_MODELS } }),
    startStranger(),
  ]);
});
afterAll(async () => {
  await phone?.stop();
  await installation?.stop();
  await Promise.all([speech.stop(), model.stop()]);
});

interface Named {
  id: number;
  name: string;
}

/** Waits until the worker has found the server. */
async function lookUp(path: string, name: string): Promise<Named> {
  for (;;) {
    const found = ((await installation.request('GET', path)) as Named[]).find((one) => one.name === name);
    if (found) return found;
    await pause(systemClock, 100);
  }
}

it('a server of speech that was found hears the caller and speaks', async () => {
  const post = async (path: string, body: unknown): Promise<Named> =>
    ((await installation.request('POST', path, body)) as { data: Named }).data;
  const provider = await lookUp('/api/user/providers', 'Speaches (found on this machine)');
  expect(provider).toMatchObject({ is_found: true, transcription_model: SPEACHES_MODELS.transcription });
  const voice = await lookUp(
    '/api/user/assistants/voices',
    'lessac, piper-en_US-lessac-medium (Speaches on this machine)',
  );
  await post('/api/user/providers', {
    name: 'Local',
    kind: 'openai-compatible',
    base_url: model.baseUrl,
    models: [{ name: 'local' }],
  });
  const [trunk] = (await installation.request('GET', '/api/user/phone-numbers/sip-trunks')) as Named[];
  const number = await post('/api/user/phone-numbers', { phone_number: NUMBER, sip_trunk_id: trunk?.id });
  await post('/api/user/assistant', {
    assistant_name: 'Hours',
    phone_number_id: number.id,
    voice_id: voice.id,
    transcriber_provider_id: provider.id,
    llm_model: 'local',
    language: 'English',
    calls_direction: 'receive',
    engine_type: 'pipeline',
    timezone: 'UTC',
    initial_message: 'Good morning.',
    system_prompt: 'You know the opening hours.',
  });
  const listen = { do: 'listen', pauseMs: 900, patienceMs: 20_000 } as const;
  const caller = phone.call({
    to: NUMBER,
    from: '+12025550140',
    host: '127.0.0.1',
    port: installation.sipPort,
    transport: 'tcp',
    script: [
      listen,
      { do: 'say', line: 'Can you tell me when you open?' },
      { do: 'wait', ms: 60_000 },
      { do: 'hang-up' },
    ],
  });
  await caller.ended;
  const { data } = (await installation.request('GET', '/api/user/calls?type=inbound')) as { data: Named[] };
  const call = await waitForCall(installation, data[0]?.id ?? 0, ({ status }) => status === 'completed');
  expect(call.transcript).toContain(`Customer: ${HEARD}`);
  expect(call.transcript).toMatch(/AI: We open at nine\. Goodbye\.$/);
  expect(call.ended_reason).toBe('end_call');
  expect(call.events.filter(({ type }) => type === 'provider_failed')).toEqual([]);
  const bodies = (path: string) => speech.requests.filter((one) => one.path === path).map(({ body }) => body);
  expect(bodies('/v1/audio/transcriptions')[0]).toMatchObject({ model: SPEACHES_MODELS.transcription });
  expect(bodies('/v1/audio/speech')).toContainEqual(
    expect.objectContaining({ model: SPEACHES_MODELS.speech, voice: 'lessac', sample_rate: 24_000 }),
  );
});
