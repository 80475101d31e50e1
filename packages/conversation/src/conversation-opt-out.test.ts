/** Callers who ask not to be called again, in virtual time. The caller has heard the greeting; one second has passed. */
import { describe, expect, it } from 'vitest';
import { ManualClock } from '@parley/runtime';
import { createFakeModel, fakeSpeech, fakeToolCall } from '@parley/speech/fakes';
import { handRecogniser } from '../test/hand-recogniser.ts';
import { Scenario } from '../test/scenario.ts';
import type { ConversationSettings } from './conversation-settings.ts';

const ANSWER = fakeSpeech('We have a wonderful offer for you today, and it ends very soon.');
const PIN = {
  type: 'collect_keys',
  name: 'ask_pin',
  description: 'The PIN.',
  prompt: '',
  collection: { maxKeys: 2, terminator: '#', timeoutMs: 5000, variable: 'pin' },
} as const;

async function setup(settings: Partial<ConversationSettings> = {}, answers = [ANSWER]) {
  const clock = new ManualClock();
  const recogniser = handRecogniser();
  const model = createFakeModel({ clock, answers });
  const call = new Scenario({ clock, model, recogniser, settings });
  await call.answerAndGreet();
  const say = async (text: string): Promise<void> => {
    await call.speech(800);
    recogniser.emit({ type: 'final', text });
  };
  const ended = () => call.events.filter(({ type }) => type === 'opted-out' || type === 'hang-up');
  return { call, recogniser, say, model, ended };
}

describe('"stop calling me"', () => {
  it('is reported at once, acknowledged in one sentence, and ends the call', async () => {
    const { call, say, model } = await setup();
    await say('Please stop calling me.');
    await call.silence(8000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      1800 human "Please stop calling me."
      1800 opted out: said
      1800 closing
      1840 turn 2 sounds
      4480 bot "All right. We will not call this number again. Goodbye."
      4480 hang up by assistant: opted_out
      4480 closed
      4500 turn 2 falls silent"
    `);
    expect(model.requests).toEqual([]);
  });

  it('stops the assistant in the middle of a reply that cannot be interrupted', async () => {
    const { call, say, ended } = await setup({ allowInterruptions: false });
    await say('Who is this?');
    await call.silence(1000);
    await say('Take me off your list.');
    await call.silence(8000);
    expect(ended()).toMatchObject([
      { type: 'opted-out', means: 'said' },
      { type: 'hang-up', reason: 'opted_out' },
    ]);
    expect(call.transcript()).toContain('human: Take me off your list.');
  });

  it('in two finals is one request', async () => {
    const { call, say, ended } = await setup();
    await say("Don't call");
    await say('me again.');
    await call.silence(8000);
    expect(ended()).toMatchObject([{ means: 'said' }, { reason: 'opted_out' }]);
  });

  it('during the last words is reported too, and the call ends as it would have', async () => {
    const { call, say, ended } = await setup({}, [fakeToolCall('Thank you very much. Goodbye.', 'end_call')]);
    await say('That is all.');
    await call.silence(800);
    await say("And don't call me again.");
    await call.silence(8000);
    expect(ended()).toMatchObject([{ type: 'opted-out' }, { type: 'hang-up', reason: 'end_call' }]);
  });

  it('is reported too when the caller hangs up before it is recognised', async () => {
    const { call, recogniser, ended } = await setup();
    await call.speech(800);
    const end = call.end();
    await call.clock.advanceAsync(400);
    recogniser.emit({ type: 'final', text: 'Please stop calling me.' });
    expect((await end).hangUp).toBeNull();
    expect(ended()).toEqual([expect.objectContaining({ type: 'opted-out', means: 'said' })]);
    expect(call.transcript()).toEqual(['bot: Hello.', 'human: Please stop calling me.']);
  });

  it('is confirmed in the language of the call', async () => {
    const { call, say } = await setup({ language: 'de' });
    await say('Rufen Sie mich bitte nicht mehr an.');
    await call.silence(9000);
    expect(call.transcript().at(-1)).toContain('Wir rufen diese Nummer nicht mehr an.');
  });

  it.each(['Do not stop calling me.', 'Stop calling me Bob.'])('is not: %s', async (text) => {
    const { call, say, ended, model } = await setup();
    await say(text);
    await call.silence(3000);
    expect(ended()).toEqual([]);
    expect(model.requests).toHaveLength(1);
  });

  it('has no effect where a call has no number', async () => {
    const { call, say, ended } = await setup({ hearsOptOut: false });
    await say('Stop calling me.');
    await call.silence(3000);
    expect(ended()).toEqual([]);
  });
});

describe('the opt-out key', () => {
  it('has the same effect as the words', async () => {
    const { call, ended } = await setup({ optOutKey: '9' });
    call.press('9');
    await call.silence(8000);
    expect(ended()).toMatchObject([{ means: 'pressed' }, { reason: 'opted_out' }]);
    expect(call.transcript()).toContain('human: [pressed 9]');
  });

  it('within a longer entry is a key like others', async () => {
    const { call, ended } = await setup({ optOutKey: '9' });
    call.press('1');
    call.press('9');
    await call.silence(3000);
    expect(ended()).toEqual([]);
  });

  it('is a key like others without the setting', async () => {
    const { call, ended } = await setup();
    call.press('9');
    await call.silence(3000);
    expect(ended()).toEqual([]);
  });

  it('belongs to a tool that collects keys', async () => {
    const answers = [fakeToolCall('', 'ask_pin'), fakeSpeech('Thank you.')];
    const { call, say, ended } = await setup({ optOutKey: '9', tools: [PIN] }, answers);
    await say('Well?');
    await call.silence(1500);
    call.press('9');
    call.press('9');
    await call.silence(3000);
    expect(ended()).toEqual([]);
    expect(call.conversation.notes()).toEqual({ pin: '99' });
  });
});
