/**
 * The tools that a conversation runs itself, in virtual time: keys of the caller, and the way to another assistant. The
 * fake voice needs 50 ms for a character.
 */
import { describe, expect, it } from 'vitest';
import { ManualClock } from '@parley/runtime';
import {
  createFakeModel,
  createFakeRecogniser,
  createFakeSynthesiser,
  fakeSpeech,
  fakeToolCall,
  type FakeAnswer,
} from '@parley/speech/fakes';
import { markedFillers } from '../test/fake-line.ts';
import { Scenario } from '../test/scenario.ts';
import type { AssistantTool } from './tools/assistant-tool.ts';

const PIN: AssistantTool = {
  type: 'collect_keys',
  name: 'ask_pin',
  description: 'The PIN of {{place}}.',
  prompt: 'Your PIN, {{who}}?',
  collection: { maxKeys: 4, terminator: '#', timeoutMs: 5000, variable: 'pin' },
};
const TO_SALES: AssistantTool = {
  type: 'hand_over',
  name: 'to_sales',
  description: 'For orders.',
  message: 'One moment.',
  assistantId: 7,
};
const ASK = fakeToolCall('', 'ask_pin');

interface Setup {
  answers: readonly FakeAnswer[];
  tools?: readonly AssistantTool[];
  utterances?: string[];
}

/** The caller has heard the greeting and speaks from 1000 to 1800; the model is asked at 2340. */
async function setup({ answers, tools = [PIN, TO_SALES], utterances = ['Well?'] }: Setup) {
  const clock = new ManualClock();
  const model = createFakeModel({ clock, answers });
  const call = new Scenario({
    clock,
    model,
    recogniser: createFakeRecogniser({ clock, utterances, finalAfterMs: 100 }),
    synthesiser: markedFillers(createFakeSynthesiser({ clock })),
    settings: { tools: [...tools], variables: { who: 'Ann', place: 'the hall' } },
  });
  await call.answerAndGreet();
  await call.speech(800);
  return { call, model, clock };
}

describe('keys that the caller is asked for', () => {
  it('are asked for aloud, gathered, told to the model and kept for the call', async () => {
    const { call, model } = await setup({ answers: [ASK, fakeSpeech('Thanks.')] });
    await call.silence(2000);
    for (const digit of '12') call.press(digit);
    await call.silence(3000);
    expect(model.requests).toHaveLength(1);
    for (const digit of '34') call.press(digit);
    await call.silence(1500);
    expect(model.requests[0]?.tools[0]?.description).toMatch(/keypad.*The PIN of <<the hall>>\.$/);
    expect(model.requests[1]?.dialogue.slice(-2)).toMatchObject([
      { role: 'assistant', text: 'Your PIN, Ann?', toolCalls: [{ name: 'ask_pin' }] },
      { role: 'tool', result: 'The caller pressed 1234.' },
    ]);
    expect(call.transcript()).toEqual(['bot: Hello.', 'human: Well?', 'bot: Your PIN, Ann? Thanks.']);
    expect(call.conversation.notes()).toEqual({ pin: '1234' });
  });

  it('count while the assistant still speaks, and do not stop it', async () => {
    const { call, model } = await setup({ answers: [ASK, fakeSpeech('Thanks.')] });
    await call.silence(700);
    call.press('7');
    call.press('#');
    await call.silence(3000);
    expect(model.requests[1]?.dialogue.at(-1)).toMatchObject({ result: 'The caller pressed 7.' });
    expect(call.transcript().at(-1)).toBe('bot: Your PIN, Ann? Thanks.');
  });

  it('are aborted at the end of their time, which begins when the question has been heard', async () => {
    const { call, model } = await setup({ answers: [ASK, fakeSpeech('Never mind.')] });
    // Asked at 2340 + 14 characters of 50 ms; five seconds later it is 8.1 s.
    await call.silence(6000);
    expect(model.requests).toHaveLength(1);
    await call.silence(1000);
    expect(model.requests[1]?.dialogue.at(-1)).toMatchObject({ result: 'The caller pressed no key.' });
    expect(call.line.sent.some(({ fillerSamples }) => fillerSamples > 0)).toBe(false);
    expect(call.conversation.notes()).toEqual({});
  });

  it('are no longer waited for when the caller speaks instead', async () => {
    const { call, model } = await setup({
      answers: [ASK, fakeSpeech('As you like.')],
      utterances: ['Well?', 'I do not have it at hand'],
    });
    await call.silence(2000);
    call.press('1');
    await call.speech(1200);
    await call.silence(2000);
    expect(model.requests[1]?.dialogue.slice(-2)).toMatchObject([
      { role: 'tool', result: 'The caller did not finish. Pressed so far: 1.' },
      { role: 'customer', text: 'I do not have it at hand' },
    ]);
    expect(call.transcript().at(-1)).toBe('bot: As you like.');
  });

  it('are a turn again afterwards', async () => {
    const { call, model } = await setup({ answers: [ASK, fakeSpeech('Thanks.'), fakeSpeech('One.')] });
    await call.silence(2000);
    for (const digit of '1234') call.press(digit);
    await call.silence(2000);
    call.press('1');
    await call.silence(2500);
    expect(model.requests[2]?.dialogue.at(-1)).toMatchObject({ kind: 'dtmf', text: '1' });
  });

  it('leave nothing behind when the call ends', async () => {
    const { call, clock } = await setup({ answers: [ASK] });
    await call.silence(2000);
    expect((await call.end()).toolUses).toMatchObject([{ name: 'ask_pin', isOk: false }]);
    expect(clock.pendingTimers()).toBe(0);
  });
});

describe('a hand-over to another assistant', () => {
  it('is announced to the caller, and ends the conversation when the announcement was heard', async () => {
    const { call, model } = await setup({ answers: [fakeToolCall('', 'to_sales')] });
    await call.silence(3000);
    expect(call.events).toContainEqual({
      type: 'hang-up',
      by: 'assistant',
      reason: 'assistant_transfer',
      nextAssistantId: 7,
    });
    expect(model.requests).toHaveLength(1);
    expect(call.transcript().at(-1)).toBe('bot: One moment.');
    const { continuation } = await call.end();
    expect(continuation).toMatchObject({
      lastTurn: 2,
      dialogue: [
        { role: 'assistant', text: 'Hello.' },
        { role: 'customer', text: 'Well?' },
        { role: 'assistant', text: 'One moment.' },
      ],
    });
  });

  it('is announced once: the model’s own words suffice', async () => {
    const { call } = await setup({ answers: [fakeToolCall('I connect you.', 'to_sales')] });
    await call.silence(3000);
    expect(call.transcript().at(-1)).toBe('bot: I connect you.');
  });

  it('does not go where the assistant may not', async () => {
    const { call, model } = await setup({
      answers: [fakeToolCall('', 'to_sales'), fakeSpeech('No.')],
      tools: [PIN],
    });
    await call.silence(3000);
    expect(call.events.some(({ type }) => type === 'hang-up')).toBe(false);
    expect(model.requests[1]?.dialogue.at(-1)).toMatchObject({ result: 'There is no such tool.' });
  });
});

describe('a conversation that goes on from another one', () => {
  it('includes what was said, and counts turns and time from there', async () => {
    const clock = new ManualClock();
    const model = createFakeModel({ clock, answers: [fakeSpeech('Yes.')] });
    const call = new Scenario({
      clock,
      model,
      recogniser: createFakeRecogniser({ clock, utterances: ['Really?'], finalAfterMs: 100 }),
      continues: { atMs: 200_000, lastTurn: 4, dialogue: [{ role: 'assistant', text: 'One moment.' }] },
    });
    call.line.skipTo(200_000);
    await call.answerAndGreet();
    await call.speech(800);
    await call.silence(2000);
    expect(call.line.sent.map(({ turn }) => turn)).toContain(5);
    expect(model.requests[0]?.dialogue).toMatchObject([
      { text: 'One moment.' },
      { text: 'Hello.' },
      { text: 'Really?' },
    ]);
    expect(call.conversation.transcript()).toMatchObject([
      { text: 'Hello.', startedAtMs: expect.closeTo(200_000, -3) as number },
      { text: 'Really?' },
      { text: 'Yes.' },
    ]);
  });
});
