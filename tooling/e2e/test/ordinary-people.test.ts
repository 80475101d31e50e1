/**
 * What ordinary people do on the telephone, over real SIP and RTP: they answer before a question has ended, say "uh-huh",
 * begin to speak when the line opens, have a television behind them. All calls run on one installation. They are
 * judged by both tracks of sound at the telephone; words are those that the built-in recogniser decodes from the sound. The
 * models and the voice are simulators; the sound of the voice is a tone of known length, in which each hole can be heard.
 */
import { gainOfDb, mixInto, readWav } from '@parley/audio';
import { longestOf, silencesOf } from '@parley/phones';
import { systemClock } from '@parley/runtime';
import { AnthropicSimulator, OpenAiSimulator, type SimulatedFault } from '@parley/speech/fakes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PEOPLE_RATE_HZ, PeopleBed, withVoice, type Held, type Trial } from '../src/people-bed.ts';
import {
  answerTo,
  into,
  isWhole,
  lengthOf,
  LISTEN,
  play,
  QUESTION,
  QUESTION_MS,
  say,
  SLACK_MS,
  wait,
  wholeSpeech,
} from '../src/people-steps.ts';
import { levelOf, overlapMs, soundsOf } from '../src/two-tracks.ts';

/** How much the record and the sound may differ: the detector hears speech in the pauses of words. */
const SAME_MS = 800;
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
    assistant: { transcriber_provider_id: 'recogniser' },
  },
  slow: { script: [LISTEN, say('Yes, please.'), wait(9000)], isVoiceSlow: true },
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
type Name = keyof typeof TRIALS | 'background';

const FAULTS: Record<string, SimulatedFault> = {
  refuses: { type: 'status', status: 503, message: 'overloaded' },
  overloaded: { type: 'status', status: 429, message: 'slow down' },
  hangs: { type: 'stall', after: 0 },
};
const GOODBYE = 'Thank you for your call and goodbye until the next time.';
const modelServer = new AnthropicSimulator({
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
const recogniserServer = new OpenAiSimulator({
  clock: systemClock,
  transcribe: ({ channels, sampleRateHz }) => {
    transcribedMs.push(((channels[0]?.length ?? 0) * 1000) / sampleRateHz);
    return 'yes please';
  },
});

const bed = new PeopleBed({
  modelServer,
  models: ['healthy', 'empty', ...Object.keys(FAULTS)],
  recogniserServer,
  initialMessage: QUESTION,
});
let held: Record<Name, Held>;

beforeAll(async () => {
  await bed.start();
  const background = { script: [LISTEN, play(await withBackground()), wait(500)] };
  held = await bed.holdAll<Name>({ ...TRIALS, background });
}, 720_000);
afterAll(async () => bed.stop());

async function withBackground(): Promise<Int16Array> {
  const sound = new Int16Array(PEOPLE_RATE_HZ * 15);
  await withVoice(async (speak) => {
    mixInto(sound, await speak(WITH_BACKGROUND));
    mixInto(sound, await speak(`${LONG_ANSWER} ${LONG_ANSWER} ${LONG_ANSWER}`, 'awb'), gainOfDb(-30));
  });
  return sound;
}

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

it('a voice that is too slow is heard in few long pieces', () => {
  const { heard, said, call } = held.slow;
  const reply = heard.filter(({ fromMs }) => fromMs > wholeSpeech(said).toMs);
  const spokenMs = reply.reduce((sum, sound) => sum + lengthOf(sound), 0);
  expect(Math.abs(spokenMs - QUESTION_MS)).toBeLessThan(SLACK_MS);
  expect(reply.length).toBeGreaterThan(1);
  expect(reply.length).toBeLessThanOrEqual(5);
  expect(reply.slice(1, -1).every((sound) => lengthOf(sound) >= 250)).toBe(true);
  const quality = call.events.find(({ type }) => type === 'line_ended')?.detail['quality'];
  expect((quality as { underruns: number }).underruns).toBeGreaterThanOrEqual(reply.length - 1);
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

  it.each<Name>([...(Object.keys(TRIALS) as Name[]), 'background'])(
    'knows what was to be heard in the call: %s',
    (name) => {
      const { person, assistant, sampleRateHz } = held[name];
      const longestMs = longestOf(silencesOf([person, assistant], sampleRateHz));
      const quality = qualityOf(held[name]) as Record<string, number>;
      expect(quality).toMatchObject({ unanswered_turns: 0, false_interruptions: 0 });
      expect(Math.abs((quality['longest_silence_ms'] ?? 0) - longestMs)).toBeLessThan(SAME_MS);
      const isTalkedOver = name === 'uninterruptible' || name === 'goodbye';
      expect(quality['times_talked_over']).toBe(isTalkedOver ? 1 : 0);
    },
  );

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
