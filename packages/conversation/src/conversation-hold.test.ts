/** Calls that the far end puts on hold, in virtual time: milliseconds since the answer, then what happened. */
import { describe, expect, it } from 'vitest';
import { ManualClock } from '@parley/runtime';
import { createFakeRecogniser, fakeSpeech } from '@parley/speech/fakes';
import { Scenario, type ScenarioOptions } from '../test/scenario.ts';

const HOLD_MS = 30_000;

async function greeted(options: ScenarioOptions = {}): Promise<Scenario> {
  const call = new Scenario(options);
  await call.answerAndGreet();
  return call;
}

describe('a call on hold', () => {
  it('continues in the middle of the sentence when it is resumed', async () => {
    const call = new Scenario({ settings: { initialMessage: 'This is a somewhat longer greeting.' } });
    await call.answer();
    await call.silence(500);
    call.hold(true);
    await call.silence(HOLD_MS);
    call.hold(false);
    await call.silence(3000);
    expect(call.story()).toMatchInlineSnapshot(`
      "0 thinking
      20 speaking
      20 turn 1 sounds
      500 held
      520 turn 1 falls silent
      30500 resumed
      30520 turn 1 sounds
      31760 bot "This is a somewhat longer greeting."
      31760 waiting
      31780 turn 1 falls silent"
    `);
    expect(call.transcript()).toEqual(['bot: This is a somewhat longer greeting.']);
  });

  it('begins its first message after the rest of the delay', async () => {
    const call = new Scenario({ settings: { greetingDelaySeconds: 1 } });
    await call.answer();
    await call.silence(200);
    call.hold(true);
    await call.silence(HOLD_MS);
    call.hold(false);
    await call.silence(1000);
    expect(call.story()).toContain(`${HOLD_MS + 1000} thinking`);
  });

  it('has neither check-ins nor a goodbye, and counts the silence on both sides of the hold', async () => {
    const call = await greeted({ settings: { reEngagementIntervalSeconds: 60, maxSilenceSeconds: 10 } });
    call.hold(true);
    await call.silence(HOLD_MS);
    call.hold(false);
    await call.silence(9000);
    call.log.length = 0;
    await call.silence(1000);
    expect(call.story()).toMatchInlineSnapshot(`
      "40300 closing
      40320 turn 2 sounds"
    `);
  });

  it('does not take the music on hold for the caller', async () => {
    const clock = new ManualClock();
    const recogniser = createFakeRecogniser({ clock, utterances: ['Music.'] });
    const call = await greeted({ clock, recogniser });
    call.hold(true);
    await call.speech(HOLD_MS);
    call.hold(false);
    await call.silence(5000);
    expect(call.transcript()).toEqual(['bot: Hello.']);
  });

  it('gets the reply that was generated meanwhile', async () => {
    const call = await greeted({ answers: [{ ...fakeSpeech('Yes.'), firstAfterMs: 500 }] });
    await call.speech(800);
    await call.silence(600);
    call.hold(true);
    await call.silence(HOLD_MS);
    call.hold(false);
    await call.silence(2000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "[not recognised]"
      2300 thinking
      2400 held
      32400 resumed
      32420 speaking
      32420 turn 2 sounds
      32600 bot "Yes."
      32600 waiting
      32620 turn 2 falls silent"
    `);
  });

  it('ends with the limit of the call', async () => {
    const call = await greeted({ settings: { maxCallSeconds: 20 } });
    call.hold(true);
    await call.silence(HOLD_MS);
    expect(call.story()).toMatchInlineSnapshot(`
      "1000 held
      20000 hang up by limit: duration_limit
      20000 closed"
    `);
  });
});
