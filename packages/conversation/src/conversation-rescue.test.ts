/**
 * Providers that give nothing, and what the caller hears of it: a word after 1.5 s at the latest, then somebody who
 * takes over or a polite goodbye within 6 s, and never 4 s of nothing. In virtual time; the fake voice needs 50 ms for
 * a character.
 */
import { describe, expect, it } from 'vitest';
import { ManualClock } from '@parley/runtime';
import type { LanguageModel } from '@parley/speech';
import { createFakeModel, createFakeSynthesiser, fakeSpeech } from '@parley/speech/fakes';
import { failsAt, GONE, hangingModel, silentFor, stallingModel, stallsAt } from '../test/faulty-providers.ts';
import type { PhaseName } from './turn/turn-state.ts';
import { handRecogniser } from '../test/hand-recogniser.ts';
import { Scenario, type ScenarioOptions } from '../test/scenario.ts';

/** The caller's turn, whose sound ends at 1800 and which is taken up at 2300. */
const TURN_END_MS = 2300;
const ANSWER = 'We open at nine. We close at six.';

/** The caller has heard the greeting and has spoken for 0.8 s from 1000 on. */
async function setup(fault: (clock: ManualClock) => ScenarioOptions): Promise<Scenario> {
  const clock = new ManualClock();
  const model = createFakeModel({ clock, answers: () => fakeSpeech(ANSWER) });
  const call = new Scenario({ clock, model, ...fault(clock) });
  await call.answerAndGreet();
  await call.speech(800);
  await call.silence(15_000);
  return call;
}

/** When that phase was first entered after the caller's turn, milliseconds. */
const enteredAtMs = (call: Scenario, phase: PhaseName): number | undefined =>
  call.events
    .flatMap((event) => (event.type === 'phase' && event.phase === phase ? [event.atMs] : []))
    .find((atMs) => atMs >= TURN_END_MS);

/** When sound was sent since the caller's turn, milliseconds, frame by frame. */
const soundsOf = ({ line }: Scenario): number[] =>
  line.sent.map(({ index }) => (index + 1) * 20).filter((atMs) => atMs > TURN_END_MS);

/** The longest silence up to the last sound of the answer or the goodbye. */
function longestSilenceMs(call: Scenario): number {
  let before = 1800;
  return Math.max(...soundsOf(call).map((atMs) => -before + (before = atMs)));
}

const FAULTS: [string, (clock: ManualClock) => ScenarioOptions][] = [
  ['the model hangs', () => ({ model: hangingModel })],
  ['the model hangs after a few words', () => ({ model: stallingModel('We open at nine. And then') })],
  ['the model hangs before the end of its first words', () => ({ model: stallingModel('We') })],
  [
    'the model hangs and takes the owner’s fillers with it',
    () => ({
      model: hangingModel,
      settings: { fillers: { neutral: ['Okay.'], negative: [], positive: [], question: [] } },
    }),
  ],
  [
    'the voice gives nothing',
    (clock) => ({ synthesiser: silentFor(clock, (text) => text.startsWith('We')) }),
  ],
  ['the voice stops in the middle', (clock) => ({ synthesiser: stallsAt(clock, 'We open at nine.', 300) })],
  [
    'model and voice give nothing',
    (clock) => ({ model: hangingModel, synthesiser: silentFor(clock, (text) => text !== 'Hello.') }),
  ],
  ['the recogniser never answers', () => ({ recogniser: handRecogniser() })],
  [
    'the recogniser never answers and the model hangs',
    () => ({ recogniser: handRecogniser(), model: hangingModel }),
  ],
  [
    'the owner waits for five seconds, and then the model hangs',
    () => ({ model: hangingModel, settings: { endpointSensitivitySeconds: 2 } }),
  ],
];

describe.each(FAULTS)('when %s', (sentence, fault) => {
  it('the line never seems dead, and the call goes on or ends politely', async () => {
    const call = await setup(fault);
    const hasVoice = !sentence.includes('model and voice');
    const hangUp = call.events.find(({ type }) => type === 'hang-up');
    const answered = call.transcript().some((line) => line.includes('six'));
    expect(answered || hangUp !== undefined).toBe(true);
    if (!hasVoice) return;
    const turnEndMs = enteredAtMs(call, 'thinking') ?? NaN;
    expect((soundsOf(call)[0] ?? NaN) - turnEndMs).toBeLessThanOrEqual(1500);
    const answers = call.conversation
      .transcript()
      .filter(({ sender, text }) => sender === 'bot' && text.startsWith('We'));
    const lastWordsMs = Math.max(turnEndMs, ...answers.map(({ endedAtMs }) => endedAtMs));
    expect((enteredAtMs(call, 'closing') ?? 0) - lastWordsMs).toBeLessThanOrEqual(6000);
    expect(longestSilenceMs(call)).toBeLessThanOrEqual(4000);
    const lastWords = call.transcript().at(-1) ?? '';
    expect(lastWords).toMatch(/six\.|Goodbye\.|Okay|nine\./u);
  });
});

describe('another provider takes over', () => {
  it('for a model that hangs, and stays', async () => {
    const clock = new ManualClock();
    const other = createFakeModel({ clock, answers: () => fakeSpeech('Nine to six.') });
    const call = await setup(() => ({ clock, model: hangingModel, fallbacks: { models: [other] } }));
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      3720 turn 2 sounds
      4680 turn 2 falls silent
      5300 clear
      5300 model failed
      5320 speaking
      5320 turn 3 sounds
      5900 bot "Nine to six."
      5900 waiting
      5920 turn 3 falls silent"
    `);
    await call.speech(800);
    await call.silence(3000);
    expect(other.requests).toHaveLength(2);
    expect(call.events.filter(({ type }) => type === 'note')).toHaveLength(1);
  });

  it('for a model that fails in the middle, after what was heard of it', async () => {
    const clock = new ManualClock();
    const torn = createFakeModel({
      clock,
      answers: [{ ...fakeSpeech('We open at nine. And we ', { eachAfterMs: 60 }), failWith: GONE }],
    });
    const other = createFakeModel({ clock, answers: [fakeSpeech('We close at six.')] });
    const call = await setup(() => ({ clock, model: torn, fallbacks: { models: [other] } }));
    expect(call.transcript()).toEqual([
      'bot: Hello.',
      'human: [not recognised]',
      'bot: We open at nine.',
      'bot: We close at six.',
    ]);
    expect(other.requests[0]?.dialogue.at(-1)).toEqual({
      role: 'assistant',
      text: 'We open at nine.',
    });
  });

  it.each<[string, (clock: ManualClock) => ScenarioOptions]>([
    ['fails before a sentence', (clock) => ({ synthesiser: failsAt(clock, 'We close at six.', 9) })],
    ['fails in the middle of one', (clock) => ({ synthesiser: failsAt(clock, 'We close at six.', 9, 300) })],
    ['hangs before a sentence', (clock) => ({ synthesiser: stallsAt(clock, 'We close at six.', 0) })],
    ['hangs in the middle of one', (clock) => ({ synthesiser: stallsAt(clock, 'We close at six.', 300) })],
  ])('for a voice that %s, and no word is lost or said twice', async (_sentence, fault) => {
    const clock = new ManualClock();
    const other = createFakeSynthesiser({ clock });
    const call = await setup(() => ({
      clock,
      model: createFakeModel({ clock, answers: [fakeSpeech(ANSWER)] }),
      ...fault(clock),
      fallbacks: { voices: [{ synthesiser: other, voice: 'other' }] },
    }));
    expect(call.transcript().at(-1)).toBe(`bot: ${ANSWER}`);
    expect(other.spoken.at(-1)).toMatchObject({ options: { voice: 'other' } });
    expect(ANSWER.endsWith(other.spoken.at(-1)?.text ?? '?')).toBe(true);
  });

  it('for a recogniser that fails twice', async () => {
    const first = handRecogniser();
    const other = handRecogniser();
    const call = new Scenario({ recogniser: first, fallbacks: { recognisers: [other] } });
    await call.answerAndGreet();
    first.emit({ type: 'failed', error: GONE });
    expect([first.opened, other.opened]).toEqual([2, 0]);
    first.emit({ type: 'failed', error: GONE });
    expect([first.opened, other.opened]).toEqual([2, 1]);
    other.emit({ type: 'failed', error: GONE });
    await call.silence(5000);
    expect((await call.end()).hangUp).toEqual({ by: 'assistant', reason: 'recogniser_failed' });
  });

  it('for a recogniser that is silent twice', async () => {
    const first = handRecogniser();
    const call = await setup(() => ({ recogniser: first }));
    expect(first.opened).toBe(1);
    await call.speech(800);
    await call.silence(5000);
    expect(first.opened).toBe(2);
  });
});

describe('fillers', () => {
  /** Each later than the one before: a filler waits for what is usual. */
  const slowly = (text: string, turn: number): ReturnType<typeof fakeSpeech> =>
    fakeSpeech(text, { firstAfterMs: 1000 + 200 * turn });
  const fillers = {
    neutral: ['Okay.'],
    negative: ['I see.'],
    positive: ['Great.'],
    question: ['Let me think.'],
  };

  async function talk(
    said: readonly string[],
    change: ScenarioOptions['settings'] = { fillers },
  ): Promise<Scenario> {
    const clock = new ManualClock();
    const answers = ['Fine.', 'At nine.', 'Goodbye then.'].map(slowly);
    const model = createFakeModel({ clock, answers });
    const synthesiser = createFakeSynthesiser({ clock });
    const recogniser = handRecogniser();
    const call = new Scenario({ clock, model, synthesiser, recogniser, settings: change });
    await call.answerAndGreet();
    for (const text of said) {
      await call.speech(800);
      await call.silence(460);
      recogniser.emit({ type: 'final', text });
      await call.silence(4000);
    }
    return call;
  }

  it('bridge the time to the second reply, not to the first, and are no part of what was said', async () => {
    const call = await talk(['Hello there', 'When do you open?']);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "Hello there"
      2300 thinking
      3280 speaking
      3280 turn 2 sounds
      3520 bot "Fine."
      3520 waiting
      3540 turn 2 falls silent
      6320 listening
      7340 ending
      7560 human "When do you open?"
      7560 thinking
      8560 turn 3 sounds
      9200 speaking
      9600 bot "At nine."
      9600 waiting
      9620 turn 3 falls silent"
    `);
    expect(call.transcript()).toEqual([
      'bot: Hello.',
      'human: Hello there',
      'bot: Fine.',
      'human: When do you open?',
      'bot: At nine.',
    ]);
  });

  it('can be interrupted, and then nothing was said', async () => {
    const clock = new ManualClock();
    const call = new Scenario({ clock, model: hangingModel, synthesiser: createFakeSynthesiser({ clock }) });
    await call.answerAndGreet();
    await call.speech(800);
    await call.silence(2100);
    await call.speech(800);
    await call.silence(300);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      3720 turn 2 sounds
      3940 pause
      3940 overlapped
      3960 turn 2 falls silent
      4400 clear
      4400 resume
      4400 listening
      4960 ending"
    `);
    expect(call.transcript()).toEqual(['bot: Hello.', 'human: [not recognised]']);
  });

  it('end the silence of the caller, and are part of the record', async () => {
    const call = await talk(['Hello there', 'When do you open?']);
    const { latency } = call.conversation.transcript().at(-1) ?? {};
    expect(latency?.firstSoundMs).toBeLessThan(latency?.firstPacketMs ?? 0);
  });

  it('are not spoken if they are disabled and the model answers before the deadline', async () => {
    const call = await talk(['Hello there', 'When do you open?'], {});
    expect(call.story().match(/sounds/gu)).toHaveLength(2);
  });
});

describe('a model that is not to be trusted', () => {
  it('with a flood of tool calls is heard to no more than sixteen a step', async () => {
    const flood: LanguageModel = {
      async *stream(request) {
        expect(request.dialogue.length).toBeLessThan(100);
        for (let n = 0; n < 1000; n++) yield { type: 'tool-call', id: `${n}`, name: 'x', arguments: {} };
      },
    };
    const call = await setup(() => ({ model: flood }));
    expect(call.events.find(({ type }) => type === 'hang-up')).toBeUndefined();
  });

  it('with a voice that never ends is cut', async () => {
    const call = await setup((clock) => {
      const healthy = createFakeSynthesiser({ clock });
      return {
        synthesiser: {
          capabilities: healthy.capabilities,
          async *speak(text, options, signal) {
            yield* healthy.speak(text, options, signal);
            while (text.startsWith('We')) yield new Int16Array(8000);
          },
        },
      };
    });
    expect(call.line.queuedSamples()).toBeLessThan(60 * 8000);
  });
});
