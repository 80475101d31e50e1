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
} from '@parley/speech/fakes';
import { askedCall, Scenario } from '../test/scenario.ts';

const OFFER = 'I can book a table for you. For when?';

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
      1600 human "[not recognised]"
      1600 thinking
      1620 speaking
      1620 turn 1 sounds
      2060 bot "Good day."
      2060 waiting
      2080 turn 1 falls silent"
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
    const call = await askedCall([fakeSpeech(OFFER, { firstAfterMs: 200 })]);
    await call.silence(3000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      2520 speaking
      2520 turn 2 sounds
      4300 bot "I can book a table for you. For when?"
      4300 waiting
      4320 turn 2 falls silent"
    `);
    const [, , answer] = call.conversation.transcript();
    expect(answer).toMatchInlineSnapshot(`
      {
        "endedAtMs": 4300,
        "latency": {
          "finalMs": null,
          "firstAudioMs": 2520,
          "firstPacketMs": 2520,
          "firstSoundMs": 2520,
          "firstTokenMs": 2500,
          "speechEndMs": 1800,
          "turnEndMs": 2300,
        },
        "sender": "bot",
        "startedAtMs": 2500,
        "text": "I can book a table for you. For when?",
      }
    `);
  });

  it('is answered sooner by an impatient assistant', async () => {
    const call = await askedCall([fakeSpeech('Yes.')], { settings: { endpointSensitivitySeconds: 0 } });
    await call.silence(1000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      1920 ending
      2000 human "[not recognised]"
      2000 thinking
      2020 speaking
      2020 turn 2 sounds
      2200 bot "Yes."
      2200 waiting
      2220 turn 2 falls silent"
    `);
  });

  it('goes on after a pause that was too short', async () => {
    const call = await askedCall([fakeSpeech('Yes.')]);
    await call.silence(400);
    await call.speech(500);
    await call.silence(1000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2240 listening
      2980 ending
      3200 human "[not recognised]"
      3200 thinking
      3220 speaking
      3220 turn 2 sounds
      3400 bot "Yes."
      3400 waiting
      3420 turn 2 falls silent"
    `);
  });

  it('without a recogniser reaches the model as speech without words', async () => {
    const clock = new ManualClock();
    const model = createFakeModel({ clock, answers: [fakeSpeech('Pardon?')] });
    const call = await askedCall([], { clock, model });
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
    const call = await askedCall([], { clock, model, recogniser });
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
    const call = await askedCall([], { clock, model, recogniser: late });
    await call.silence(7000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      4800 human "[not recognised]"
      4800 thinking
      5320 turn 2 sounds
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
    const call = await askedCall([], { clock, model, recogniser: late });
    await call.silence(8000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      4800 human "[not recognised]"
      4800 thinking
      4820 speaking
      4820 turn 2 sounds
      6600 bot "I can book a table for you. For when?"
      6600 waiting
      6620 turn 2 falls silent
      7560 human "A table, please.""
    `);
    expect(model.requests).toHaveLength(1);
  });
});
