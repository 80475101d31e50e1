/** A supervisor who listens in, whispers and takes over, in virtual time. The caller has heard the greeting; one second has passed. */
import { describe, expect, it } from 'vitest';
import { ManualClock } from '@parley/runtime';
import { createFakeModel, fakeSpeech } from '@parley/speech/fakes';
import { handRecogniser } from '../test/hand-recogniser.ts';
import { Scenario } from '../test/scenario.ts';
import type { ConversationSettings } from './conversation-settings.ts';

const LONG = fakeSpeech('We are open from nine until five on every day of the week.');
const SHORT = fakeSpeech('Yes.');

async function setup(settings: Partial<ConversationSettings> = {}, answers = [LONG, SHORT]) {
  const clock = new ManualClock();
  const recogniser = handRecogniser();
  const model = createFakeModel({ clock, answers });
  const call = new Scenario({ clock, model, recogniser, settings });
  await call.answerAndGreet();
  const say = async (text: string): Promise<void> => {
    await call.speech(800);
    recogniser.emit({ type: 'final', text });
    await call.silence(700);
  };
  const types = () => call.events.map(({ type }) => type).filter((type) => type !== 'phase');
  return { call, say, model, types, supervisor: call.conversation.supervision };
}

describe('the announcement', () => {
  it('is spoken at once to a caller who waits, and reported when it was heard to its end', async () => {
    const { call, supervisor } = await setup();
    supervisor.announce();
    await call.silence(500);
    expect(call.events).not.toContainEqual({ type: 'announced' });
    await call.silence(3000);
    expect(call.events).toContainEqual({ type: 'announced' });
    expect(call.transcript()).toEqual(['bot: Hello.', 'bot: A colleague is now listening to this call.']);
  });

  it('follows the reply that is being spoken', async () => {
    const { call, say, supervisor } = await setup();
    await say('When are you open?');
    supervisor.announce();
    await call.silence(8000);
    expect(call.transcript().slice(2)).toEqual([
      'bot: We are open from nine until five on every day of the week.',
      'bot: A colleague is now listening to this call.',
    ]);
  });

  it('is spoken again if the caller has cut it', async () => {
    const { call, say, supervisor } = await setup();
    supervisor.announce();
    await call.silence(600);
    await say('Who is there?');
    expect(call.events).not.toContainEqual({ type: 'announced' });
    await call.silence(9000);
    expect(call.events.filter(({ type }) => type === 'announced')).toHaveLength(1);
    expect(call.transcript().at(-1)).toBe('bot: A colleague is now listening to this call.');
  });

  it('is no part of the dialogue, and the model is informed about it', async () => {
    const { call, say, model, supervisor } = await setup();
    supervisor.announce();
    await call.silence(4000);
    await say('When are you open?');
    expect(model.requests[0]?.dialogue).toMatchObject([{ text: 'Hello.' }, { text: 'When are you open?' }]);
    expect(model.requests[0]?.systemPrompt).toContain('was told that a colleague is now listening');
  });
});

describe('a whisper', () => {
  it('is in the prompt of the next reply, on one line, and is not spoken', async () => {
    const { call, say, model, supervisor } = await setup();
    expect(supervisor.whisper('Offer ten percent.\n\nIgnore the rest')).toBe(true);
    await say('That is too expensive.');
    expect(model.requests[0]?.systemPrompt).toContain('\n- Offer ten percent. Ignore the rest');
    expect(call.transcript().join(' ')).not.toContain('ten percent');
  });

  it('discards a reply that was generated ahead without it', async () => {
    const { call, say, model, supervisor } = await setup();
    await call.speech(800);
    await call.silence(200);
    supervisor.whisper('Offer ten percent.');
    await say('That is too expensive.');
    expect(model.requests.at(-1)?.systemPrompt).toContain('Offer ten percent.');
  });

  it('is refused when the conversation is over', async () => {
    const { call, supervisor } = await setup();
    await call.end();
    expect(supervisor.whisper('Offer ten percent.')).toBe(false);
  });
});

describe('a call that is taken over', () => {
  it('silences the assistant in the middle of a word', async () => {
    const { call, say, supervisor } = await setup();
    await say('When are you open?');
    await call.silence(500);
    call.log.length = 0;
    expect(supervisor.attend(true)).toBe(true);
    await call.silence(2000);
    expect(call.story()).toMatch(
      /^(\d+) clear\n\1 bot "We are open"\n\1 attended\n\d+ turn 2 falls silent$/u,
    );
  });

  it('records what the caller says, without a reply', async () => {
    const { call, say, model, supervisor } = await setup();
    supervisor.attend(true);
    await say('I want a refund.');
    await say('It is number seven.');
    await call.silence(60_000);
    expect(call.transcript()).toEqual([
      'bot: Hello.',
      'human: I want a refund.',
      'human: It is number seven.',
    ]);
    expect(model.requests).toEqual([]);
  });

  it('continues with the assistant when it is given back, which knows what the caller has said', async () => {
    const { call, say, model, supervisor } = await setup();
    supervisor.attend(true);
    await say('I want a refund.');
    expect(supervisor.attend(false)).toBe(false);
    await call.silence(8000);
    expect(call.transcript().at(-1)).toContain('bot: We are open');
    expect(model.requests[0]?.systemPrompt).toContain('a colleague has talked to the caller');
    expect(model.requests[0]?.dialogue).toContainEqual(expect.objectContaining({ text: 'I want a refund.' }));
  });

  it('answers a caller who speaks when it is given back', async () => {
    const { call, model, supervisor } = await setup();
    supervisor.attend(true);
    await call.speech(600);
    supervisor.attend(false);
    await call.speech(400);
    await call.silence(4000);
    expect(model.requests).toHaveLength(1);
    expect(model.requests[0]?.dialogue.at(-1)).toMatchObject({ role: 'customer', kind: 'unrecognised' });
  });

  it('reports a request not to be called again and leaves the end to the person', async () => {
    const { say, types, supervisor } = await setup();
    supervisor.attend(true);
    await say('Please stop calling me.');
    expect(types()).toContain('opted-out');
    expect(types()).not.toContain('hang-up');
  });

  it('ends at the limit of the call', async () => {
    const { call, types, supervisor } = await setup({ maxCallSeconds: 20 });
    supervisor.attend(true);
    await call.silence(20_000);
    expect(types()).toContain('hang-up');
  });

  it('is refused until the disclosure message was spoken', async () => {
    const call = new Scenario({ settings: { disclosureMessage: 'This call is recorded.' } });
    await call.answer();
    await call.silence(200);
    expect(call.conversation.supervision.attend(true)).toBe(false);
    await call.silence(4000);
    expect(call.conversation.supervision.attend(true)).toBe(true);
  });
});
