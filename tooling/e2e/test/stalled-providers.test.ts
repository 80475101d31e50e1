/**
 * Providers that stall, break off or refuse in the middle of a call over real SIP: the caller soon hears a filler, then
 * the replacement provider or a polite goodbye, and never a long silence (R47). Measured from the sound at the far end; what
 * the product reports is only compared with it. The providers are our simulators, on loopback; all calls run at once.
 */
import { longestOf, silencesOf, type Phone } from '@parley/phones';
import { systemClock } from '@parley/runtime';
import {
  DeepgramSimulator,
  OpenAiSimulator,
  type SimulatedFault,
  type SimulatedRequest,
} from '@parley/speech/fakes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitForCall, type CallDetail } from '../src/calls.ts';
import { startInstallation, type Installation } from '../src/installation.ts';
import { startStranger } from '../src/stranger.ts';

/** The maximum silence for a waiting caller (R47). */
const DEAD_AIR_MS = 4000;
/** The way there and back, and what a busy machine adds. */
const SLACK_MS = 1000;
/** From the caller's last word: the default wait for the end of a turn, then 1.5 s. */
const FIRST_SOUND_MS = 500 + 1500 + SLACK_MS;
/** The same to the last sound of a goodbye that begins within 6 s and takes 3.2 s. */
const GOODBYE_MS = 500 + 6000 + 3200 + SLACK_MS;

const ANSWER = 'We open at nine. We close at six, and never before that. Goodbye.';
const TOO_MANY = { type: 'status', status: 429, message: 'slow down' } as const;
const NEVER: SimulatedFault = { type: 'stall', after: 0 };

/** What goes wrong after the caller's second sentence, and how often. */
interface Trouble {
  fault: SimulatedFault;
  times: number;
}
/** The faults of models, by the name of the model that a call uses. */
const MODEL_TROUBLES: Record<string, Trouble> = {
  'hangs once': { fault: NEVER, times: 1 },
  'hangs permanently': { fault: NEVER, times: Infinity },
  // Behind the role and "We open at nine. We".
  'hangs in the middle': { fault: { type: 'stall', after: 6 }, times: 1 },
  'breaks in the middle': { fault: { type: 'half-close', after: 6 }, times: 1 },
  'refuses permanently': { fault: TOO_MANY, times: Infinity },
};
/** The faults of voices, by the name of the voice. It fails in the second sentence, sometimes after half a second of it. */
const VOICE_TROUBLES: Record<string, Trouble> = {
  'is silent': { fault: NEVER, times: Infinity },
  'stalls in a sentence': { fault: { type: 'stall', after: 5 }, times: Infinity },
  'breaks in a sentence': { fault: { type: 'half-close', after: 5 }, times: Infinity },
  'refuses a sentence': { fault: TOO_MANY, times: Infinity },
};

const happened = new Map<string, number>();
function due(name: unknown, troubles: Record<string, Trouble>): SimulatedFault | undefined {
  const trouble = troubles[String(name)];
  const times = happened.get(String(name)) ?? 0;
  if (!trouble || times >= trouble.times) return undefined;
  happened.set(String(name), times + 1);
  return trouble.fault;
}

const turnOf = (body: SimulatedRequest['body']): number =>
  ((body['messages'] ?? []) as { role: string }[]).filter(({ role }) => role === 'user').length;

const speakers = new OpenAiSimulator({
  clock: systemClock,
  chat: (body) =>
    turnOf(body) < 2
      ? { text: 'Yes, please?' }
      : { text: ANSWER, toolCalls: [{ name: 'end_call', arguments: {} }] },
  faultFor: ({ path, body }) => {
    if (path === '/v1/chat/completions' && turnOf(body) > 1) return due(body['model'], MODEL_TROUBLES);
    return String(body['input']).startsWith('We close') ? due(body['voice'], VOICE_TROUBLES) : undefined;
  },
});
/** Words that ask for more: no reply to them is made ahead, so the trouble comes when the caller waits. */
const HEARD = ['hello', 'tell me when you open and'];
const recogniser = (fault?: SimulatedFault): DeepgramSimulator =>
  new DeepgramSimulator({
    clock: systemClock,
    utterances: HEARD,
    faultFor: ({ path }) => (path === '/v1/listen' ? fault : undefined),
  });
const good = recogniser();
/** The recognisers, by the name of the account. The first one works and replaces the others. */
const RECOGNISERS = { good, silent: recogniser(NEVER), torn: recogniser({ type: 'half-close', after: 1 }) };
const simulators = [speakers, ...Object.values(RECOGNISERS)];

let installation: Installation;
let phone: Phone;
beforeAll(async () => {
  await Promise.all(simulators.map(async (simulator) => simulator.start()));
  [installation, phone] = await Promise.all([startInstallation(), startStranger()]);
  await addProviders();
});
afterAll(async () => {
  await phone?.stop();
  await installation?.stop();
  await Promise.all(simulators.map(async (simulator) => simulator.stop()));
});

interface Named {
  id: number;
  name: string;
}
const providerIds = new Map<string, number>();
const voiceIds = new Map<string, number>();

async function addProviders(): Promise<void> {
  const add = async (body: Record<string, unknown>): Promise<void> => {
    const answer = await installation.request('POST', '/api/user/providers', { api_key: 'key', ...body });
    const { data } = answer as { data: Named };
    providerIds.set(data.name, data.id);
  };
  for (const [name, { origin }] of Object.entries(RECOGNISERS))
    await add({ name, kind: 'deepgram', base_url: origin });
  const named = (names: string[]): { name: string }[] => ['healthy', ...names].map((name) => ({ name }));
  await add({
    name: 'Speakers',
    kind: 'openai-compatible',
    base_url: speakers.baseUrl,
    models: named(Object.keys(MODEL_TROUBLES)),
    voices: named(Object.keys(VOICE_TROUBLES)),
  });
  const voices = (await installation.request('GET', '/api/user/assistants/voices')) as Named[];
  for (const { id, name } of voices) voiceIds.set(name, id);
}

interface Providers {
  model?: string;
  voice?: string;
  recogniser?: keyof typeof RECOGNISERS;
}

/** @returns the number of an assistant that is made of them */
async function createAssistantFor(providers: Providers, place: number): Promise<string> {
  const number = `+120255501${20 + place}`;
  const post = async (path: string, body: unknown): Promise<{ data: Named }> =>
    (await installation.request('POST', path, body)) as { data: Named };
  const trunks = (await installation.request('GET', '/api/user/phone-numbers/sip-trunks')) as Named[];
  const line = await post('/api/user/phone-numbers', { phone_number: number, sip_trunk_id: trunks[0]?.id });
  const { model = 'healthy', voice = 'healthy', recogniser: account = 'good' } = providers;
  await post('/api/user/assistant', {
    assistant_name: `Assistant ${place}`,
    phone_number_id: line.data.id,
    transcriber_provider_id: providerIds.get(account),
    voice_id: voiceIds.get(voice),
    llm_model: model,
    language: 'English',
    calls_direction: 'receive',
    engine_type: 'pipeline',
    timezone: 'UTC',
    initial_message: 'Good morning.',
    system_prompt: 'You know the opening hours.',
  });
  return number;
}

/** The received audio and the record of one call. */
interface Heard {
  /** From the caller's last word to the first sound of the assistant, milliseconds. */
  firstSoundMs: number;
  /** To its last one. */
  lastSoundMs: number;
  deadAirMs: number;
  call: CallDetail;
}

const LISTEN = { do: 'listen', pauseMs: 900, patienceMs: 8000 } as const;

/** Speaks two sentences and then listens. */
async function callWith(providers: Providers, place: number): Promise<Heard> {
  const to = await createAssistantFor(providers, place);
  const from = `+120255501${40 + place}`;
  const person = phone.call({
    to,
    from,
    host: '127.0.0.1',
    port: installation.sipPort,
    transport: 'tcp',
    script: [
      LISTEN,
      { do: 'say', line: 'Hello, is anybody there?' },
      LISTEN,
      { do: 'say', line: 'Can you tell me when you open?' },
      { do: 'wait', ms: 40_000 },
      { do: 'hang-up' },
    ],
  });
  await person.ended;
  const rateHz = person.leg.media.sampleRateHz;
  const spoken = silencesOf([person.said()], rateHz).at(-1)?.fromMs ?? 0;
  const silences = silencesOf([person.heard(), person.said()], rateHz);
  const soundMs = (person.heard().length * 1000) / rateHz;
  const ended = silences.findLast(({ toMs }) => toMs > soundMs - 20)?.fromMs ?? soundMs;
  const first = silences.find(({ fromMs }) => fromMs >= spoken);
  return {
    firstSoundMs: (first?.toMs ?? Infinity) - spoken,
    lastSoundMs: ended - spoken,
    deadAirMs: longestOf(silences.filter(({ fromMs }) => fromMs > 0 && fromMs < ended)),
    call: await recordOf(from),
  };
}

async function recordOf(from: string): Promise<CallDetail> {
  const list = (await installation.request('GET', '/api/user/calls?type=inbound&per_page=100')) as {
    data: { id: number; client_phone_number: string }[];
  };
  const id = list.data.find((call) => call.client_phone_number === from)?.id ?? 0;
  return waitForCall(installation, id, ({ status }) => status === 'completed');
}

const WHOLE_ANSWER = /AI: We open at nine\.(?:\nAI:.*)? We close at six, and never before that\. Goodbye\.$/;
const APOLOGY = /AI: I am sorry, we have a technical problem\. [^\n]*Goodbye\.$/;

/** How a call with these providers ends, and who has failed in it. */
type Row = [string, Providers, { reason: string; says: RegExp; failed: string[] }];

const CALLS: Row[] = [
  ['no provider fails', {}, { reason: 'end_call', says: WHOLE_ANSWER, failed: [] }],
  ...Object.entries(MODEL_TROUBLES).map(([model, { times }]): Row => {
    const end =
      times > 1 ? { reason: 'model_failed', says: APOLOGY } : { reason: 'end_call', says: WHOLE_ANSWER };
    return [`the model ${model}`, { model }, { ...end, failed: ['model'] }];
  }),
  ...Object.keys(VOICE_TROUBLES).map((voice): Row => {
    return [`the voice ${voice}`, { voice }, { reason: 'end_call', says: WHOLE_ANSWER, failed: ['voice'] }];
  }),
  ...(['silent', 'torn'] as const).map((account): Row => {
    return [
      `the recogniser is ${account}`,
      { recogniser: account },
      { reason: 'end_call', says: WHOLE_ANSWER, failed: ['recogniser'] },
    ];
  }),
];

describe('in a call in which', () => {
  let heard: Heard[];
  beforeAll(async () => {
    heard = await Promise.all(CALLS.map(async ([, providers], place) => callWith(providers, place)));
  }, 180_000);

  it.each(CALLS.map((row, place) => ({ sentence: row[0], expected: row[2], place })))(
    '$sentence, the caller is not left in silence, and the record says why',
    ({ expected: { reason, says, failed }, place }) => {
      const { firstSoundMs, lastSoundMs, deadAirMs, call } = heard[place] as Heard;
      expect(deadAirMs).toBeLessThanOrEqual(DEAD_AIR_MS);
      expect(firstSoundMs).toBeLessThanOrEqual(FIRST_SOUND_MS);
      expect(call.transcript).toMatch(says);
      expect(call.ended_reason).toBe(reason);
      if (reason === 'model_failed') expect(lastSoundMs).toBeLessThanOrEqual(GOODBYE_MS);
      const reported = call.events.filter(({ type }) => type === 'provider_failed');
      expect([...new Set(reported.map(({ detail }) => detail['stage']))]).toEqual(failed);
    },
  );
});
