/**
 * What ordinary people do on the telephone, over real SIP and RTP: they answer before a question has ended, say "uh-huh",
 * begin to speak when the line opens, have a television behind them. All calls run on one installation. They are
 * judged by both tracks of sound at the telephone; words are those that the built-in recogniser decodes from the sound. The
 * models and the voice are simulators; the sound of the voice is a tone of known length, in which each hole can be heard.
 */
import { gainOfDb, mixInto, readWav } from '@parley/audio';
import {
  createPhone,
  longestOf,
  silencesOf,
  type Character,
  type Person,
  type Phone,
  type Script,
  type Step,
} from '@parley/phones';
import { silentLog, systemClock } from '@parley/runtime';
import { createFliteSynthesiser } from '@parley/speech';
import { AnthropicSimulator, OpenAiSimulator, type SimulatedFault } from '@parley/speech/fakes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placeCall, waitForCall, type CallDetail } from '../src/calls.ts';
import { startInstallation, type Installation } from '../src/installation.ts';
import { levelOf, overlapMs, soundsOf, type Sound, type TwoTracks } from '../src/two-tracks.ts';

/** All that the assistants say, if nothing else is stated: one piece of sound. */
const QUESTION = 'Please tell me which weekday would generally be convenient for you?';
/** Of the simulated voice. */
const QUESTION_MS = QUESTION.length * 40;
/** What the jitter buffer and a busy machine may add to a sound. */
const SLACK_MS = 400;
/** How much the record and the sound may differ: the detector hears speech in the pauses of words. */
const SAME_MS = 800;
const ANSWER_WITHIN_MS = 4000;
const RATE_HZ = 8000;
/** The recogniser computes for each of them. */
const AT_ONCE = 2;

const LISTEN = { do: 'listen', pauseMs: 300, patienceMs: 9000 } as const;
const into = (speechMs: number): Step => ({ do: 'listen-into', speechMs, patienceMs: 9000 });
const wait = (ms: number): Step => ({ do: 'wait', ms });
const say = (line: string): Step => ({ do: 'say', line });
const HANG_UP = { do: 'hang-up' } as const;

/** Before the end of the question; negative: after it. */
const LEADS_MS = [800, 650, 500, 350, 200, 60, 20, -20, -60];
const EARLY = [
  'Tuesday.',
  'At seven.',
  'Four people.',
  'Yes.',
  'No.',
  'Thursday.',
  'Sunday.',
  'Yes, please.',
  'Monday.',
];
/** Said with a voice behind it that continues for some 12 s, 30 dB below. */
const WITH_BACKGROUND = 'I would like a table for tomorrow.';
const LONG_ANSWER =
  'Well, that would be fine for me, but my sister comes from London that day and brings her two little children.';
const VOICEMAIL = 'Hello, nobody is at home at the moment. Please leave a message after the tone.';

/** One call. All lines are prepared before the calls, so that they begin in time. */
interface Trial {
  script: Script;
  /** The person is called, and does not call. */
  isCalled?: true;
  assistant?: Record<string, unknown>;
}

const TRIALS = {
  early: {
    script: [
      ...LEADS_MS.flatMap((leadMs, at) => [
        leadMs > 0 ? into(QUESTION_MS - leadMs) : ({ ...LISTEN, pauseMs: -leadMs } as const),
        say(EARLY[at] ?? ''),
        wait(400),
      ]),
      LISTEN,
    ],
  },
  backchannel: { script: [into(400), say('Uh-huh.'), LISTEN, wait(2500)] },
  background: {
    script: [LISTEN, say(WITH_BACKGROUND), wait(500)],
  },
  hello: {
    isCalled: true,
    script: [wait(300), say('Hello?'), LISTEN, say(LONG_ANSWER), LISTEN, say(LONG_ANSWER), LISTEN],
  },
  silent: { isCalled: true, script: [LISTEN, say(LONG_ANSWER), LISTEN] },
  cut: { isCalled: true, script: [into(400), say('Sorry, who is there please?'), LISTEN] },
  uninterruptible: {
    isCalled: true,
    script: [into(600), say('Sorry, I would like to know who is there please.'), LISTEN],
    assistant: { initial_message_interruptible: false },
  },
  machine: {
    isCalled: true,
    script: [wait(300), say(VOICEMAIL), { do: 'beep', hz: 1000, ms: 500 }, wait(10_000)],
  },
  patient: {
    script: [LISTEN, wait(6000), say('Yes, please.'), LISTEN],
    assistant: { transcriber_provider_id: 'ears' },
  },
  goodbye: {
    script: [
      LISTEN,
      say('That is all, thank you.'),
      into(400),
      say('Wait, when do you open tomorrow?'),
      wait(12_000),
    ],
    assistant: { system_prompt: 'SAY GOODBYE' },
  },
  refused: { script: [LISTEN, say('I would like a table.'), LISTEN], assistant: { llm_model: 'refuses' } },
  overloaded: {
    script: [LISTEN, say('I would like a table.'), LISTEN],
    assistant: { llm_model: 'overloaded' },
  },
  hanging: {
    script: [LISTEN, say('I would like a table.'), LISTEN, wait(1500), LISTEN],
    assistant: { llm_model: 'hangs' },
  },
  empty: { script: [LISTEN, say('I would like a table.'), LISTEN], assistant: { llm_model: 'empty' } },
} satisfies Record<string, Trial>;
type Name = keyof typeof TRIALS;

const FAULTS: Record<string, SimulatedFault> = {
  refuses: { type: 'status', status: 503, message: 'overloaded' },
  overloaded: { type: 'status', status: 429, message: 'slow down' },
  hangs: { type: 'stall', after: 0 },
};
const GOODBYE = 'Thank you for your call and goodbye until the next time.';
const minds = new AnthropicSimulator({
  clock: systemClock,
  firstAfterMs: 100,
  chat: ({ model, system, messages }) => {
    if (model === 'empty') return { text: '' };
    if (!JSON.stringify(system).includes('SAY GOODBYE')) return { text: QUESTION };
    const isAsked = JSON.stringify(messages).toLowerCase().includes('open');
    return isAsked
      ? { text: 'We open at nine.' }
      : { text: GOODBYE, toolCalls: [{ name: 'end_call', arguments: {} }] };
  },
  faultFor: ({ body }) => FAULTS[String(body['model'])],
});
/** The sounds that were to be transcribed, milliseconds. */
const transcribedMs: number[] = [];
const voice = new OpenAiSimulator({ clock: systemClock, firstAfterMs: 50 });
const ears = new OpenAiSimulator({
  clock: systemClock,
  transcribe: ({ channels, sampleRateHz }) => {
    transcribedMs.push(((channels[0]?.length ?? 0) * 1000) / sampleRateHz);
    return 'yes please';
  },
});

/** A finished call. */
interface Held extends TwoTracks {
  said: Sound[];
  heard: Sound[];
  call: CallDetail & { answered_by: string };
}

let installation: Installation;
let phone: Phone;
const people = new Map<string, (person: Person) => void>();
const scripts = new Map<string, Script>();
let sounds: Map<string, Int16Array>;
let held: Record<Name, Held>;

beforeAll(async () => {
  await Promise.all([minds, voice, ears].map(async (simulator) => simulator.start()));
  phone = createPhone({
    clock: systemClock,
    log: silentLog,
    listen: { host: '127.0.0.1', port: 0 },
    rtpPorts: null,
    logFile: null,
    keepsSound: true,
    findCharacter: (number): Character => ({
      takes: 'answers',
      ringMs: 500,
      voice: 'rms',
      script: scripts.get(number) ?? [],
    }),
    onPerson: (number, person) => people.get(number)?.(person),
  });
  [installation] = await Promise.all([startInstallation(), phone.start()]);
  const setUp = await prepare();
  sounds = await makeSounds();
  const waiting = (Object.keys(TRIALS) as Name[]).map((name, place) => ({ name, place }));
  const calls: [Name, Held][] = [];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      calls.push([next.name, await hold(TRIALS[next.name], { place: next.place, ...setUp })]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  held = Object.fromEntries(calls) as Record<Name, Held>;
}, 240_000);
afterAll(async () => {
  await phone?.stop();
  await installation?.stop();
  await Promise.all([minds, voice, ears].map(async (simulator) => simulator.stop()));
});

interface SetUp {
  voiceId: number;
  earsId: number;
  trunkId: number;
}

async function post(path: string, body: unknown): Promise<{ id: number }> {
  return ((await installation.request('POST', path, body)) as { data: { id: number } }).data;
}

async function prepare(): Promise<SetUp> {
  const named = (names: string[]): { name: string }[] => names.map((name) => ({ name }));
  const provider = (body: Record<string, unknown>): Promise<{ id: number }> =>
    post('/api/user/providers', { api_key: 'key', ...body });
  const models = named(['healthy', 'empty', ...Object.keys(FAULTS)]);
  await provider({ name: 'Minds', kind: 'anthropic', base_url: minds.origin, models });
  await provider({
    name: 'Voice',
    kind: 'openai-compatible',
    base_url: voice.baseUrl,
    voices: named(['Tone']),
  });
  const { id: earsId } = await provider({ name: 'Ears', kind: 'openai-compatible', base_url: ears.baseUrl });
  const voices = (await installation.request('GET', '/api/user/assistants/voices')) as {
    id: number;
    name: string;
  }[];
  const [trunk] = (await installation.request('GET', '/api/user/phone-numbers/sip-trunks')) as {
    id: number;
  }[];
  await post('/api/user/phone-numbers/sip-trunks', {
    name: 'People',
    host: '127.0.0.1',
    port: phone.address().port,
    reach: 'fictional',
    caller_number: '+12025550198',
  });
  return { voiceId: voices.find(({ name }) => name === 'Tone')?.id ?? 0, earsId, trunkId: trunk?.id ?? 0 };
}

async function makeSounds(): Promise<Map<string, Int16Array>> {
  const flite = createFliteSynthesiser({ clock: systemClock });
  const speak = async (text: string, name = 'rms'): Promise<Int16Array> => {
    const samples: number[] = [];
    const manner = {
      voice: name,
      sampleRateHz: RATE_HZ,
      speed: 1,
      stability: 0,
      similarity: 0,
      language: 'en',
    };
    for await (const piece of flite.speak(text, manner, AbortSignal.timeout(30_000))) samples.push(...piece);
    return Int16Array.from(samples);
  };
  const made = new Map<string, Int16Array>();
  const steps = Object.values(TRIALS).flatMap(({ script }): Script => script);
  for (const step of steps) if (step.do === 'say') made.set(step.line, await speak(step.line));
  const sound = new Int16Array(RATE_HZ * 15);
  mixInto(sound, await speak(WITH_BACKGROUND));
  mixInto(sound, await speak(`${LONG_ANSWER} ${LONG_ANSWER} ${LONG_ANSWER}`, 'awb'), gainOfDb(-30));
  made.set(WITH_BACKGROUND, sound);
  await flite.stop();
  return made;
}

function prepared(step: Step): Step {
  const samples = step.do === 'say' ? sounds.get(step.line) : undefined;
  return samples ? { do: 'play', samples, sampleRateHz: RATE_HZ } : step;
}

async function hold(trial: Trial, { place, ...setUp }: SetUp & { place: number }): Promise<Held> {
  const [assistantNumber, number] = [`+120255501${20 + place}`, `+120255501${50 + place}`];
  const assistantId = await createAssistant(trial, assistantNumber, setUp);
  const script = [...trial.script, HANG_UP].map(prepared);
  const { person, callId } = await (trial.isCalled
    ? beCalled(assistantId, number, script)
    : callIn(assistantNumber, number, script));
  const end = await person.ended;
  if (!person.wasAnswered) throw new Error(`${number} was not connected: ${end.detail}`);
  const call = await waitForCall(installation, await callId(), ({ status }) => status === 'completed');
  const tracks = {
    person: person.said(),
    assistant: person.heard(),
    sampleRateHz: person.leg.media.sampleRateHz,
  };
  return {
    ...tracks,
    said: soundsOf(tracks.person, tracks.sampleRateHz),
    heard: soundsOf(tracks.assistant, tracks.sampleRateHz),
    call: call as Held['call'],
  };
}

async function createAssistant(
  { assistant = {}, isCalled }: Trial,
  number: string,
  { voiceId, earsId, trunkId }: SetUp,
): Promise<number> {
  const place = isCalled
    ? {}
    : {
        phone_number_id: (
          await post('/api/user/phone-numbers', { phone_number: number, sip_trunk_id: trunkId })
        ).id,
      };
  const { transcriber_provider_id: wished } = assistant;
  const { id } = await post('/api/user/assistant', {
    assistant_name: number,
    ...place,
    voice_id: voiceId,
    llm_model: 'healthy',
    fallback_llm_models: assistant['llm_model'] ? ['healthy'] : [],
    language: 'English',
    calls_direction: isCalled ? 'make' : 'receive',
    engine_type: 'pipeline',
    timezone: 'UTC',
    initial_message: QUESTION,
    system_prompt: 'You take bookings.',
    record_call: true,
    ...assistant,
    ...(wished === 'ears' && { transcriber_provider_id: earsId }),
  });
  return id;
}

type Connected = { person: Person; callId: () => Promise<number> };

async function callIn(to: string, from: string, script: Script): Promise<Connected> {
  const person = phone.call({ to, from, host: '127.0.0.1', port: installation.sipPort, script });
  const callId = async (): Promise<number> => {
    const list = (await installation.request('GET', '/api/user/calls?type=inbound&per_page=100')) as {
      data: { id: number; client_phone_number: string }[];
    };
    return list.data.find((call) => call.client_phone_number === from)?.id ?? 0;
  };
  return { person, callId };
}

async function beCalled(assistantId: number, phoneNumber: string, script: Script): Promise<Connected> {
  scripts.set(phoneNumber, script);
  const connected = new Promise<Person>((resolve) => people.set(phoneNumber, resolve));
  const id = await placeCall(installation, { assistantId, phoneNumber });
  return { person: await connected, callId: async () => id };
}

/** The first sound of the assistant after one of the person. */
function answerTo({ heard }: Held, said: Sound | undefined): Sound {
  const answer = heard.find(
    ({ fromMs }) => said && fromMs > said.fromMs && fromMs <= said.toMs + ANSWER_WITHIN_MS,
  );
  if (!answer) throw new Error(`Nothing was heard after ${JSON.stringify(said)}`);
  return answer;
}

const lengthOf = ({ fromMs, toMs }: Sound): number => toMs - fromMs;
/** Whether a whole question was heard, without a hole. */
const isWhole = (sound: Sound): boolean =>
  lengthOf(sound) > QUESTION_MS - 100 && lengthOf(sound) < QUESTION_MS + SLACK_MS;
/** The last sound of a sentence: the pauses in it are longer than those of {@link soundsOf}. */
const wholeSpeech = (said: readonly Sound[]): Sound => ({
  fromMs: said[0]?.fromMs ?? 0,
  toMs: said.at(-1)?.toMs ?? 0,
});

it('answers that begin before a question has ended are answered, each of them', () => {
  const { heard, call } = held.early;
  const senders = call.turns.map(({ sender }) => sender);
  expect(senders).toEqual(['bot', ...LEADS_MS.flatMap(() => ['human', 'bot'])]);
  expect(heard.map(isWhole)).toEqual(senders.filter((sender) => sender === 'bot').map(() => true));
  // The recogniser may mishear a word; each answer has some.
  for (const { sender, text } of call.turns) if (sender === 'human') expect(text).toMatch(/\p{L}/u);
  expect(call.transcript).toMatch(/Customer: Tuesday.*Customer: Yes/is);
});

it('an "uh-huh" leaves no hole in the speech and lowers it', () => {
  const { heard, said, ...tracks } = held.backchannel;
  expect(isWhole(heard[0] ?? { fromMs: 0, toMs: 0 })).toBe(true);
  const [{ fromMs, toMs } = { fromMs: 0, toMs: 0 }] = said;
  const level = (from: number): number => levelOf(tracks, { fromMs: from, toMs: from + 100 });
  const during: number[] = [];
  for (let at = fromMs; at < toMs + 300; at += 50) during.push(level(at));
  expect(level(fromMs - 200) - Math.min(...during)).toBeGreaterThan(3);
  expect(Math.abs(level((heard[0]?.toMs ?? 0) - 200) - level(fromMs - 200))).toBeLessThan(1);
});

it('a voice in the background does not delay the answer', () => {
  const { said, call } = held.background;
  const { fromMs, toMs } = answerTo(held.background, wholeSpeech(said));
  expect(isWhole({ fromMs, toMs })).toBe(true);
  expect(call.transcript).toMatch(/Customer: I would like a table/);
});

describe('a person who is called', () => {
  it('and says "Hello?" hears the whole greeting after it', () => {
    const { heard, said } = held.hello;
    const [hello = { fromMs: 0, toMs: 0 }] = said;
    expect(overlapMs(hello, heard)).toBe(0);
    expect(isWhole(answerTo(held.hello, hello))).toBe(true);
    expect(heard[0]?.fromMs).toBeGreaterThan(hello.toMs);
  });

  it('and says nothing hears the greeting after a second', () => {
    const [greeting = { fromMs: 0, toMs: 0 }] = held.silent.heard;
    expect(greeting.fromMs).toBeGreaterThan(900);
    expect(greeting.fromMs).toBeLessThan(2500);
    expect(isWhole(greeting)).toBe(true);
  });

  it.each(['hello', 'silent'] as const)('and answers the greeting at length is no machine (%s)', (name) => {
    const { call, heard, said } = held[name];
    expect(call).toMatchObject({ answered_by: 'human', ended_reason: 'customer_hung_up' });
    const last = said.at(-1);
    expect(isWhole(answerTo(held[name], last))).toBe(true);
    expect(heard.some((sound) => last && overlapMs(last, [sound]) > 0)).toBe(false);
  });

  it('and who is a machine is hung up on', () => {
    expect(held.machine.call).toMatchObject({ answered_by: 'machine', ended_reason: 'voicemail' });
  });

  it('and cuts the greeting in its first second hears it again', () => {
    const { heard } = held.cut;
    const [first, second] = heard;
    expect(first && lengthOf(first)).toBeLessThan(0.75 * QUESTION_MS);
    expect(second && isWhole(second)).toBe(true);
    expect(held.cut.call.turns.map(({ text }) => text).at(-1)).toBe(QUESTION);
  });

  it('cannot interrupt a greeting that must be heard', () => {
    const [greeting = { fromMs: 0, toMs: 0 }] = held.uninterruptible.heard;
    expect(isWhole(greeting)).toBe(true);
    expect(overlapMs(greeting, held.uninterruptible.said)).toBeGreaterThan(1000);
  });
});

it('a recogniser of whole utterances receives the speech without the silence before it', () => {
  const spokenMs = lengthOf(wholeSpeech(held.patient.said));
  expect(transcribedMs).toHaveLength(1);
  expect(transcribedMs[0]).toBeGreaterThan(spokenMs);
  expect(transcribedMs[0]).toBeLessThan(spokenMs + 2 * 200 + SLACK_MS);
});

it('a caller who speaks over the goodbye is heard once more', () => {
  const { said, call } = held.goodbye;
  expect(lengthOf(answerTo(held.goodbye, said.at(-1)))).toBeGreaterThan(400);
  expect(call.transcript).toMatch(/Customer: .*open.*\nAI: We open at nine\.$/is);
});

it.each(['refused', 'overloaded', 'hanging', 'empty'] as const)(
  'a second model answers when the first one fails (%s)',
  (name) => {
    const { said, heard, call } = held[name];
    answerTo(held[name], wholeSpeech(said));
    // A filler may precede it without a pause.
    expect(lengthOf(heard.at(-1) ?? { fromMs: 0, toMs: 0 })).toBeGreaterThan(QUESTION_MS - 100);
    expect(call.events.map(({ type }) => type)).toContain('provider_failed');
  },
);

describe('the record', () => {
  const qualityOf = ({ call }: Held) =>
    call.events.find(({ type }) => type === 'line_ended')?.detail['quality'];

  it.each(Object.keys(TRIALS) as Name[])('knows what was to be heard in the call: %s', (name) => {
    const { person, assistant, sampleRateHz } = held[name];
    const longestMs = longestOf(silencesOf([person, assistant], sampleRateHz));
    const quality = qualityOf(held[name]) as Record<string, number>;
    expect(quality).toMatchObject({ unanswered_turns: 0, false_interruptions: 0 });
    expect(Math.abs((quality['longest_silence_ms'] ?? 0) - longestMs)).toBeLessThan(SAME_MS);
    const isTalkedOver = name === 'uninterruptible' || name === 'goodbye';
    expect(quality['times_talked_over']).toBe(isTalkedOver ? 1 : 0);
  });

  it('has the sound of both sides', async () => {
    const { person, assistant, sampleRateHz, call } = held.early;
    const { channels, ...file } = readWav(
      new Uint8Array(await (await fetch(call.recording_url ?? '')).arrayBuffer()),
    );
    const loudMs = (track: Int16Array | undefined, rateHz: number): number =>
      soundsOf(track ?? new Int16Array(), rateHz).reduce((sum, sound) => sum + lengthOf(sound), 0);
    for (const [channel, track] of [person, assistant].entries())
      expect(loudMs(channels[channel], file.sampleRateHz) / loudMs(track, sampleRateHz)).toBeCloseTo(1, 1);
  });
});
