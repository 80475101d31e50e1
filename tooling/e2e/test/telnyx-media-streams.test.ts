/**
 * Calls that a simulated Telnyx streams into an installation: over HTTP and WebSocket only, through the api to the voice
 * process, with the scripted demo assistant.
 */
import { systemClock } from '@parley/runtime';
import { createFliteSynthesiser, type FliteSynthesiser } from '@parley/speech';
import {
  placeTelnyxCall,
  startTelnyx,
  TELNYX_KEY,
  type CarrierSimulator,
  type SimulatedTelnyxCall,
} from '@parley/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitForCall, type CallDetail } from '../src/calls.ts';
import { sayLine, untilAsked } from '../src/carrier-callers.ts';
import { startInstallation, type Installation } from '../src/installation.ts';

const NUMBER = '+13125550146';

interface Row {
  id: number;
  type?: string;
}

let installation: Installation;
let carrier: CarrierSimulator;
let voice: FliteSynthesiser;
let callers = 0;

beforeAll(async () => {
  carrier = await startTelnyx();
  carrier.world.own(NUMBER, `29${carrier.world.nextId()}`);
  voice = createFliteSynthesiser({ clock: systemClock });
  installation = await startInstallation({ environment: { TELNYX_API_URL: carrier.url } });
  const ask = (method: string, path: string, body?: unknown) => installation.request(method, path, body);
  const { data: account } = (await ask('POST', '/api/user/carrier-accounts', {
    name: 'Main',
    kind: 'telnyx',
    secret: TELNYX_KEY,
  })) as { data: Row };
  const path = `/api/user/carrier-accounts/${account.id}`;
  await ask('POST', `${path}/connect`, { inbound_calls: 'media_stream' });
  const imported = (await ask('POST', `${path}/numbers`, { phone_numbers: [NUMBER] })) as { data: Row[] };
  const assistants = (await ask('GET', '/api/user/assistants')) as Row[];
  const assistantId = assistants.find(({ type }) => type === 'inbound')?.id ?? 0;
  await ask('PUT', `/api/user/phone-numbers/${imported.data[0]?.id}/inbound-route`, {
    timezone: 'UTC',
    rules: [],
    otherwise: { type: 'assistant', assistant_id: assistantId },
  });
});

afterAll(async () => {
  await installation?.stop();
  await voice?.stop();
  await carrier?.close();
});

async function ring(options: Partial<SimulatedTelnyxCall> = {}) {
  callers += 1;
  const from = `+1202555018${callers}`;
  const verdict = await placeTelnyxCall(carrier, { from, to: NUMBER, ...options });
  const record = async (status = 'completed'): Promise<CallDetail> => {
    const path = `/api/user/calls?phone_number=${encodeURIComponent(from)}`;
    const list = (await installation.request('GET', path)) as { data: Row[] };
    expect(list.data).toHaveLength(1);
    return waitForCall(installation, list.data[0]?.id ?? 0, (call) => call.status === status);
  };
  if (!('stream' in verdict)) throw new Error(`The call was refused: ${JSON.stringify(verdict)}`);
  return { call: verdict.stream, from, record };
}

it('the assistant books an appointment with a caller whose sound comes out of order, and hangs up', async () => {
  const { call, from, record } = await ring({ burstFrames: 2, swapsFrames: true, repeatsStart: true });
  await untilAsked(call);
  await sayLine(voice, call, 'Wednesday.');
  // Whether the word was understood or not: 3 is Wednesday, and no answer to the next question.
  for (const key of '3211') {
    await untilAsked(call);
    call.press(key);
  }
  expect(await call.ended).toBe(1000);
  expect(call.faults).toEqual([]);
  const detail = await record();
  expect(detail).toMatchObject({
    type: 'inbound',
    client_phone_number: from,
    assistant_phone_number: NUMBER,
    outcome: 'talked',
    ended_by: 'assistant',
  });
  expect(detail.transcript).toMatch(/^AI: Hello, you have reached the demo assistant/);
  expect(detail.transcript).toMatch(/^Customer: \p{L}/mu);
  expect(detail.transcript).toContain('You are booked for Wednesday at three in the afternoon. Goodbye.');
  const recording = await fetch(detail.recording_url ?? '');
  expect((await recording.arrayBuffer()).byteLength).toBeGreaterThan(10 * 32_000);
});

it('a caller who hangs up ends the call; a stream with a guessed ticket hears nothing', async () => {
  const guessed = await ring({ ticket: 'guessed' });
  expect(await guessed.call.ended).toBe(1000);
  expect(guessed.call.heard().every((sample) => sample === 0)).toBe(true);
  const { call, record } = await ring();
  await untilAsked(call);
  call.hangUp();
  expect(await record()).toMatchObject({ ended_reason: 'customer_hung_up' });
});
