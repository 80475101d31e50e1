/**
 * The caller against the assistant's voice, in virtual time; each with the log of what happened: milliseconds since
 * the answer, then what. The fake voice needs 50 ms for a character, so 20 characters are a second.
 */
import { describe, expect, it } from 'vitest';
import { ManualClock } from '@parley/runtime';
import { createFakeModel, createFakeRecogniser, fakeSpeech } from '@parley/speech/fakes';
import { handRecogniser } from '../test/hand-recogniser.ts';
import { askedCall, Scenario } from '../test/scenario.ts';

const OFFER = 'I can book a table for you. For when?';

describe('a barge-in', () => {
  it('lowers the assistant at once and stops it when the caller means it', async () => {
    const clock = new ManualClock();
    const model = createFakeModel({ clock, answers: [fakeSpeech(OFFER), fakeSpeech('All right.')] });
    const call = await askedCall([], { clock, model });
    await call.silence(1500);
    await call.speech(900);
    await call.silence(2000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      2320 speaking
      2320 turn 2 sounds
      3360 lower
      3360 overlapped
      3820 clear
      3820 resume
      3820 bot "I can book a table for you. For"
      3820 listening
      3840 turn 2 falls silent
      4480 ending
      4700 human "[not recognised]"
      4700 thinking
      4720 speaking
      4720 turn 3 sounds
      5200 bot "All right."
      5200 waiting
      5220 turn 3 falls silent"
    `);
    expect(model.requests[1]?.dialogue).toEqual([
      { role: 'assistant', text: 'Hello.' },
      { role: 'customer', kind: 'unrecognised', text: '' },
      { role: 'assistant', text: 'I can book a table for you. For' },
      { role: 'customer', kind: 'unrecognised', text: '' },
    ]);
  });

  it('that is none leaves no hole in the assistant’s speech', async () => {
    const call = await askedCall([fakeSpeech(`${OFFER} ${OFFER}`)]);
    await call.silence(1500);
    await call.speech(300);
    await call.silence(4000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      2320 speaking
      2320 turn 2 sounds
      3360 lower
      3360 overlapped
      3900 resume
      3900 speaking
      4640 human "[not recognised]"
      5900 bot "I can book a table for you. For when? I can book a table for you. For when?"
      5900 waiting
      5920 turn 2 falls silent"
    `);
    const samples = call.line.sent
      .filter(({ turn }) => turn === 2)
      .reduce((sum, frame) => sum + frame.samples, 0);
    expect(samples).toBe(72 * 50 * 8);
  });

  it.each([700, 1300])(
    'is not an acknowledgement of %s ms whose words come after it: the assistant goes on where it paused',
    async (lengthMs) => {
      const clock = new ManualClock();
      const utterances = ['A table, please.', 'Yes, yes, yes.', 'Tomorrow.'];
      const recogniser = createFakeRecogniser({ clock, utterances, finalAfterMs: 300 });
      const answers = [fakeSpeech(`${OFFER} ${OFFER}`), fakeSpeech('All right.')];
      const model = createFakeModel({ clock, answers });
      const call = await askedCall([], { clock, model, recogniser });
      await call.silence(1900);
      await call.speech(lengthMs);
      await call.silence(3000);
      await call.speech(900);
      await call.silence(3000);
      expect(call.transcript().slice(2)).toEqual([
        `bot: ${OFFER} ${OFFER}`,
        'human: Yes, yes, yes.',
        'human: Tomorrow.',
        'bot: All right.',
      ]);
      expect(model.requests).toHaveLength(2);
    },
  );

  it('before the first frame leaves nothing of the answer', async () => {
    const call = await askedCall([fakeSpeech(OFFER, { firstAfterMs: 600 }), fakeSpeech('All right.')]);
    await call.silence(700);
    await call.speech(900);
    await call.silence(2000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      2560 pause
      2560 overlapped
      3020 clear
      3020 resume
      3020 listening
      3680 ending
      3900 human "[not recognised]"
      3900 thinking
      3920 speaking
      3920 turn 3 sounds
      4400 bot "All right."
      4400 waiting
      4420 turn 3 falls silent"
    `);
    expect(call.line.sent.some(({ turn }) => turn === 2)).toBe(false);
  });

  it('that is none before the first frame only delays it', async () => {
    const call = await askedCall([fakeSpeech('Yes.', { firstAfterMs: 600 })]);
    await call.silence(700);
    await call.speech(300);
    await call.silence(3000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      2560 pause
      2560 overlapped
      3100 human "[not recognised]"
      3100 resume
      3100 thinking
      3120 speaking
      3120 turn 2 sounds
      3300 bot "Yes."
      3300 waiting
      3320 turn 2 falls silent"
    `);
  });

  it('takes longer with a patient assistant', async () => {
    const call = await askedCall([fakeSpeech(`${OFFER} ${OFFER}`)], {
      settings: { interruptSensitivitySeconds: 1 },
    });
    await call.silence(1500);
    await call.speech(1500);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      2320 speaking
      2320 turn 2 sounds
      3360 lower
      3360 overlapped
      3920 pause
      3940 turn 2 falls silent
      4320 clear
      4320 resume
      4320 bot "I can book a table for you. For"
      4320 listening"
    `);
  });

  it('needs as many words as asked for, and takes them when they come', async () => {
    const recogniser = handRecogniser();
    const settings = { minInterruptWords: 2 };
    const call = await askedCall([fakeSpeech(OFFER), fakeSpeech('Yes.')], { recogniser, settings });
    await call.silence(300);
    recogniser.emit({ type: 'final', text: 'A table, please.' });
    await call.silence(1200);
    await call.speech(900);
    recogniser.emit({ type: 'interim', text: 'Wait' });
    await call.silence(600);
    recogniser.emit({ type: 'final', text: 'Wait a moment.' });
    await call.silence(1000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "A table, please."
      2300 thinking
      2320 speaking
      2320 turn 2 sounds
      3360 lower
      3360 overlapped
      3920 pause
      3940 turn 2 falls silent
      4200 clear
      4200 resume
      4200 bot "I can book a table for you. For"
      4200 listening
      4480 ending
      4700 human "Wait"
      4700 thinking
      4720 speaking
      4720 turn 3 sounds
      4800 human "Wait a moment."
      4900 bot "Yes."
      4900 waiting
      4920 turn 3 falls silent"
    `);
  });

  it('with too few words is none, and stands in the transcript', async () => {
    const recogniser = handRecogniser();
    const settings = { minInterruptWords: 2 };
    const call = await askedCall([fakeSpeech(`${OFFER} ${OFFER}`)], { recogniser, settings });
    await call.silence(300);
    recogniser.emit({ type: 'final', text: 'A table, please.' });
    await call.silence(1200);
    await call.speech(900);
    await call.silence(300);
    recogniser.emit({ type: 'final', text: 'Okay.' });
    await call.silence(4000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "A table, please."
      2300 thinking
      2320 speaking
      2320 turn 2 sounds
      3360 lower
      3360 overlapped
      3920 pause
      3940 turn 2 falls silent
      4520 resume
      4520 speaking
      4540 turn 2 sounds
      5540 human "Okay."
      6500 bot "I can book a table for you. For when? I can book a table for you. For when?"
      6500 waiting
      6520 turn 2 falls silent"
    `);
  });

  it('is not possible where the assistant may not be interrupted', async () => {
    const call = await askedCall([fakeSpeech(`${OFFER} ${OFFER}`)], {
      settings: { allowInterruptions: false },
    });
    await call.silence(1000);
    await call.speech(600);
    await call.silence(2000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      2320 speaking
      2320 turn 2 sounds
      4460 human "[not recognised]""
    `);
  });

  it('that lasts beyond the assistant’s turn is the next turn', async () => {
    const answers = [fakeSpeech(OFFER), fakeSpeech('Yes.')];
    const call = await askedCall(answers, { settings: { allowInterruptions: false } });
    await call.silence(2000);
    await call.speech(1000);
    await call.silence(1000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      2320 speaking
      2320 turn 2 sounds
      4100 bot "I can book a table for you. For when?"
      4100 listening
      4120 turn 2 falls silent
      5060 ending
      5300 human "[not recognised]"
      5300 thinking
      5320 speaking
      5320 turn 3 sounds
      5500 bot "Yes."
      5500 waiting
      5520 turn 3 falls silent"
    `);
  });
});

describe('keys', () => {
  it('stop the assistant and are one answer when pressed together', async () => {
    const clock = new ManualClock();
    const model = createFakeModel({ clock, answers: [fakeSpeech(OFFER), fakeSpeech('Thank you.')] });
    const call = await askedCall([], { clock, model, settings: { allowInterruptions: false } });
    await call.silence(1500);
    call.press('4');
    await call.silence(600);
    call.press('2');
    await call.silence(2000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      2320 speaking
      2320 turn 2 sounds
      3300 key 4
      3300 clear
      3300 bot "I can book a table"
      3300 ending
      3320 turn 2 falls silent
      3900 key 2
      4900 human "[pressed 42]"
      4900 thinking
      4920 speaking
      4920 turn 3 sounds
      5400 bot "Thank you."
      5400 waiting
      5420 turn 3 falls silent"
    `);
    expect(model.requests[1]?.dialogue.at(-1)).toEqual({ role: 'customer', kind: 'dtmf', text: '42' });
  });

  it('are answered at once after a hash', async () => {
    const call = new Scenario({ answers: [fakeSpeech('Thank you.')] });
    await call.answerAndGreet();
    call.press('1');
    await call.silence(200);
    call.press('#');
    await call.silence(1000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1000 key 1
      1000 ending
      1200 key #
      1200 human "[pressed 1#]"
      1200 thinking
      1240 speaking
      1240 turn 2 sounds
      1720 bot "Thank you."
      1720 waiting
      1740 turn 2 falls silent"
    `);
  });
});

describe('a line that is as late as a media worker', () => {
  it.each([1, 2])('%i frames: speech at any instant of a turn leaves the line open', async (lateFrames) => {
    for (let beforeMs = 2000; beforeMs <= 2180; beforeMs += 20) {
      const call = await askedCall([fakeSpeech('I can book it for you on Tuesday?'), fakeSpeech('Good.')]);
      call.line.lateFrames = lateFrames;
      await call.silence(beforeMs);
      await call.speech(300);
      await call.silence(2600);
      expect(call.line.isPaused, `speech ${beforeMs} ms later`).toBe(false);
    }
  });
});
