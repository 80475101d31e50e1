/** A disclosure message. The fake voice needs 50 ms for a character, so this one sounds for 1.4 s. */
import { tone } from '@parley/audio';
import { ManualClock } from '@parley/runtime';
import {
  createFakeModel,
  createFakeRealtime,
  createFakeRecogniser,
  createFakeSynthesiser,
  fakeSpeech,
} from '@parley/speech/fakes';
import { describe, expect, it } from 'vitest';
import type { ConversationSettings } from './conversation-settings.ts';
import { Scenario, type ScenarioOptions } from '../test/scenario.ts';

const DISCLOSURE = 'This call is recorded today.';
const OUTBOUND = { greetingDelaySeconds: 1 };

function setup(
  settings: Partial<ConversationSettings>,
  {
    utterances = [],
    ...options
  }: Omit<ScenarioOptions, 'settings' | 'clock'> & { utterances?: string[] } = {},
): Scenario {
  const clock = new ManualClock();
  const recogniser = createFakeRecogniser({ clock, utterances, finalAfterMs: 100 });
  return new Scenario({
    clock,
    recogniser,
    settings: { disclosureMessage: DISCLOSURE, ...settings },
    ...options,
  });
}

describe('a disclosure message', () => {
  it.each([
    ['an inbound call', {}],
    ['an outbound call', OUTBOUND],
  ])('is spoken before the first message of %s, and is on the record', async (_name, settings) => {
    const call = setup(settings);
    await call.answer();
    await call.silence(4000);
    expect(call.transcript()).toEqual([`bot: ${DISCLOSURE}`, 'bot: Hello.']);
    const disclosed = call.events.find((event) => event.type === 'disclosed');
    expect(disclosed).toMatchObject({ text: DISCLOSURE, isComplete: true });
    const { startedAtMs = 0, endedAtMs = 0 } = disclosed ?? {};
    expect(endedAtMs - startedAtMs).toBe(1400);
    expect(call.line.sent[0]).toMatchObject({ index: startedAtMs / 20, turn: 1 });
  });

  it('contains the variables of the call', async () => {
    const call = setup({ disclosureMessage: 'This is for {{name}}.', variables: { name: 'Ada' } });
    await call.answer();
    await call.silence(3000);
    expect(call.transcript()[0]).toBe('bot: This is for Ada.');
  });

  it('begins when the “Hello?” of the callee is over', async () => {
    const call = setup(OUTBOUND, { utterances: ['Hello?'] });
    await call.answer();
    await call.silence(200);
    await call.speech(500);
    await call.silence(4000);
    expect(call.transcript()).toEqual(['human: Hello?', `bot: ${DISCLOSURE}`, 'bot: Hello.']);
  });

  it.each([
    ['an inbound call', {}],
    ['an outbound call', OUTBOUND],
  ])('precedes the reply where the customer speaks first in %s', async (_name, settings) => {
    const answers = [fakeSpeech('Good day.')];
    const first = { ...settings, whoSpeaksFirst: 'customer' } as const;
    const call = setup(first, { answers, utterances: ['Hello there.'] });
    await call.answer();
    await call.silence(100);
    await call.speech(600);
    await call.silence(4000);
    expect(call.transcript().toSorted()).toEqual([
      'bot: Good day.',
      `bot: ${DISCLOSURE}`,
      'human: Hello there.',
    ]);
    const turns = call.conversation.transcript().filter(({ sender }) => sender === 'bot');
    expect(turns[0]?.text).toBe(DISCLOSURE);
  });

  it('leaves the floor to a customer who should speak first', async () => {
    const call = setup({ whoSpeaksFirst: 'customer', initialMessage: '' });
    await call.answer();
    await call.silence(5000);
    expect(call.transcript()).toEqual([`bot: ${DISCLOSURE}`]);
    expect(call.story()).toMatch(/waiting\n.*falls silent$/);
  });

  it('precedes the first reply where the first message is missing', async () => {
    const call = setup({ initialMessage: '' }, { answers: [fakeSpeech('Good day.')] });
    await call.answer();
    await call.silence(4000);
    expect(call.transcript()).toEqual([`bot: ${DISCLOSURE}`, 'bot: Good day.']);
  });

  it('is stopped neither by speech nor by keys', async () => {
    const call = setup({}, { utterances: ['Stop it now.'], answers: [fakeSpeech('Yes?')] });
    await call.answer();
    await call.silence(200);
    call.press('1');
    await call.speech(900);
    await call.silence(4000);
    expect(call.transcript()[0]).toBe(`bot: ${DISCLOSURE}`);
    expect(call.transcript()).toContain('bot: Hello.');
    expect(call.transcript().join()).toContain('Stop it now.');
  });

  it('is spoken before the acknowledgement of a person who asks not to be called again', async () => {
    const call = setup({}, { utterances: ['Never call me again.'] });
    await call.answer();
    await call.silence(200);
    await call.speech(700);
    await call.silence(9000);
    const [first, ...others] = call.conversation.transcript().filter(({ sender }) => sender === 'bot');
    expect(first?.text).toBe(DISCLOSURE);
    expect(first?.wasInterrupted).toBeUndefined();
    expect(others).toHaveLength(1);
    expect(call.events.find(({ type }) => type === 'hang-up')).toMatchObject({ reason: 'opted_out' });
  });

  it('is spoken again before the message for an answering machine', async () => {
    const call = setup({ ...OUTBOUND, onMachine: 'leave-message', initialMessage: 'Please call us back.' });
    await call.answer();
    await call.speech(6000);
    await call.sound(tone({ hz: 1000, sampleRateHz: 8000, samples: 3200, amplitude: 6000 }));
    await call.silence(8000);
    expect(call.transcript().slice(-2)).toEqual([`bot: ${DISCLOSURE}`, 'bot: Please call us back.']);
    expect(call.events.find(({ type }) => type === 'hang-up')).toMatchObject({ reason: 'voicemail_message' });
  });

  it('is not complete on the record when the call ends in the middle of it', async () => {
    const call = setup({});
    await call.answer();
    await call.silence(600);
    await call.end();
    expect(call.events.filter(({ type }) => type === 'disclosed')).toMatchObject([
      { isComplete: false, text: expect.stringMatching(/^This call/) as string },
    ]);
  });

  it('is spoken by another voice than that of a speech-to-speech model, which might change the words', async () => {
    const clock = new ManualClock();
    const model = createFakeRealtime({ clock, utterances: [], answers: [] });
    const voices = [{ synthesiser: createFakeSynthesiser({ clock }), voice: 'hum' }];
    const settings = { disclosureMessage: DISCLOSURE };
    const call = new Scenario({ clock, settings, realtime: model, fallbacks: { voices } });
    await call.answer();
    await call.silence(4000);
    expect(call.transcript()).toEqual([`bot: ${DISCLOSURE}`, 'bot: Hello.']);
    expect(model.told).toEqual(['assistant: Hello.']);
  });

  it('is in the prompt of the model and not in its dialogue', async () => {
    const model = createFakeModel({ clock: new ManualClock(), answers: [fakeSpeech('Good day.')] });
    const call = setup({ initialMessage: '' }, { model });
    await call.answer();
    await call.silence(4000);
    expect(model.requests[0]).toMatchObject({
      dialogue: [],
      systemPrompt: expect.stringContaining(`said to the caller: ${DISCLOSURE}`) as string,
    });
  });

  it('ends the call where no voice can speak it', async () => {
    const synthesiser = createFakeSynthesiser({ clock: new ManualClock() });
    const failing = {
      ...synthesiser,
      speak: () => {
        throw new Error('no voice');
      },
    };
    const call = setup({}, { synthesiser: failing });
    await call.answer();
    await call.silence(9000);
    expect(call.transcript()).toEqual([]);
    expect(call.events.some(({ type }) => type === 'disclosed')).toBe(false);
    expect(call.events.find(({ type }) => type === 'hang-up')).toMatchObject({ reason: 'voice_failed' });
  });
});
