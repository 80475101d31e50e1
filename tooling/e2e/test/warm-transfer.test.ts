/**
 * Warm transfers over real SIP and RTP: the assistant calls a person, tells them who is calling, and connects the caller
 * only if they accept. The model is our simulator of OpenAI's protocol, the people are simulated phones behind a carrier.
 */
import { tone, wavHeader } from '@parley/audio';
import type { Character, Script } from '@parley/phones';
import { systemClock } from '@parley/runtime';
import { OpenAiSimulator, type SimulatedAnswer } from '@parley/speech/fakes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hasHappened, isOver, placeCall, toolResults, waitForCall } from '../src/calls.ts';
import { startCarrier, tonesOf, type Carrier } from '../src/carrier.ts';
import { startInstallation, type Installation } from '../src/installation.ts';
import { addSimulatedModel, createSimulatedAssistant } from '../src/simulated-model.ts';

/** The callers: one that waits for the colleague's tone and answers it, one that only waits, and one that hangs up. */
const TALKS = '+12025550110';
const WAITS = '+12025550111';
const LEAVES = '+12025550112';
/** The people that are called. */
const ANN = '+12025550120';
const REFUSES = '+12025550121';
const BUSY = '+12025550122';
const AWAY = '+12025550123';
const HANGS_UP = '+12025550124';
const MACHINE = '+12025550125';
const SILENT = '+12025550126';

const COLLEAGUE_HZ = 600;
const CUSTOMER_HZ = 440;
const TONE_MS = 6000;
/** What must arrive of a tone. On a busy machine packets are late and are dropped. */
const ARRIVES_MS = TONE_MS * 0.2;

const answers = (script: Script): Character => ({ takes: 'answers', ringMs: 200, voice: 'rms', script });
const HEARS_IT = { do: 'listen', pauseMs: 1500, patienceMs: 60_000 } as const;
const STAYS = { do: 'wait', ms: 100_000 } as const;
const PEOPLE: Record<string, Character> = {
  [TALKS]: answers([
    { do: 'listen-into', speechMs: 25_000, patienceMs: 90_000 },
    { do: 'beep', hz: CUSTOMER_HZ, ms: TONE_MS },
    STAYS,
  ]),
  [WAITS]: answers([STAYS]),
  [LEAVES]: answers([
    { do: 'listen', pauseMs: 900, patienceMs: 30_000 },
    { do: 'wait', ms: 10_000 },
    { do: 'hang-up' },
  ]),
  [ANN]: answers([
    HEARS_IT,
    { do: 'press', keys: '1' },
    { do: 'wait', ms: 2000 },
    ...Array.from({ length: 8 }, () => ({ do: 'beep', hz: COLLEAGUE_HZ, ms: TONE_MS }) as const),
    { do: 'hang-up' },
  ]),
  [REFUSES]: answers([HEARS_IT, { do: 'press', keys: '2' }, STAYS]),
  [BUSY]: { takes: 'refuses', status: 486 },
  [AWAY]: { takes: 'ignores' },
  [HANGS_UP]: answers([{ do: 'listen-into', speechMs: 500, patienceMs: 60_000 }, { do: 'hang-up' }]),
  [MACHINE]: answers([
    { do: 'say', line: 'You have reached the mailbox of Ann. I am not available at the moment.' },
    { do: 'say', line: 'Please leave a message after the tone.' },
    { do: 'beep', hz: 1000, ms: 400 },
    STAYS,
  ]),
  [SILENT]: answers([STAYS]),
};
const DESTINATIONS = {
  Ann: ANN,
  Refuses: REFUSES,
  Busy: BUSY,
  Away: AWAY,
  HangsUp: HANGS_UP,
  Machine: MACHINE,
  Silent: SILENT,
};
const UNAVAILABLE = 'Sorry, nobody can take your call.';
const PRESS = 'Press 1 to take it.';
/** Sentences of which a recording is played, a tone of this frequency. */
const RECORDED = { [PRESS]: 1000, [UNAVAILABLE]: 400 };
const RECORDED_MS = 2000;

function answer(messages: unknown): SimulatedAnswer {
  const said = JSON.stringify(messages);
  if (said.includes('has just been told')) return { text: 'Goodbye.', toolCalls: [call('end_call', {})] };
  const destination = /PUT THROUGH TO (\w+)/.exec(said)?.[1];
  const given = { destination, summary: 'A customer wants to order a pizza.' };
  return { text: 'One moment, I ask.', toolCalls: [call('warm_call_transfer', given)] };
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

/** Calls `from`, who is to be connected to `to`. @returns the id of the call */
async function transfer(from: string, to: keyof typeof DESTINATIONS): Promise<number> {
  const destinations = Object.entries(DESTINATIONS).map(([name, phone_number]) => ({ name, phone_number }));
  const assistantId = await createSimulatedAssistant(installation, {
    assistant_name: `Operator ${from} ${to}`,
    system_prompt: `PUT THROUGH TO ${to}`,
    re_engagement_interval: 7,
    tools: [
      {
        type: 'warm_call_transfer',
        destinations,
        announcement: `A call for you. {{summary}} ${PRESS}`,
        accept_timeout_seconds: 20,
        unavailable_message: UNAVAILABLE,
      },
    ],
  });
  for (const [text, hz] of Object.entries(RECORDED)) await record(assistantId, text, hz);
  return placeCall(installation, { assistantId, phoneNumber: from });
}

/** Adds a recording of a sentence, and waits until calls play it. */
async function record(assistantId: number, text: string, hz: number): Promise<void> {
  const sampleRateHz = 16_000;
  const samples = tone({ hz, sampleRateHz, samples: (RECORDED_MS * sampleRateHz) / 1000 });
  const header = wavHeader({ channelCount: 1, sampleRateHz, dataBytes: samples.byteLength });
  const file = Buffer.concat([header, new Uint8Array(samples.buffer)]).toString('base64');
  const path = `/api/user/assistants/${assistantId}/recorded-phrases`;
  await installation.request('POST', path, { text, file });
  const states = async (): Promise<unknown[]> => {
    const { data } = (await installation.request('GET', path)) as {
      data: { text: string; status: string }[];
    };
    return data.filter((phrase) => phrase.text === text).map(({ status }) => status);
  };
  await expect.poll(states, { timeout: 30_000 }).toEqual(['active']);
}

const finished = (callId: number) => waitForCall(installation, callId, isOver, 110_000);

it('a person who accepts is connected to the caller, and the assistant leaves', async () => {
  const since = systemClock.now();
  const callId = await transfer(TALKS, 'Ann');
  const record = await finished(callId);
  expect(await toolResults(installation, callId)).toEqual(['The caller was put through.']);
  expect(record).toMatchObject({ ended_by: 'system', ended_reason: 'call_transfer' });
  const types = record.events.map(({ type }) => type).filter((type) => type.startsWith('call_bridge'));
  expect(types).toEqual(['call_bridge', 'call_bridge_answered', 'call_bridge_joined']);
  const heard = async (number: string) => (await carrier.seen(number, since)).sound;
  await expect.poll(() => heard(TALKS)).toBeDefined();
  expect(tonesOf(await heard(TALKS))[COLLEAGUE_HZ]).toBeGreaterThanOrEqual(ARRIVES_MS);
  expect(tonesOf(await heard(ANN))[CUSTOMER_HZ]).toBeGreaterThanOrEqual(ARRIVES_MS);
  expect(tonesOf(await heard(ANN))[RECORDED[PRESS] ?? 0]).toBeGreaterThanOrEqual(RECORDED_MS * 0.2);
  expect((await carrier.seen(TALKS, since)).requests).toEqual(['INVITE', 'ACK', 'BYE']);
  expect(record.costs.filter(({ stage }) => stage === 'carrier')).toHaveLength(2);
});

it.each([
  ['Refuses', 'declined', /^The person answered and does not take the call\./],
  ['HangsUp', 'remote_hang_up', /^The person answered and hung up/],
  ['Machine', 'machine', /^An answering machine answered/],
  ['Silent', 'no_decision', /nobody accepted the call in time/],
  ['Busy', 'busy', /^The number is busy\./],
] as const)('%s: the assistant comes back to the caller and says so', async (to, reason, result) => {
  const since = systemClock.now();
  const callId = await transfer(WAITS, to);
  const record = await finished(callId);
  expect(await toolResults(installation, callId)).toEqual([expect.stringMatching(result)]);
  expect(record.ended_reason).toBe('end_call');
  expect(record.transcript).toMatch(
    /One moment, I ask\.[^]*Sorry, nobody can take your call\.[^]*Goodbye\.$/,
  );
  const ends = record.events.filter(({ type }) => type === 'call_bridge_ended');
  expect(ends).toMatchObject([{ detail: { reason } }]);
  const wasAnswered = to !== 'Busy';
  const heard = async () =>
    tonesOf((await carrier.seen(WAITS, since)).sound)[RECORDED[UNAVAILABLE] ?? 0] ?? 0;
  await expect.poll(heard).toBeGreaterThanOrEqual(RECORDED_MS * 0.2);
  expect(record.costs.filter(({ stage }) => stage === 'carrier')).toHaveLength(wasAnswered ? 2 : 1);
  const { requests } = await carrier.seen(DESTINATIONS[to], since);
  const hungUp = to === 'HangsUp' ? ['INVITE', 'ACK'] : ['INVITE', 'ACK', 'BYE'];
  expect(requests).toEqual(wasAnswered ? hungUp : ['INVITE', 'ACK']);
});

it('the caller hangs up while the person is being called: the call to the person is cancelled', async () => {
  const since = systemClock.now();
  await finished(await transfer(LEAVES, 'Away'));
  await expect
    .poll(async () => (await carrier.seen(AWAY, since)).requests)
    .toEqual(['INVITE', 'CANCEL', 'ACK']);
});

it('voice is killed while the person is asked: both are said goodbye to', async () => {
  const since = systemClock.now();
  const callId = await transfer(WAITS, 'Silent');
  await waitForCall(installation, callId, hasHappened('call_bridge_answered'), 60_000);
  process.kill((await installation.processes())['voice'] ?? 0, 'SIGKILL');
  for (const number of [WAITS, SILENT])
    await expect
      .poll(async () => (await carrier.seen(number, since)).requests, { timeout: 60_000 })
      .toContain('BYE');
  expect(await finished(callId)).toMatchObject({ ended_reason: expect.stringMatching(/lost/) as string });
});
