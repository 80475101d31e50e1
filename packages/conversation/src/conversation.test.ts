/**
 * Whole conversations in virtual time, each with the log of what happened: milliseconds since the answer, then what.
 * The fake voice needs 50 ms for a character, so 20 characters are a second.
 */
import { describe, expect, it } from 'vitest';
import { ManualClock } from '@parley/runtime';
import {
  createFakeModel,
  createFakeRecogniser,
  createFakeSynthesiser,
  fakeSpeech,
  type FakeAnswer,
} from '@parley/speech/fakes';
import { Scenario, type ScenarioOptions } from '../test/scenario.ts';

const OFFER = 'I can book a table for you. For when?';

/** The caller has heard the greeting, has spoken for 0.8 s from 1000 on, and the answer begins at 2340. */
async function setup(answers: FakeAnswer[], options: ScenarioOptions = {}): Promise<Scenario> {
  const call = new Scenario({ answers, ...options });
  await call.answerAndGreet();
  await call.speech(800);
  return call;
}

describe('the first word', () => {
  it('of the assistant is made while it rings and leaves with the first frame', async () => {
    const call = new Scenario({
      settings: { initialMessage: 'Hello {{name}}.', variables: { name: 'Ada' } },
    });
    await call.answer();
    await call.silence(1000);
    expect(call.story()).toMatchInlineSnapshot(`
      "0 thinking
      20 speaking
      20 turn 1 sounds
      500 bot "Hello Ada."
      500 waiting
      520 turn 1 falls silent"
    `);
  });

  it('is made at the answer when there was no time before', async () => {
    const clock = new ManualClock();
    const synthesiser = createFakeSynthesiser({ clock, firstChunkAfterMs: 150 });
    const call = new Scenario({ clock, synthesiser });
    await call.answer(0);
    await call.silence(1000);
    expect(call.story()).toMatchInlineSnapshot(`
      "0 thinking
      160 speaking
      160 turn 1 sounds
      440 bot "Hello."
      440 waiting
      460 turn 1 falls silent"
    `);
    expect(synthesiser.spoken.filter(({ text }) => text === 'Hello.')).toHaveLength(1);
  });

  it('is played on from where it was when the answer comes in the middle of its making', async () => {
    const clock = new ManualClock();
    const synthesiser = createFakeSynthesiser({ clock, firstChunkAfterMs: 500 });
    const call = new Scenario({ clock, synthesiser });
    const prepared = call.conversation.prepare();
    await clock.advanceAsync(400);
    call.conversation.start();
    await call.silence(3000);
    await prepared;
    expect(call.story()).toMatchInlineSnapshot(`
      "0 thinking
      100 speaking
      100 turn 1 sounds
      380 bot "Hello."
      380 waiting
      400 turn 1 falls silent"
    `);
  });

  it('may be the caller’s', async () => {
    const call = new Scenario({
      settings: { whoSpeaksFirst: 'customer' },
      answers: [fakeSpeech('Good day.')],
    });
    await call.answer();
    await call.silence(500);
    await call.speech(600);
    await call.silence(2000);
    expect(call.story()).toMatchInlineSnapshot(`
      "0 waiting
      560 listening
      1380 ending
      1620 human "[not recognised]"
      1620 thinking
      1640 speaking
      1640 turn 1 sounds
      2080 bot "Good day."
      2080 waiting
      2100 turn 1 falls silent"
    `);
  });

  it('is the assistant’s after all when the caller stays silent', async () => {
    const settings = { whoSpeaksFirst: 'customer', reEngagementIntervalSeconds: 7 } as const;
    const call = new Scenario({ settings });
    await call.answer();
    await call.silence(8000);
    expect(call.story()).toMatchInlineSnapshot(`
      "0 waiting
      7000 thinking
      7020 speaking
      7020 turn 1 sounds
      7300 bot "Hello."
      7300 waiting
      7320 turn 1 falls silent"
    `);
  });

  it('comes from the model when there is no initial message', async () => {
    const call = new Scenario({ settings: { initialMessage: '' }, answers: [fakeSpeech('Good day.')] });
    await call.answer();
    await call.silence(1000);
    expect(call.story()).toMatchInlineSnapshot(`
      "0 thinking
      20 speaking
      20 turn 1 sounds
      460 bot "Good day."
      460 waiting
      480 turn 1 falls silent"
    `);
  });
});

describe('a turn', () => {
  it('is answered half a second after the caller’s last sound', async () => {
    const call = await setup([fakeSpeech(OFFER, { firstAfterMs: 200 })]);
    await call.silence(3000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2340 human "[not recognised]"
      2340 thinking
      2560 speaking
      2560 turn 2 sounds
      4340 bot "I can book a table for you. For when?"
      4340 waiting
      4360 turn 2 falls silent"
    `);
    const [, , answer] = call.conversation.transcript();
    expect(answer).toMatchInlineSnapshot(`
      {
        "endedAtMs": 4340,
        "latency": {
          "finalMs": null,
          "firstAudioMs": 2560,
          "firstPacketMs": 2560,
          "firstSoundMs": 2560,
          "firstTokenMs": 2540,
          "speechEndMs": 1800,
          "turnEndMs": 2340,
        },
        "sender": "bot",
        "startedAtMs": 2540,
        "text": "I can book a table for you. For when?",
      }
    `);
  });

  it('is answered sooner by an impatient assistant', async () => {
    const call = await setup([fakeSpeech('Yes.')], { settings: { endpointSensitivitySeconds: 0 } });
    await call.silence(1000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      1960 ending
      2040 human "[not recognised]"
      2040 thinking
      2060 speaking
      2060 turn 2 sounds
      2240 bot "Yes."
      2240 waiting
      2260 turn 2 falls silent"
    `);
  });

  it('goes on after a pause that was too short', async () => {
    const call = await setup([fakeSpeech('Yes.')]);
    await call.silence(400);
    await call.speech(500);
    await call.silence(1000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2240 listening
      2980 ending
      3220 human "[not recognised]"
      3220 thinking
      3240 speaking
      3240 turn 2 sounds
      3420 bot "Yes."
      3420 waiting
      3440 turn 2 falls silent"
    `);
  });

  it('without a recogniser reaches the model as speech nobody understood', async () => {
    const clock = new ManualClock();
    const model = createFakeModel({ clock, answers: [fakeSpeech('Pardon?')] });
    const call = await setup([], { clock, model });
    await call.silence(1000);
    expect(model.requests[0]?.dialogue).toEqual([
      { role: 'assistant', text: 'Hello.' },
      { role: 'customer', kind: 'unrecognised', text: '' },
    ]);
  });

  it('has the words of the recogniser, which are waited for', async () => {
    const clock = new ManualClock();
    const model = createFakeModel({ clock, answers: [fakeSpeech('For when?')] });
    const recogniser = createFakeRecogniser({ clock, utterances: ['A table, please.'], finalAfterMs: 600 });
    const call = await setup([], { clock, model, recogniser });
    await call.silence(2000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2660 human "A table, please."
      2660 thinking
      2700 speaking
      2700 turn 2 sounds
      3140 bot "For when?"
      3140 waiting
      3160 turn 2 falls silent"
    `);
    expect(model.requests[0]?.dialogue.at(-1)).toEqual({
      role: 'customer',
      kind: 'speech',
      text: 'A table, please.',
    });
  });

  it('whose words come after the answer has begun to be made is answered anew', async () => {
    const clock = new ManualClock();
    const model = createFakeModel({
      clock,
      answers: [fakeSpeech('Pardon?', { firstAfterMs: 2000 }), fakeSpeech('For when?')],
    });
    const late = createFakeRecogniser({ clock, utterances: ['A table, please.'], finalAfterMs: 3500 });
    const call = await setup([], { clock, model, recogniser: late });
    await call.silence(7000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      4840 human "[not recognised]"
      4840 thinking
      5360 turn 2 sounds
      5560 human "A table, please."
      5560 clear
      5580 turn 2 falls silent
      5600 speaking
      5600 turn 3 sounds
      6040 bot "For when?"
      6040 waiting
      6060 turn 3 falls silent"
    `);
    expect(call.transcript()).toEqual(['bot: Hello.', 'human: A table, please.', 'bot: For when?']);
  });

  it('whose words come while the answer is heard only reads better', async () => {
    const clock = new ManualClock();
    const model = createFakeModel({ clock, answers: [fakeSpeech(OFFER)] });
    const late = createFakeRecogniser({ clock, utterances: ['A table, please.'], finalAfterMs: 5500 });
    const call = await setup([], { clock, model, recogniser: late });
    await call.silence(8000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      4840 human "[not recognised]"
      4840 thinking
      4860 speaking
      4860 turn 2 sounds
      6640 bot "I can book a table for you. For when?"
      6640 waiting
      6660 turn 2 falls silent
      7560 human "A table, please.""
    `);
    expect(model.requests).toHaveLength(1);
  });
});
