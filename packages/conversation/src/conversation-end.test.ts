/**
 * How conversations end, in virtual time; each with the log of what happened: milliseconds since the answer, then what.
 * The fake voice needs 50 ms for a character.
 */
import { describe, expect, it } from 'vitest';
import { ManualClock } from '@parley/runtime';
import {
  createFakeModel,
  createFakeRecogniser,
  createFakeSynthesiser,
  fakeSpeech,
  fakeToolCall,
} from '@parley/speech/fakes';
import { hangingModel, stallsAt } from '../test/faulty-providers.ts';
import { handRecogniser } from '../test/hand-recogniser.ts';
import { askedCall, Scenario } from '../test/scenario.ts';

describe('silence', () => {
  it('ends nothing when the caller speaks over the goodbye after all', async () => {
    const call = new Scenario({
      answers: [fakeSpeech('Good that you are there.')],
      settings: { maxSilenceSeconds: 5 },
    });
    await call.answerAndGreet();
    await call.silence(7000);
    await call.speech(600);
    await call.silence(5000);
    expect(call.transcript()).toEqual([
      'bot: Hello.',
      'bot: I cannot hear you any more, so I will end the call now. Goodbye.',
      'human: [not recognised]',
      'bot: Good that you are there.',
    ]);
    await call.end();
  });

  it('is broken by up to three check-ins, and ends in a goodbye', async () => {
    const clock = new ManualClock();
    const model = createFakeModel({ clock, answers: () => fakeSpeech('Still there?') });
    const settings = { reEngagementIntervalSeconds: 7, maxSilenceSeconds: 40 };
    const call = new Scenario({ clock, model, settings });
    await call.answerAndGreet();
    await call.silence(45_000);
    expect(call.story()).toMatchInlineSnapshot(`
      "7300 thinking
      7320 speaking
      7320 turn 2 sounds
      7900 bot "Still there?"
      7900 waiting
      7920 turn 2 falls silent
      14900 thinking
      14920 speaking
      14920 turn 3 sounds
      15500 bot "Still there?"
      15500 waiting
      15520 turn 3 falls silent
      22500 thinking
      22520 speaking
      22520 turn 4 sounds
      23100 bot "Still there?"
      23100 waiting
      23120 turn 4 falls silent
      40300 closing
      40320 turn 5 sounds
      43460 bot "I cannot hear you any more, so I will end the call now. Goodbye."
      43460 hang up by assistant: silence_limit
      43460 closed
      43480 turn 5 falls silent"
    `);
    expect(model.requests[0]?.dialogue).toEqual([
      { role: 'assistant', text: 'Hello.' },
      { role: 'customer', kind: 'silence', text: '' },
    ]);
    const end = await call.end();
    expect(end.hangUp).toEqual({ by: 'assistant', reason: 'silence_limit' });
  });

  it('with a limit below the interval has no check-in', async () => {
    const call = new Scenario({ settings: { maxSilenceSeconds: 5, language: 'de' } });
    await call.answerAndGreet();
    await call.silence(12_000);
    expect(call.story()).toMatchInlineSnapshot(`
      "5300 closing
      5320 turn 2 sounds
      9460 bot "Ich kann Sie leider nicht mehr hören und beende jetzt das Gespräch. Auf Wiederhören."
      9460 hang up by assistant: silence_limit
      9460 closed
      9480 turn 2 falls silent"
    `);
  });

  it('is forgotten when the caller speaks', async () => {
    const clock = new ManualClock();
    const model = createFakeModel({ clock, answers: () => fakeSpeech('Yes?') });
    const call = new Scenario({
      clock,
      model,
      settings: { reEngagementIntervalSeconds: 7, maxSilenceSeconds: 12 },
    });
    await call.answerAndGreet();
    await call.silence(7500);
    await call.speech(600);
    await call.silence(7000);
    expect(call.story()).toMatchInlineSnapshot(`
      "7300 thinking
      7320 speaking
      7320 turn 2 sounds
      7500 bot "Yes?"
      7500 waiting
      7520 turn 2 falls silent
      8560 listening
      9380 ending
      9600 human "[not recognised]"
      9600 thinking
      9620 speaking
      9620 turn 3 sounds
      9800 bot "Yes?"
      9800 waiting
      9820 turn 3 falls silent"
    `);
  });
});

describe('the limit of the call', () => {
  it('is announced to the model ten seconds before, and ends the call on time', async () => {
    const clock = new ManualClock();
    const model = createFakeModel({ clock, answers: [fakeSpeech('We must stop here. Goodbye.')] });
    const call = new Scenario({ clock, model, settings: { maxCallSeconds: 15 } });
    await call.answerAndGreet();
    await call.silence(16_000);
    expect(call.story()).toMatchInlineSnapshot(`
      "7500 thinking
      7520 speaking
      7520 turn 2 sounds
      8800 bot "We must stop here. Goodbye."
      8800 waiting
      8820 turn 2 falls silent
      15000 hang up by limit: duration_limit
      15000 closed"
    `);
    expect(model.requests).toHaveLength(1);
    expect(model.requests[0]?.systemPrompt).toMatch(/^You are a test\.\n\nThe call is out of time/u);
    const { hangUp } = await call.end();
    expect(hangUp).toEqual({ by: 'limit', reason: 'duration_limit' });
  });

  it('interrupts any speech', async () => {
    const call = new Scenario({
      answers: [fakeSpeech('One two three. '.repeat(40))],
      settings: { maxCallSeconds: 6 },
    });
    await call.answerAndGreet();
    await call.speech(800);
    await call.silence(5000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      2320 speaking
      2320 turn 2 sounds
      6000 clear
      6000 bot "One two three. One two three. One two three. One two three. One two three. One"
      6000 hang up by limit: duration_limit
      6000 closed
      6020 turn 2 falls silent"
    `);
  });
});

describe('end_call', () => {
  it('hangs up when the goodbye has been heard', async () => {
    const call = await askedCall([fakeToolCall('Thank you. Goodbye.', 'end_call')]);
    await call.silence(3000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      2300 closing
      2320 turn 2 sounds
      3200 bot "Thank you. Goodbye."
      3200 hang up by assistant: end_call
      3200 closed
      3220 turn 2 falls silent"
    `);
  });

  it('without a word hangs up at once', async () => {
    const call = await askedCall([fakeToolCall('', 'end_call')]);
    await call.silence(3000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      2300 closing
      2300 hang up by assistant: end_call
      2300 closed"
    `);
  });

  it('is not cut off by a caller who speaks over the goodbye, who is heard once more', async () => {
    const goodbye = fakeToolCall('Thank you for your call. Goodbye.', 'end_call');
    const call = await askedCall([goodbye, goodbye]);
    for (let n = 0; n < 2; n++) {
      await call.silence(1000);
      await call.speech(800);
      await call.silence(900);
    }
    await call.silence(1500);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      2300 closing
      2320 turn 2 sounds
      3900 bot "Thank you for your call. Goodbye."
      3900 ending
      3920 turn 2 falls silent
      4100 human "[not recognised]"
      4100 thinking
      4100 closing
      4120 turn 3 sounds
      5700 bot "Thank you for your call. Goodbye."
      5700 human "[not recognised]"
      5700 hang up by assistant: end_call
      5700 closed
      5720 turn 3 falls silent"
    `);
  });

  /** The assistant takes leave from 2300 to 3900, and the caller says something over it. */
  async function overGoodbye(...texts: string[]): Promise<Scenario> {
    const recogniser = handRecogniser();
    const goodbye = fakeToolCall('Thank you for your call. Goodbye.', 'end_call');
    const call = await askedCall([goodbye, fakeSpeech('At nine.')], { recogniser });
    await call.silence(200);
    recogniser.emit({ type: 'final', text: 'That is all.' });
    await call.silence(1000);
    for (const text of texts) {
      await call.speech(400);
      await call.silence(200);
      recogniser.emit({ type: 'final', text });
    }
    await call.silence(3000);
    return call;
  }

  it('waits for the answer to a question that is asked over the goodbye', async () => {
    const call = await overGoodbye('Wait, when do you open?');
    expect(call.transcript().slice(2)).toEqual([
      'bot: Thank you for your call. Goodbye.',
      'human: Wait, when do you open?',
      'bot: At nine.',
    ]);
    expect(call.events.some(({ type }) => type === 'hang-up')).toBe(false);
  });

  it.each(['Thank you, bye.', 'Okay.', ''])('hangs up on a caller who only says “%s”', async (text) => {
    const call = await overGoodbye(text);
    expect(call.transcript().at(-1)).not.toBe('bot: At nine.');
    expect((await call.end()).hangUp).toEqual({ by: 'assistant', reason: 'end_call' });
  });

  it('waits no longer than three seconds for a goodbye that does not come', async () => {
    const clock = new ManualClock();
    const model = createFakeModel({ clock, answers: [fakeToolCall('So long.', 'end_call')] });
    const call = await askedCall([], { clock, model, synthesiser: stallsAt(clock, 'So long.', 0) });
    await call.silence(9000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      2300 closing
      5300 clear
      5300 hang up by assistant: end_call
      5300 closed"
    `);
  });

  it('does nothing for an assistant that does not have it', async () => {
    const clock = new ManualClock();
    const model = createFakeModel({
      clock,
      answers: [fakeToolCall('One moment.', 'end_call'), fakeSpeech('I stay.')],
    });
    const call = await askedCall([], { clock, model, settings: { tools: [] } });
    await call.silence(4000);
    expect(call.transcript().at(-1)).toBe('bot: One moment. I stay.');
    expect(model.requests[1]?.dialogue.slice(-2)).toMatchObject([
      { role: 'assistant', text: 'One moment.', toolCalls: [{ name: 'end_call' }] },
      { role: 'tool', name: 'end_call', result: 'There is no such tool.' },
    ]);
  });
});

describe('a call that ends', () => {
  it('in the middle of a sentence keeps what was heard of it', async () => {
    const clock = new ManualClock();
    const model = createFakeModel({ clock, answers: [fakeSpeech('We open at nine every day of the week.')] });
    const recogniser = createFakeRecogniser({ clock, utterances: ['When?'], finalAfterMs: 100 });
    const call = await askedCall([], { clock, model, recogniser });
    await call.silence(1300);
    const end = await call.end();
    expect(end).toMatchObject({ hangUp: null, durationMs: 3100, turns: call.conversation.transcript() });
    expect(call.transcript()).toEqual(['bot: Hello.', 'human: When?', 'bot: We open at nine –']);
    expect(clock.pendingTimers()).toBe(0);
  });

  it('in the middle of the caller’s turn keeps that they spoke', async () => {
    const call = await askedCall([]);
    await call.end();
    expect(call.transcript()).toEqual(['bot: Hello.', 'human: [not recognised]']);
  });

  it('before the words of the caller are recognised waits for them, and answers nothing', async () => {
    const clock = new ManualClock();
    const model = createFakeModel({ clock, answers: [] });
    const recogniser = handRecogniser();
    const call = await askedCall([], { clock, model, recogniser });
    const ended = call.end();
    expect(recogniser.finalised).toBe(1);
    await clock.advanceAsync(700);
    recogniser.emit({ type: 'final', text: 'No thanks, goodbye.' });
    expect((await ended).turns.map(({ text }) => text)).toEqual(['Hello.', 'No thanks, goodbye.']);
    expect(model.requests).toEqual([]);
    expect(clock.pendingTimers()).toBe(0);
  });

  it('waits three seconds for words that do not come', async () => {
    const clock = new ManualClock();
    const call = await askedCall([], { clock, recogniser: handRecogniser() });
    const ended = call.end();
    await clock.advanceAsync(3000);
    expect((await ended).turns.map(({ text }) => text)).toEqual(['Hello.', '[not recognised]']);
  });

  it('by an operator asks to hang up at once, and only once', async () => {
    const call = await askedCall([fakeSpeech('We open at nine every day.')]);
    await call.silence(1000);
    call.conversation.hangUpRequested('hang_up_requested');
    call.conversation.hangUpRequested('shutdown');
    await call.silence(500);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      2320 speaking
      2320 turn 2 sounds
      2800 clear
      2800 bot "We open at"
      2800 hang up by operator: hang_up_requested
      2800 closed
      2820 turn 2 falls silent"
    `);
    const { hangUp } = await call.end();
    expect(hangUp).toEqual({ by: 'operator', reason: 'hang_up_requested' });
  });

  it('before the answer ends quietly, even in the middle of the preparation', async () => {
    const clock = new ManualClock();
    const call = new Scenario({
      clock,
      synthesiser: createFakeSynthesiser({ clock, firstChunkAfterMs: 400 }),
    });
    const prepared = call.conversation.prepare();
    await clock.advanceAsync(200);
    const end = await call.end();
    await prepared;
    expect(end).toMatchObject({ hangUp: null, durationMs: 0, turns: [] });
    expect(clock.pendingTimers()).toBe(0);
    call.conversation.start();
    call.press('1');
    expect(call.line.queuedSamples()).toBe(0);
  });

  it('leaves nothing running, although the providers hang', async () => {
    const call = await askedCall([], { model: hangingModel });
    await call.silence(1000);
    await call.end();
    await call.silence(5000);
    expect(call.clock.pendingTimers()).toBe(0);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      2800 clear
      2800 closed"
    `);
  });
});
