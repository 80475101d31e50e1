/** What the assistant's settings do to what providers are asked for, at their bounds too; in virtual time. */
import { describe, expect, it } from 'vitest';
import { ManualClock } from '@parley/runtime';
import {
  createFakeModel,
  createFakeSynthesiser,
  fakeSpeech,
  fakeToolCall,
  type FakeModel,
  type FakeSynthesiser,
} from '@parley/speech/fakes';
import type { ConversationSettings } from './conversation-settings.ts';
import { Scenario, SETTINGS } from '../test/scenario.ts';

interface Asked {
  call: Scenario;
  model: FakeModel;
  synthesiser: FakeSynthesiser;
}

/** One question of the caller, answered. */
async function setup(
  settings: Partial<ConversationSettings>,
  answer = fakeSpeech('We open at nine.'),
): Promise<Asked> {
  const clock = new ManualClock();
  const model = createFakeModel({ clock, answers: [answer] });
  const synthesiser = createFakeSynthesiser({ clock });
  const call = new Scenario({ clock, model, synthesiser, settings });
  await call.answerAndGreet();
  await call.speech(800);
  await call.silence(4000);
  return { call, model, synthesiser };
}

/** How long the turn that said `text` sounded. */
function lengthMs({ call }: Asked, text: string): number {
  const turn = call.conversation.transcript().find((other) => other.text === text);
  return turn ? turn.endedAtMs - turn.startedAtMs : NaN;
}

describe('the model', () => {
  it.each([0, 0.1, 1])('is asked at temperature %d', async (temperature) => {
    const { model } = await setup({ temperature });
    expect(model.requests[0]?.temperature).toBe(temperature);
  });
});

describe('the voice', () => {
  it.each([
    [0.7, 1143],
    [1, 800],
    [1.2, 667],
  ])('at speed %d takes its time, for the greeting too', async (speed, expectedMs) => {
    const asked = await setup({ speed });
    expect(Math.abs(lengthMs(asked, 'We open at nine.') - expectedMs)).toBeLessThanOrEqual(20);
    expect(Math.abs(lengthMs(asked, 'Hello.') - 300 / speed)).toBeLessThanOrEqual(20);
  });

  it.each([0, 1])('has stability and similarity %d', async (bound) => {
    const { synthesiser } = await setup({ stability: bound, similarity: bound });
    for (const { options } of synthesiser.spoken)
      expect(options).toMatchObject({
        stability: bound,
        similarity: bound,
        voice: SETTINGS.voice,
        language: 'en',
      });
  });
});

describe('fillers', () => {
  it('are made ahead in the owner’s words, but not endless ones, and only if wanted', async () => {
    const long = 'Let me think about that for a good while before I say anything at all.';
    const fillers = {
      neutral: ['Okay.', long],
      negative: ['', '**Oh.**'],
      positive: [],
      question: ['Okay.'],
    };
    const { synthesiser } = await setup({ fillers });
    const made = synthesiser.spoken.map(({ text }) => text);
    expect(made.filter((text) => text === 'Okay.')).toHaveLength(1);
    expect(made).toContain('Oh.');
    expect(made).not.toContain(long);
    const without = await setup({ fillers: null });
    expect(without.synthesiser.spoken.map(({ text }) => text)).not.toContain('Okay.');
  });
});

describe('the goodbye', () => {
  it('is heard to its last sample before the call ends', async () => {
    const { call } = await setup({}, fakeToolCall('Thank you for your call. Goodbye.', 'end_call'));
    const sentMs = call.line.sent
      .filter(({ turn }) => turn === 2)
      .reduce((sum, { samples }) => sum + samples / 8, 0);
    expect(sentMs).toBe('Thank you for your call.'.length * 50 + 'Goodbye.'.length * 50);
    expect(call.story()).toContain('hang up by assistant: end_call');
  });
});
