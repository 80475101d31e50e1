/**
 * An assistant that requests data from a server during a call over real SIP; the caller hears the result. Model, voice
 * and recogniser are our simulator of OpenAI's protocol; the server is a receiver on loopback.
 */
import { systemClock } from '@parley/runtime';
import { OpenAiSimulator } from '@parley/speech/fakes';
import { startWebhookReceiver, type WebhookReceiver } from '@parley/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { placeCall, waitForCall } from '../src/calls.ts';
import { startInstallation, type Installation } from '../src/installation.ts';
import { addSimulatedModel, createSimulatedAssistant } from '../src/simulated-model.ts';

/** See the phone book of `tooling/phones`: answers and talks. */
const TALKS = '+12025550100';
const SECRET = 'Bearer that-must-stay-secret';

const openai = new OpenAiSimulator({
  clock: systemClock,
  chat: ({ messages }) => {
    const dialogue = JSON.stringify(messages);
    if (!dialogue.includes('HTTP 200'))
      return { toolCalls: [{ name: 'look_up', arguments: { day: 'Monday', sudo: true } }] };
    return { text: 'We open at nine. Goodbye.', toolCalls: [{ name: 'end_call', arguments: {} }] };
  },
});
let hours: WebhookReceiver;
let installation: Installation;
beforeAll(async () => {
  await openai.start();
  hours = await startWebhookReceiver();
  installation = await startInstallation();
});
afterAll(async () => {
  await installation?.stop();
  await hours?.close();
  await openai.stop();
});

async function createAssistant(): Promise<number> {
  await addSimulatedModel(installation, openai);
  return createSimulatedAssistant(installation, {
    assistant_name: 'Hours',
    system_prompt: 'You know the opening hours.',
    tools: [
      {
        type: 'http_request',
        name: 'look_up',
        description: 'Looks up the opening hours of a day.',
        url: hours.url,
        headers: [{ name: 'Authorization', value: SECRET }],
        parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
      },
    ],
  });
}

it('a tool is used in a call, and the caller hears its result', async () => {
  hours.answerNext({ status: 200, body: '{"opens":"09:00"}' });
  const assistantId = await createAssistant();
  const callId = await placeCall(installation, { assistantId, phoneNumber: TALKS });
  const call = await waitForCall(installation, callId, ({ status }) => status === 'completed', 110_000);
  expect(call.ended_reason, call.transcript).toBe('end_call');
  expect(call.transcript).toMatch(/AI: We open at nine\. Goodbye\.$/);
  expect(hours.requests).toMatchObject([
    { method: 'POST', body: '{"day":"Monday"}', headers: { authorization: SECRET } },
  ]);

  const detail = (await installation.request('GET', `/api/user/calls/${callId}`)) as { tool_calls: unknown };
  expect(detail.tool_calls).toMatchObject([
    {
      name: 'look_up',
      arguments: { day: 'Monday' },
      is_error: false,
      result: 'HTTP 200\n{"opens":"09:00"}',
    },
  ]);
  const assistant = await installation.request('GET', `/api/user/assistant/${assistantId}`);
  expect(JSON.stringify(assistant)).not.toContain(SECRET);
  expect(installation.output()).not.toContain(SECRET);
  expect(installation.output()).not.toContain('09:00');
});
