/**
 * The first call with a local language model, of a server that neither transcribes nor speaks: the built-in recogniser takes
 * over in the call, and the built-in voice speaks. The server is our simulator, on loopback.
 */
import { systemClock } from '@parley/runtime';
import { OpenAiSimulator } from '@parley/speech/fakes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitForCall } from '../src/calls.ts';
import { startInstallation, type Installation } from '../src/installation.ts';
import { startStranger } from '../src/stranger.ts';

const NUMBER = '+12025550120';
const local = new OpenAiSimulator({
  clock: systemClock,
  chat: ({ messages }) => {
    const said = (messages as { role: string; content: unknown }[]).filter(({ role }) => role === 'user');
    return JSON.stringify(said).includes('open')
      ? { text: 'We open at nine. Goodbye.', toolCalls: [{ name: 'end_call', arguments: {} }] }
      : { text: 'Could you say that again?' };
  },
  faultFor: ({ path }) =>
    path === '/v1/chat/completions' ? undefined : { type: 'status', status: 404, message: 'no such route' },
});
let installation: Installation;
let phone: Awaited<ReturnType<typeof startStranger>>;
beforeAll(async () => {
  await local.start();
  [installation, phone] = await Promise.all([startInstallation(), startStranger()]);
});
afterAll(async () => {
  await phone?.stop();
  await installation?.stop();
  await local.stop();
});

interface Named {
  id: number;
}

async function createAssistant(): Promise<void> {
  const post = async (path: string, body: unknown): Promise<Named> =>
    ((await installation.request('POST', path, body)) as { data: Named }).data;
  await post('/api/user/providers', {
    name: 'Local',
    kind: 'openai-compatible',
    base_url: local.baseUrl,
    models: [{ name: 'local' }],
  });
  const [trunk] = (await installation.request('GET', '/api/user/phone-numbers/sip-trunks')) as Named[];
  const [voice] = (await installation.request('GET', '/api/user/assistants/voices?mode=pipeline')) as Named[];
  const number = await post('/api/user/phone-numbers', { phone_number: NUMBER, sip_trunk_id: trunk?.id });
  await post('/api/user/assistant', {
    assistant_name: 'Hours',
    phone_number_id: number.id,
    voice_id: voice?.id,
    llm_model: 'local',
    language: 'English',
    calls_direction: 'receive',
    engine_type: 'pipeline',
    timezone: 'UTC',
    initial_message: 'Good morning.',
    system_prompt: 'You know the opening hours.',
  });
}

it('a local model without transcription understands the caller', async () => {
  await createAssistant();
  const listen = { do: 'listen', pauseMs: 900, patienceMs: 20_000 } as const;
  const ask = { do: 'say', line: 'Can you tell me when you open?' } as const;
  const caller = phone.call({
    to: NUMBER,
    from: '+12025550140',
    host: '127.0.0.1',
    port: installation.sipPort,
    transport: 'tcp',
    // Twice, because a slow machine may load the model of the recogniser for longer than the assistant waits.
    script: [listen, ask, listen, ask, { do: 'wait', ms: 60_000 }, { do: 'hang-up' }],
  });
  await caller.ended;
  const { data } = (await installation.request('GET', '/api/user/calls?type=inbound')) as { data: Named[] };
  const call = await waitForCall(installation, data[0]?.id ?? 0, ({ status }) => status === 'completed');
  expect(call.transcript).toMatch(/Customer: .*open/);
  expect(call.transcript).toMatch(/AI: We open at nine\. Goodbye\.$/);
  expect(call.ended_reason).toBe('end_call');
});
