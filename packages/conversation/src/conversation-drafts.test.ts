/**
 * Replies made ahead, in virtual time. The model needs 200 ms, the voice 100 ms, the recogniser 200 ms for its final;
 * the caller's turn ends 500 ms after their last word.
 */
import { describe, expect, it } from 'vitest';
import { ManualClock } from '@parley/runtime';
import {
  createFakeModel,
  createFakeSynthesiser,
  fakeSpeech,
  fakeToolCall,
  type FakeAnswer,
  type FakeModel,
} from '@parley/speech/fakes';
import { GONE } from '../test/faulty-providers.ts';
import { handRecogniser, type HandRecogniser } from '../test/hand-recogniser.ts';
import { Scenario, type ScenarioOptions } from '../test/scenario.ts';

interface DraftCall {
  call: Scenario;
  model: FakeModel;
  recogniser: HandRecogniser;
  /** The caller says something for 800 ms and pauses; the final comes within 200 ms. */
  say: (text: string) => Promise<void>;
}

async function setup(answers: FakeAnswer[], options: ScenarioOptions = {}): Promise<DraftCall> {
  const { clock = new ManualClock() } = options;
  const model = createFakeModel({ clock, answers });
  const recogniser = handRecogniser();
  const synthesiser = createFakeSynthesiser({ clock, firstChunkAfterMs: 100 });
  const call = new Scenario({ clock, model, recogniser, synthesiser, ...options });
  await call.answerAndGreet();
  const say = async (text: string): Promise<void> => {
    await call.speech(800);
    await call.silence(200);
    recogniser.emit({ type: 'final', text });
  };
  return { call, model, recogniser, say };
}
const slow = (text: string): FakeAnswer => fakeSpeech(text, { firstAfterMs: 200 });

/** From the caller's last sound to the first of the answer. */
function silenceMs({ call }: DraftCall): number {
  const latency = call.conversation.transcript().findLast(({ sender }) => sender === 'bot')?.latency;
  return (latency?.firstSoundMs ?? NaN) - (latency?.speechEndMs ?? NaN);
}

describe('a reply made ahead', () => {
  it('is there when the turn ends: at least 150 ms sooner than the sum of its parts', async () => {
    const draft = await setup([slow('For when?')]);
    await draft.say('A table, please.');
    await draft.call.silence(1500);
    expect(draft.call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "A table, please."
      2300 thinking
      2320 speaking
      2320 turn 2 sounds
      2760 bot "For when?"
      2760 waiting
      2780 turn 2 falls silent"
    `);
    expect(silenceMs(draft)).toBeLessThanOrEqual(500 + 200 + 100 - 150);
    expect(draft.model.requests[0]?.dialogue.at(-1)).toEqual({
      role: 'customer',
      kind: 'speech',
      text: 'A table, please.',
    });
    expect((await draft.call.end()).drafts).toEqual({ made: 1, discarded: 0 });
  });

  it('to words that were guessed before the caller had ended is there as soon', async () => {
    const draft = await setup([slow('For when?')]);
    const { call, model, recogniser } = draft;
    await call.speech(600);
    recogniser.emit({ type: 'interim', text: 'a table please' });
    await call.speech(200);
    await call.silence(120);
    expect(model.requests).toHaveLength(1);
    await call.silence(180);
    recogniser.emit({ type: 'final', text: 'A table, please.' });
    await call.silence(1500);
    expect(silenceMs(draft)).toBeLessThanOrEqual(540);
    expect(call.transcript().slice(1)).toEqual(['human: A table, please.', 'bot: For when?']);
    expect(model.requests).toHaveLength(1);
    expect((await call.end()).drafts).toEqual({ made: 1, discarded: 0 });
  });

  it('to guessed words that turn out to be others is forgotten', async () => {
    const { call, model, recogniser } = await setup([slow('A cable?'), slow('For when?')]);
    await call.speech(600);
    recogniser.emit({ type: 'interim', text: 'a cable please' });
    await call.speech(200);
    await call.silence(300);
    recogniser.emit({ type: 'final', text: 'A table, please.' });
    await call.silence(1500);
    expect(call.transcript().slice(1)).toEqual(['human: A table, please.', 'bot: For when?']);
    expect(model.requests).toHaveLength(2);
    expect((await call.end()).drafts).toEqual({ made: 2, discarded: 1 });
  });

  it('to words that change is forgotten without a trace', async () => {
    const draft = await setup([slow('For when?'), slow('Inside or outside?')], {
      settings: { endpointSensitivitySeconds: 0.9 },
    });
    await draft.say('A table, please.');
    await draft.call.silence(480);
    await draft.say('For tomorrow.');
    await draft.call.silence(2000);
    expect(draft.call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2540 listening
      3560 ending
      4180 human "A table, please. For tomorrow."
      4180 thinking
      4200 speaking
      4200 turn 3 sounds
      5080 bot "Inside or outside?"
      5080 waiting
      5100 turn 3 falls silent"
    `);
    expect(draft.call.transcript()).toEqual([
      'bot: Hello.',
      'human: A table, please. For tomorrow.',
      'bot: Inside or outside?',
    ]);
    expect(draft.model.requests).toHaveLength(2);
    expect(draft.model.requests[1]?.dialogue).toHaveLength(2);
    expect((await draft.call.end()).drafts).toEqual({ made: 2, discarded: 1 });
  });

  it('survives a noise of the caller, because the words are the same', async () => {
    const draft = await setup([slow('For when?')], { settings: { endpointSensitivitySeconds: 0.9 } });
    await draft.say('A table, please.');
    await draft.call.silence(380);
    await draft.call.speech(160);
    await draft.call.silence(500);
    draft.recogniser.emit({ type: 'final', text: '' });
    await draft.call.silence(1500);
    expect(draft.call.transcript().at(-1)).toBe('bot: For when?');
    expect(draft.model.requests).toHaveLength(1);
  });

  it('is made at most twice in a turn', async () => {
    const draft = await setup([slow('1'), slow('2'), slow('For when?')], {
      settings: { endpointSensitivitySeconds: 0.9 },
    });
    for (const text of ['Red.', 'Blue.', 'Green.']) {
      await draft.say(text);
      await draft.call.silence(380);
    }
    await draft.call.silence(2000);
    expect(draft.call.transcript().slice(1)).toEqual(['human: Red. Blue. Green.', 'bot: For when?']);
    expect((await draft.call.end()).drafts).toEqual({ made: 2, discarded: 2 });
  });

  it('is no longer made in a call that has discarded too many, until other replies outweigh them', async () => {
    const answers = Array.from({ length: 40 }, () => fakeSpeech('Yes.'));
    const { call, say } = await setup(answers, { settings: { endpointSensitivitySeconds: 0.9 } });
    const turns = async (count: number, isContinued: boolean): Promise<void> => {
      for (let turn = 0; turn < count; turn++) {
        await say('A table, please.');
        await call.silence(480);
        if (isContinued) await say('For tomorrow.');
        await call.silence(2000);
      }
    };
    await turns(4, true);
    await turns(10, false);
    // Two drafts for the first turn and one for the second, then none until the thirteenth.
    expect((await call.end()).drafts).toEqual({ made: 5, discarded: 2 });
  });

  it('that fails is none: the reply is made when it is due', async () => {
    const draft = await setup([{ events: [], failWith: GONE }, slow('For when?')]);
    await draft.say('A table, please.');
    await draft.call.silence(2000);
    expect(draft.call.events.filter(({ type }) => type === 'note')).toEqual([]);
    expect(draft.call.transcript().at(-1)).toBe('bot: For when?');
  });

  it('for which the model was replaced is answered by the other one, and the record says so', async () => {
    const clock = new ManualClock();
    const second = createFakeModel({ clock, answers: [fakeSpeech('For when?')] });
    const busy = { events: [], failWith: GONE };
    const draft = await setup([busy, busy], { clock, fallbacks: { models: [second] } });
    await draft.say('A table, please.');
    await draft.call.silence(2000);
    expect(draft.call.transcript().at(-1)).toBe('bot: For when?');
    expect(draft.call.events).toContainEqual({
      type: 'note',
      name: 'provider_failed',
      detail: { stage: 'model', at_ms: 2260 },
    });
  });

  it('is not begun while the words ask for more', async () => {
    const draft = await setup([slow('For when?')]);
    await draft.say('A table and');
    await draft.call.silence(200);
    expect(draft.model.requests).toHaveLength(0);
    await draft.call.silence(1500);
    expect(draft.call.transcript().at(-1)).toBe('bot: For when?');
  });

  it('that says goodbye ends the call only when it is given away', async () => {
    const draft = await setup([fakeToolCall('Goodbye then.', 'end_call'), slow('For when?')]);
    await draft.say('That was all.');
    await draft.call.silence(140);
    await draft.say('Or, no, a table.');
    await draft.call.silence(2000);
    expect(draft.call.events.some(({ type }) => type === 'hang-up')).toBe(false);
    const goodbye = await setup([fakeToolCall('Goodbye then.', 'end_call')]);
    await goodbye.say('That was all.');
    await goodbye.call.silence(2000);
    expect((await goodbye.call.end()).hangUp).toEqual({ by: 'assistant', reason: 'end_call' });
    expect(goodbye.call.transcript().at(-1)).toBe('bot: Goodbye then.');
  });

  it('is let go of when the call ends in the caller’s turn', async () => {
    const draft = await setup([slow('For when?')]);
    await draft.say('A table, please.');
    await draft.call.end();
    expect(draft.call.transcript()).toEqual(['bot: Hello.', 'human: A table, please.']);
    expect(draft.call.clock.pendingTimers()).toBe(0);
    expect(draft.call.line.queuedSamples()).toBe(0);
  });

  it('is heard once, although its final comes twice', async () => {
    const draft = await setup([slow('For when?')]);
    await draft.say('A table, please.');
    await draft.call.silence(400);
    draft.recogniser.emit({ type: 'final', text: 'A table, please.' });
    await draft.call.silence(1500);
    expect(draft.call.transcript().filter((line) => line.startsWith('bot'))).toEqual([
      'bot: Hello.',
      'bot: For when?',
    ]);
    expect(draft.model.requests).toHaveLength(1);
  });
});
