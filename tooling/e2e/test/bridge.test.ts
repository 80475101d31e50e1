/**
 * A caller is put through over us, because the carrier refuses REFER: over real SIP and RTP, with tones that each side
 * sends and the other one measures. The model is our simulator of OpenAI's protocol.
 */
import { Framer, readWav, rmsDbfs, tonePurity, type WavSound } from '@parley/audio';
import type { Character, Script } from '@parley/phones';
import { systemClock } from '@parley/runtime';
import { OpenAiSimulator, type SimulatedAnswer } from '@parley/speech/fakes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hasHappened, isOver, placeCall, toolResults, waitForCall } from '../src/calls.ts';
import { startCarrier, tonesOf, type Carrier } from '../src/carrier.ts';
import { startInstallation, type Installation } from '../src/installation.ts';
import { addSimulatedModel, createSimulatedAssistant } from '../src/simulated-model.ts';

/** The called numbers: one that stays, and one that hangs up during the bridge. */
const STAYS = '+12025550110';
const LEAVES = '+12025550111';
/** The transfer destinations. */
const ANN = '+12025550120';
const PATIENT = '+12025550121';
const BUSY = '+12025550122';
const AWAY = '+12025550123';

/** What the colleague plays on answering, and again when the customer's tone is over. */
const GREETING_HZ = 1000;
const COLLEAGUE_HZ = 600;
const CUSTOMER_HZ = 440;
/** The colleague's first tone lasts until the legs are joined, also on a busy machine. */
const GREETING_MS = 12_000;
const TONE_MS = 6000;
/** What must arrive of a tone. On a busy machine packets are late and are dropped; once only 2.9 of 6 seconds arrived. */
const ARRIVES_MS = TONE_MS * 0.2;

const answers = (script: Script): Character => ({ takes: 'answers', ringMs: 200, voice: 'rms', script });
/** Into the colleague's tone: what the assistant says before it is shorter. */
const HEARS_COLLEAGUE: Script = [
  { do: 'listen', pauseMs: 900, patienceMs: 30_000 },
  { do: 'listen-into', speechMs: 4000, patienceMs: 60_000 },
];
const PEOPLE: Record<string, Character> = {
  [STAYS]: answers([
    ...HEARS_COLLEAGUE,
    { do: 'listen', pauseMs: 1000, patienceMs: 30_000 },
    { do: 'beep', hz: CUSTOMER_HZ, ms: TONE_MS },
    { do: 'press', keys: '5' },
    { do: 'wait', ms: 100_000 },
  ]),
  [LEAVES]: answers([...HEARS_COLLEAGUE, { do: 'hang-up' }]),
  [ANN]: answers([
    { do: 'beep', hz: GREETING_HZ, ms: GREETING_MS },
    { do: 'listen', pauseMs: 2000, patienceMs: 30_000 },
    { do: 'beep', hz: COLLEAGUE_HZ, ms: TONE_MS },
    { do: 'hang-up' },
  ]),
  [PATIENT]: answers([
    { do: 'beep', hz: GREETING_HZ, ms: GREETING_MS },
    { do: 'wait', ms: 100_000 },
  ]),
  [BUSY]: { takes: 'refuses', status: 486 },
  [AWAY]: { takes: 'ignores' },
};
const DESTINATIONS = { Ann: ANN, Patient: PATIENT, Busy: BUSY, Away: AWAY };

function answer(messages: unknown): SimulatedAnswer {
  const said = JSON.stringify(messages);
  if (said.includes('The number is busy')) return { text: 'Goodbye.', toolCalls: [call('end_call', {})] };
  const destination = /PUT THROUGH TO (\w+)/.exec(said)?.[1];
  return { text: 'I connect you.', toolCalls: [call('call_transfer', { destination })] };
}
const call = (name: string, given: Record<string, unknown>) => ({ name, arguments: given });

const openai = new OpenAiSimulator({ clock: systemClock, chat: ({ messages }) => answer(messages) });
let installation: Installation;
let carrier: Carrier;

beforeAll(async () => {
  await openai.start();
  installation = await startInstallation();
  carrier = await startCarrier(installation, PEOPLE);
  await addSimulatedModel(installation, openai);
});
afterAll(async () => {
  await installation?.stop();
  await carrier?.stop();
  await openai.stop();
});

/** Calls `from`, who is put through to `to`. @returns the id of the call */
async function transfer(from: string, to: keyof typeof DESTINATIONS): Promise<number> {
  const destinations = Object.entries(DESTINATIONS).map(([name, phone_number]) => ({ name, phone_number }));
  const assistantId = await createSimulatedAssistant(installation, {
    assistant_name: `Operator ${from} ${to}`,
    record_call: true,
    system_prompt: `PUT THROUGH TO ${to}`,
    re_engagement_interval: 7,
    tools: [{ type: 'call_transfer', destinations }],
  });
  return placeCall(installation, { assistantId, phoneNumber: from });
}

const finished = (callId: number) => waitForCall(installation, callId, isOver, 110_000);
const bridged = (callId: number) =>
  waitForCall(installation, callId, hasHappened('call_bridge_answered'), 60_000);

it('both legs receive the audio and keys of the other, and a hang-up on one ends both', async () => {
  const since = systemClock.now();
  const callId = await transfer(STAYS, 'Ann');
  const record = await finished(callId);
  expect(record).toMatchObject({ ended_by: 'system', ended_reason: 'call_transfer' });
  expect(await toolResults(installation, callId)).toEqual(['The caller was put through.']);
  expect(record.transcript).toMatch(/AI: I[^\n]*$/);
  const heard = async (number: string) => (await carrier.seen(number, since)).sound;
  await expect.poll(() => heard(STAYS)).toBeDefined();
  const [customer, colleague] = [await heard(STAYS), await heard(ANN)];
  expect(tonesOf(customer)[COLLEAGUE_HZ]).toBeGreaterThanOrEqual(ARRIVES_MS);
  expect(tonesOf(colleague)[CUSTOMER_HZ]).toBeGreaterThanOrEqual(ARRIVES_MS);
  expect(colleague?.['keys']).toBe('5');
  expect((await carrier.seen(STAYS, since)).requests).toEqual(['INVITE', 'ACK', 'REFER', 'BYE']);
  expect(record.costs.filter(({ stage }) => stage === 'carrier')).toHaveLength(2);
  const recorded = await recording(record.recording_url ?? '');
  expect(toneMs(recorded, 0, CUSTOMER_HZ)).toBeGreaterThanOrEqual(ARRIVES_MS);
  expect(toneMs(recorded, 1, COLLEAGUE_HZ)).toBeGreaterThanOrEqual(ARRIVES_MS);
});

async function recording(url: string): Promise<WavSound> {
  return readWav(new Uint8Array(await (await fetch(url)).arrayBuffer()));
}

/** How long a pure tone is on a channel, milliseconds. */
function toneMs({ channels, sampleRateHz }: WavSound, channel: number, hz: number): number {
  let windows = 0;
  const window = new Framer(sampleRateHz / 10);
  window.push(channels[channel] ?? new Int16Array(0), (sound) => {
    if (rmsDbfs(sound) > -40 && tonePurity(sound, hz, sampleRateHz) > 0.9) windows++;
  });
  return windows * 100;
}

it('the customer hangs up: the other one is hung up too', async () => {
  const since = systemClock.now();
  const record = await finished(await transfer(LEAVES, 'Patient'));
  expect(record.ended_reason).toBe('call_transfer');
  await expect
    .poll(async () => (await carrier.seen(PATIENT, since)).requests)
    .toEqual(['INVITE', 'ACK', 'BYE']);
});

it('a busy destination is not dialed again, and the conversation continues', async () => {
  const callId = await transfer(STAYS, 'Busy');
  expect(await finished(callId)).toMatchObject({ ended_reason: 'end_call' });
  expect(await toolResults(installation, callId)).toEqual(['The number is busy.']);
});

it('ending a call cancels the ringing second leg', async () => {
  const since = systemClock.now();
  const callId = await transfer(STAYS, 'Away');
  await expect
    .poll(async () => (await carrier.seen(AWAY, since)).requests, { timeout: 60_000 })
    .toEqual(['INVITE']);
  await installation.request('POST', `/api/user/calls/${callId}/hang-up`);
  expect(await finished(callId)).toMatchObject({ ended_reason: 'hang_up_requested' });
  await expect
    .poll(async () => (await carrier.seen(AWAY, since)).requests)
    .toEqual(['INVITE', 'CANCEL', 'ACK']);
});

it('a bridge that an operator ends ends for both', async () => {
  const since = systemClock.now();
  const callId = await transfer(STAYS, 'Patient');
  await bridged(callId);
  await installation.request('POST', `/api/user/calls/${callId}/hang-up`);
  expect(await finished(callId)).toMatchObject({ ended_reason: 'hang_up_requested' });
  for (const number of [STAYS, PATIENT])
    await expect.poll(async () => (await carrier.seen(number, since)).requests).toContain('BYE');
});

it('voice is killed: both are said goodbye to before they notice the silence', async () => {
  const since = systemClock.now();
  const callId = await transfer(STAYS, 'Patient');
  await bridged(callId);
  process.kill((await installation.processes())['voice'] ?? 0, 'SIGKILL');
  // A phone that receives no audio hangs up after 20 s; then we would send no BYE.
  for (const number of [STAYS, PATIENT])
    await expect
      .poll(async () => (await carrier.seen(number, since)).requests, { timeout: 60_000 })
      .toContain('BYE');
  expect(await finished(callId)).toMatchObject({ ended_reason: expect.stringMatching(/lost/) as string });
});
