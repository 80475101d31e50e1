/**
 * Calls that a simulated Twilio streams into an installation: over HTTP and WebSocket only, through the api to the voice
 * process, with the scripted demo assistant.
 */
import { rmsDbfs } from '@parley/audio';
import { pause, systemClock } from '@parley/runtime';
import { createFliteSynthesiser, type FliteSynthesiser } from '@parley/speech';
import {
  placeTwilioCall,
  startTwilio,
  TWILIO_ACCOUNT,
  type CarrierSimulator,
  type SimulatedCall,
  type StreamedCall,
} from '@parley/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitForCall, type CallDetail } from '../src/calls.ts';
import { sayLine, untilAsked } from '../src/carrier-callers.ts';
import { startInstallation, type Installation } from '../src/installation.ts';

const NUMBER = '+13125550142';

interface Row {
  id: number;
  type?: string;
}

let installation: Installation;
let carrier: CarrierSimulator;
let voice: FliteSynthesiser;
let callers = 0;

beforeAll(async () => {
  carrier = await startTwilio();
  carrier.world.own(NUMBER, `PN${carrier.world.nextId()}`);
  voice = createFliteSynthesiser({ clock: systemClock });
  installation = await startInstallation({ environment: { TWILIO_API_URL: carrier.url } });
  const ask = (method: string, path: string, body?: unknown) => installation.request(method, path, body);
  const { data: account } = (await ask('POST', '/api/user/carrier-accounts', {
    name: 'Main',
    kind: 'twilio',
    account_sid: TWILIO_ACCOUNT.sid,
    secret: TWILIO_ACCOUNT.token,
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

async function ring(options: Partial<SimulatedCall> = {}) {
  callers += 1;
  const from = `+1202555017${callers}`;
  const verdict = await placeTwilioCall(carrier, { from, to: NUMBER, ...options });
  const record = async (status = 'completed'): Promise<CallDetail> => {
    const path = `/api/user/calls?phone_number=${encodeURIComponent(from)}`;
    const list = (await installation.request('GET', path)) as { data: Row[] };
    expect(list.data).toHaveLength(1);
    return waitForCall(installation, list.data[0]?.id ?? 0, (call) => call.status === status);
  };
  if (!('stream' in verdict)) throw new Error(`The call was refused: ${JSON.stringify(verdict)}`);
  return { call: verdict.stream, from, record };
}

const say = (call: StreamedCall, line: string) => sayLine(voice, call, line);

it('the assistant books an appointment with a caller, and hangs up; the record has both sides and a recording', async () => {
  const { call, from, record } = await ring({ repeatsStart: true });
  await untilAsked(call);
  await say(call, 'Wednesday.');
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
  expect(detail.transcript).toContain('Customer: [pressed 2]');
  expect(detail.transcript).toContain('You are booked for Wednesday at three in the afternoon. Goodbye.');
  const recording = await fetch(detail.recording_url ?? '');
  expect(recording.status).toBe(200);
  expect((await recording.arrayBuffer()).byteLength).toBeGreaterThan(10 * 32_000);
});

it('a caller who speaks while the assistant does interrupts it, and hangs up', async () => {
  const { call, record } = await ring({ burstFrames: 3 });
  await expect.poll(() => rmsDbfs(call.heard().slice(-8_000)), { timeout: 20_000 }).toBeGreaterThan(-40);
  await say(call, 'Excuse me, I would like to come on Monday.');
  await expect.poll(() => call.counts['clear'] ?? 0, { timeout: 20_000 }).toBeGreaterThan(0);
  await pause(systemClock, 500);
  call.hangUp();
  expect(await record()).toMatchObject({ ended_reason: 'customer_hung_up' });
});

it('a connection that breaks, and one that never comes, end their calls', async () => {
  const { call, record } = await ring();
  await expect.poll(() => rmsDbfs(call.heard().slice(-8_000)), { timeout: 20_000 }).toBeGreaterThan(-40);
  call.drop();
  expect(await record()).toMatchObject({ ended_reason: 'line_lost' });
  const absent = await ring({ neverConnects: true });
  expect(await absent.record('failed')).toMatchObject({ ended_reason: 'not_connected' });
});

it('a stream with a wrong ticket, and a request with a wrong signature, are refused', async () => {
  const { call } = await ring({ ticket: 'guessed' });
  expect(await call.ended).toBe(1000);
  expect(call.heard().every((sample) => sample === 0)).toBe(true);
  const forged = { from: '+12025550179', to: NUMBER, token: 'another token' };
  expect(await placeTwilioCall(carrier, forged)).toEqual({ status: 404 });
});
