/**
 * What failing providers make of a conversation, in virtual time; each with the log of what happened: milliseconds
 * since the answer, then what. The fake voice needs 50 ms for a character.
 */
import { describe, expect, it } from 'vitest';
import { ManualClock } from '@parley/runtime';
import type { LanguageModel } from '@parley/speech';
import { createFakeModel, createFakeSynthesiser, fakeSpeech, fakeToolCall } from '@parley/speech/fakes';
import { failsAt, GONE, hangingModel, stallsAt } from '../test/faulty-providers.ts';
import { handRecogniser } from '../test/hand-recogniser.ts';
import { askedCall, Scenario } from '../test/scenario.ts';

describe('a model', () => {
  it('that fails is asked again', async () => {
    const call = await askedCall([{ events: [], failWith: GONE }, fakeSpeech('Yes.')]);
    await call.silence(1500);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      2300 model failed
      2580 speaking
      2580 turn 2 sounds
      2760 bot "Yes."
      2760 waiting
      2780 turn 2 falls silent"
    `);
  });

  it('that keeps failing ends the call with an apology, bridged by a filler', async () => {
    const clock = new ManualClock();
    const model = createFakeModel({ clock, answers: () => ({ events: [], failWith: GONE }) });
    const call = await askedCall([], { clock, model });
    await call.silence(9000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      2300 model failed
      3720 turn 2 sounds
      4040 clear
      4040 model failed
      4040 model failed
      4060 turn 2 falls silent
      5800 clear
      5800 model failed
      5800 closing
      5820 turn 4 sounds
      9400 bot "I am sorry, we have a technical problem. Please call again later. Goodbye."
      9400 hang up by assistant: model_failed
      9400 closed
      9420 turn 4 falls silent"
    `);
  });

  it('that fails in the middle is heard to there and asked to go on', async () => {
    const clock = new ManualClock();
    const model = createFakeModel({
      clock,
      answers: [
        { ...fakeSpeech('We open at nine. And we', { eachAfterMs: 60 }), failWith: GONE },
        fakeSpeech('We close at six.'),
      ],
    });
    const call = await askedCall([], { clock, model });
    await call.silence(4000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      2500 speaking
      2500 turn 2 sounds
      3280 bot "We open at nine."
      3280 model failed
      3280 thinking
      3300 speaking
      3300 turn 2 falls silent
      3300 turn 3 sounds
      4080 bot "We close at six."
      4080 waiting
      4100 turn 3 falls silent"
    `);
    expect(model.requests[1]?.dialogue.at(-1)).toEqual({ role: 'assistant', text: 'We open at nine.' });
  });

  it('that is busy for a second answers in the same turn', async () => {
    const busy = { events: [], failWith: GONE };
    const call = await askedCall([busy, busy, busy, fakeSpeech('Yes.')]);
    await call.silence(4000);
    expect(call.transcript().at(-1)).toBe('bot: Yes.');
    expect(call.story()).not.toContain('clear');
  });

  it('that hangs is bridged by a filler, and aborted after 3 s and another 2.5 s', async () => {
    const call = await askedCall([], { model: hangingModel });
    await call.silence(12_000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      3720 turn 2 sounds
      4680 turn 2 falls silent
      5300 clear
      5300 model failed
      7800 clear
      7800 model failed
      7800 closing
      7820 turn 4 sounds
      11400 bot "I am sorry, we have a technical problem. Please call again later. Goodbye."
      11400 hang up by assistant: model_failed
      11400 closed
      11420 turn 4 falls silent"
    `);
    const { hangUp } = await call.end();
    expect(hangUp).toEqual({ by: 'assistant', reason: 'model_failed' });
    expect(call.clock.pendingTimers()).toBe(0);
  });

  it('that never ends is cut at the bounds of a turn', async () => {
    let given = 0;
    const endless: LanguageModel = {
      async *stream() {
        for (;;) {
          given += 1;
          yield { type: 'text', text: 'And so on. ' };
        }
      },
    };
    const call = await askedCall([], { model: endless });
    await call.silence(20_000);
    expect(given).toBe(Math.ceil(4000 / 'And so on. '.length));
  });

  it('that calls tools for ever is stopped after five requests', async () => {
    const clock = new ManualClock();
    const model = createFakeModel({ clock, answers: () => fakeToolCall('Hm. ', 'no_such_tool') });
    const call = await askedCall([], { clock, model });
    await call.silence(3000);
    expect(model.requests).toHaveLength(5);
    expect(call.transcript().at(-1)).toBe('bot: Hm. Hm. Hm. Hm. Hm.');
  });

  it('that says nothing is asked once more', async () => {
    const call = await askedCall([{ events: [] }, fakeSpeech('Yes.')]);
    await call.silence(1500);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      2300 model failed
      2580 speaking
      2580 turn 2 sounds
      2760 bot "Yes."
      2760 waiting
      2780 turn 2 falls silent"
    `);
  });
});

describe('a voice', () => {
  it('that fails is asked again, which the caller does not notice', async () => {
    const clock = new ManualClock();
    const model = createFakeModel({ clock, answers: [fakeSpeech('We open at nine.')] });
    const call = await askedCall([], { clock, model, synthesiser: failsAt(clock, 'We open at nine.', 1) });
    await call.silence(2000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      2300 voice failed
      2340 speaking
      2340 turn 2 sounds
      3120 bot "We open at nine."
      3120 waiting
      3140 turn 2 falls silent"
    `);
  });

  it('that fails in the middle of a sentence is asked for the rest of it', async () => {
    const clock = new ManualClock();
    const model = createFakeModel({ clock, answers: [fakeSpeech('We open at nine every day.')] });
    const voice = failsAt(clock, 'We open at nine every day.', 1, 600);
    const call = await askedCall([], { clock, model, synthesiser: voice });
    await call.silence(3000);
    expect(call.transcript().at(-1)).toBe('bot: We open at nine every day.');
  });

  it('that fails for good leaves the apology, which was made while it rang', async () => {
    const clock = new ManualClock();
    const model = createFakeModel({ clock, answers: () => fakeSpeech('We open at nine.') });
    const call = await askedCall([], {
      clock,
      model,
      synthesiser: failsAt(clock, 'We open at nine.', Infinity),
    });
    await call.silence(7000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      2300 voice failed
      2320 clear
      2320 voice failed
      2340 voice failed
      2360 clear
      2360 voice failed
      2360 closing
      2380 turn 4 sounds
      5960 bot "I am sorry, we have a technical problem. Please call again later. Goodbye."
      5960 hang up by assistant: voice_failed
      5960 closed
      5980 turn 4 falls silent"
    `);
  });

  it('that stalls in the middle is bridged by a word, and after 3 s asked for the rest', async () => {
    const clock = new ManualClock();
    const model = createFakeModel({ clock, answers: [fakeSpeech('We open. We close.')] });
    const call = await askedCall([], { clock, model, synthesiser: stallsAt(clock, 'We close.', 200) });
    await call.silence(6000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      2320 speaking
      2320 turn 2 sounds
      2920 turn 2 falls silent
      4320 turn 2 sounds
      5280 turn 2 falls silent
      5900 voice failed
      5920 turn 2 sounds
      6200 bot "We open. We close."
      6200 waiting
      6220 turn 2 falls silent"
    `);
    expect(model.requests).toHaveLength(1);
  });

  it('that never works cannot even apologise, and the call still ends', async () => {
    const clock = new ManualClock();
    const dumb = createFakeSynthesiser({ clock, failWith: () => GONE });
    const call = new Scenario({ clock, synthesiser: dumb });
    await call.answer();
    await call.silence(1000);
    expect(call.story()).toMatchInlineSnapshot(`
      "0 thinking
      0 voice failed
      20 clear
      20 voice failed
      40 voice failed
      60 clear
      60 voice failed
      60 closing
      80 voice failed
      100 hang up by assistant: voice_failed
      100 closed"
    `);
  });
});

describe('a recogniser', () => {
  it('that fails is opened anew, and the second failure ends the call', async () => {
    const recogniser = handRecogniser();
    const call = new Scenario({ recogniser });
    await call.answerAndGreet();
    recogniser.emit({ type: 'failed', error: GONE });
    await call.silence(1000);
    expect(recogniser.opened).toBe(2);
    recogniser.emit({ type: 'failed', error: GONE });
    await call.silence(6000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1000 recogniser failed
      2000 recogniser failed
      2000 closing
      2020 turn 2 sounds
      5600 bot "I am sorry, we have a technical problem. Please call again later. Goodbye."
      5600 hang up by assistant: recogniser_failed
      5600 closed
      5620 turn 2 falls silent"
    `);
  });
});
