/** Calls that a route answers with a text: it ends the call, asks for a message, or offers a choice by key. */
import { ManualClock } from '@parley/runtime';
import { createFakeRecogniser } from '@parley/speech/fakes';
import { describe, expect, it } from 'vitest';
import { failsAt } from '../test/faulty-providers.ts';
import { handRecogniser } from '../test/hand-recogniser.ts';
import { Scenario, type ScenarioOptions } from '../test/scenario.ts';
import type { Answering } from './conversation-settings.ts';

const VOICEMAIL: Answering = { type: 'voicemail', maxSeconds: 30 };
const MENU: Answering = {
  type: 'menu',
  choices: [
    { key: '1', assistantId: 11 },
    { key: '2', assistantId: 12 },
  ],
};

async function setup(answering: Answering, { settings, ...options }: ScenarioOptions = {}) {
  const clock = options.clock ?? new ManualClock();
  const recogniser = createFakeRecogniser({ clock, utterances: ['Please call me back.', 'Thank you.'] });
  const own = { answering, hearsOptOut: false, maxCallSeconds: 150, ...settings };
  const call = new Scenario({ recogniser, ...options, clock, settings: own });
  await call.answer();
  const hangUp = () => call.events.find(({ type }) => type === 'hang-up');
  const beeps = () => call.line.sent.filter(({ turn }) => turn === 2).length;
  return { call, hangUp, beeps };
}

describe('a message of the owner', () => {
  it('is spoken to its end, whatever the caller says, and ends the call', async () => {
    const { call, hangUp } = await setup({ type: 'message' });
    await call.speech(600);
    await call.silence(600);
    expect(call.transcript()).toContain('bot: Hello.');
    expect(hangUp()).toMatchObject({ by: 'assistant', reason: 'route_message' });
  });

  it('follows the disclosure message', async () => {
    const { call, hangUp } = await setup(
      { type: 'message' },
      { settings: { disclosureMessage: 'This is recorded.' } },
    );
    await call.silence(3_000);
    expect(call.transcript()).toEqual(['bot: This is recorded.', 'bot: Hello.']);
    expect(hangUp()).toMatchObject({ reason: 'route_message' });
  });

  it('ends the call although no voice can speak it', async () => {
    const clock = new ManualClock();
    const { call, hangUp } = await setup(
      { type: 'message' },
      { clock, synthesiser: failsAt(clock, 'Hello.', Infinity) },
    );
    await call.silence(5_000);
    expect(hangUp()).toMatchObject({ reason: 'route_message' });
  });
});

describe('a message of the caller', () => {
  it('is recorded after a tone, until the caller has been silent for 8 s', async () => {
    const { call, hangUp, beeps } = await setup(VOICEMAIL);
    await call.silence(1_000);
    expect(beeps()).toBe(20);
    await call.speech(2_000);
    await call.silence(7_500);
    expect(hangUp()).toBeUndefined();
    await call.silence(1_500);
    expect(hangUp()).toMatchObject({ by: 'assistant', reason: 'message_taken' });
    expect(call.transcript()).toEqual(['bot: Hello.', 'human: Please call me back.']);
  });

  it('ends at its longest duration, although the caller still speaks', async () => {
    const { call, hangUp } = await setup(VOICEMAIL);
    await call.speech(31_000);
    expect(hangUp()).toMatchObject({ reason: 'message_taken' });
  });

  it('begins and ends with #', async () => {
    const { call, hangUp, beeps } = await setup(VOICEMAIL);
    await call.silence(60);
    call.press('5');
    call.press('#');
    await call.silence(500);
    expect(beeps()).toBe(20);
    await call.speech(1_000);
    await call.silence(1_000);
    call.press('5');
    expect(hangUp()).toBeUndefined();
    call.press('#');
    expect(hangUp()).toMatchObject({ reason: 'message_taken' });
    expect(call.transcript()).toContain('human: Please call me back.');
  });

  it('is taken although the voice or the recogniser fails', async () => {
    const clock = new ManualClock();
    const recogniser = handRecogniser();
    const { call, hangUp } = await setup(VOICEMAIL, {
      clock,
      recogniser,
      synthesiser: failsAt(clock, 'Hello.', Infinity),
    });
    await call.silence(1_000);
    const error = Object.assign(new Error('gone'), { kind: 'unavailable' }) as never;
    for (let times = 0; times < 3; times++) recogniser.emit({ type: 'failed', error });
    await call.speech(2_000);
    expect(hangUp()).toBeUndefined();
    await call.silence(9_000);
    expect(hangUp()).toMatchObject({ reason: 'message_taken' });
    expect(call.transcript()).toContain('human: [not recognised]');
  });

  it('is no answer to the script of the assistant', async () => {
    const standing = () => ({ expects: ['Monday'], notes: { day: 'Monday' } });
    const { call } = await setup(VOICEMAIL, { model: { async *stream() {}, standing } });
    await call.silence(1_000);
    await call.speech(2_000);
    await call.silence(9_000);
    expect(call.transcript()).toContain('human: Please call me back.');
    expect(call.conversation.notes()).toEqual({});
  });

  it('waits while the far end has the call on hold', async () => {
    const { call, hangUp } = await setup(VOICEMAIL);
    await call.silence(1_000);
    call.hold(true);
    await call.silence(20_000);
    expect(hangUp()).toBeUndefined();
    call.hold(false);
    await call.silence(8_500);
    expect(hangUp()).toMatchObject({ reason: 'message_taken' });
  });
});

describe('a menu', () => {
  it('connects the caller with the assistant of the key', async () => {
    const { call, hangUp } = await setup(MENU);
    await call.silence(1_000);
    call.press('9');
    expect(hangUp()).toBeUndefined();
    call.press('2');
    expect(hangUp()).toMatchObject({ reason: 'assistant_transfer', nextAssistantId: 12 });
  });

  it('does not make a caller who knows it wait for its end', async () => {
    const { call, hangUp } = await setup(MENU);
    await call.silence(60);
    call.press('1');
    expect(hangUp()).toMatchObject({ nextAssistantId: 11 });
  });

  it('connects a caller who presses no key with the first assistant', async () => {
    const { call, hangUp } = await setup(MENU);
    await call.silence(8_000);
    expect(hangUp()).toBeUndefined();
    await call.silence(1_000);
    expect(hangUp()).toMatchObject({ nextAssistantId: 11 });
  });
});
