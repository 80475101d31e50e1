/** The first message of a call that we placed, and a callee who says "Hello?". The fake voice needs 50 ms for a character. */
import { ManualClock } from '@parley/runtime';
import { createFakeRecogniser, fakeSpeech } from '@parley/speech/fakes';
import { describe, expect, it } from 'vitest';
import { Scenario, type ScenarioOptions } from '../test/scenario.ts';

/** 1.9 s. */
const GREETING = 'Good day, this is Anna of the Bakery.';

function outbound(utterances: string[], options: ScenarioOptions = {}): Scenario {
  const clock = new ManualClock();
  const recogniser = createFakeRecogniser({ clock, utterances, finalAfterMs: 300 });
  const settings = { initialMessage: GREETING, greetingDelaySeconds: 1, ...options.settings };
  return new Scenario({ clock, recogniser, ...options, settings });
}

describe('the first message of a call that we placed', () => {
  it('begins when the callee’s “Hello?” is over and answers it', async () => {
    const call = outbound(['Hello?']);
    await call.answer();
    await call.silence(300);
    await call.speech(500);
    await call.silence(3000);
    expect(call.story()).toMatchInlineSnapshot(`
      "0 opening
      1080 human "[not recognised]"
      1080 thinking
      1100 speaking
      1100 turn 1 sounds
      1340 human "Hello?"
      2940 bot "Good day, this is Anna of the Bakery."
      2940 waiting
      2960 turn 1 falls silent"
    `);
    expect(call.transcript()).toEqual(['human: Hello?', `bot: ${GREETING}`]);
  });

  it('begins after the delay when the callee says nothing', async () => {
    const call = outbound([]);
    await call.answer();
    await call.silence(3000);
    expect(call.story()).toMatchInlineSnapshot(`
      "0 opening
      1000 thinking
      1020 speaking
      1020 turn 1 sounds
      2860 bot "Good day, this is Anna of the Bakery."
      2860 waiting
      2880 turn 1 falls silent"
    `);
  });

  it('begins at once with a delay of 0', async () => {
    const call = outbound([], { settings: { greetingDelaySeconds: 0 } });
    await call.answer();
    await call.silence(100);
    expect(call.story()).toContain('40 turn 1 sounds');
  });

  it('does not wait for the end of sound that is longer than anything a person says', async () => {
    const call = outbound(['We sing and play for you.']);
    await call.answer();
    await call.speech(7000);
    expect(call.story()).toMatchInlineSnapshot(`
      "0 opening
      5000 human "[not recognised]"
      5000 thinking
      5020 speaking
      5020 turn 1 sounds
      6860 bot "Good day, this is Anna of the Bakery."
      6860 waiting
      6880 turn 1 falls silent"
    `);
  });

  it('is said again when it was cut in its first second, once', async () => {
    const call = outbound(['Hello, who is it?', 'Who?'], { answers: [fakeSpeech('Anna.')] });
    await call.answer();
    await call.silence(1400);
    await call.speech(900);
    await call.silence(900);
    await call.speech(900);
    await call.silence(3000);
    expect(call.transcript()).toMatchInlineSnapshot(`
      [
        "bot: Good day, this is Anna –",
        "human: Hello, who is it?",
        "bot: Good day, this is –",
        "human: Who?",
        "bot: Anna.",
      ]
    `);
  });

  it('is not said again when the callee asks to stop', async () => {
    const call = outbound(['Stop, I am busy.'], { answers: [fakeSpeech('Sorry.')] });
    await call.answer();
    await call.silence(1400);
    await call.speech(900);
    await call.silence(3000);
    expect(call.transcript()).toMatchInlineSnapshot(`
      [
        "bot: Good day, this is Anna –",
        "human: Stop, I am busy.",
        "bot: Sorry.",
      ]
    `);
  });

  it('is not said again in a call that the caller placed', async () => {
    const settings = { greetingDelaySeconds: null };
    const call = outbound(['A room, please.'], { settings, answers: [fakeSpeech('When?')] });
    await call.answer();
    await call.silence(400);
    await call.speech(900);
    await call.silence(3000);
    expect(call.transcript()).toMatchInlineSnapshot(`
      [
        "bot: Good day, this is Anna –",
        "human: A room, please.",
        "bot: When?",
      ]
    `);
  });
});

describe('a first message that cannot be interrupted', () => {
  it('is heard to its end, and the reply to it can be interrupted', async () => {
    const settings = { isGreetingInterruptible: false, greetingDelaySeconds: null };
    const answers = [fakeSpeech('We have bread and cake and much more.')];
    const call = outbound(['Hello, what is it?', 'What is there?', 'Stop it.'], { settings, answers });
    await call.answer();
    await call.silence(200);
    await call.speech(900);
    await call.silence(1500);
    await call.speech(600);
    await call.silence(1400);
    await call.speech(1500);
    await call.silence(400);
    expect(call.transcript()).toMatchInlineSnapshot(`
      [
        "bot: Good day, this is Anna of the Bakery.",
        "human: Hello, what is it?",
        "bot: We have bread and cake and –",
        "human: What is there?",
      ]
    `);
  });
});
