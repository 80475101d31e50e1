/**
 * Tools in virtual time. The model obeys whatever it is told, which is the point: what stands between it and the world
 * is the desk. The fake voice needs 50 ms for a character.
 */
import { describe, expect, it } from 'vitest';
import { ManualClock, pause } from '@parley/runtime';
import {
  createFakeModel,
  createFakeRecogniser,
  createFakeSynthesiser,
  fakeSpeech,
  fakeToolCall,
  type FakeModelOptions,
} from '@parley/speech/fakes';
import { markedFillers } from '../test/fake-line.ts';
import { Scenario } from '../test/scenario.ts';
import type { ConversationSettings } from './conversation-settings.ts';
import type { AssistantTool } from './tools/assistant-tool.ts';
import type { ToolAnswer, ToolRequest } from './tools/tool-runner.ts';

const LOOK_UP: AssistantTool = {
  type: 'run',
  name: 'look_up',
  description: 'Looks up the opening hours of {{place}}.',
  parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
};
const OBEYED = fakeToolCall('', 'look_up', { day: 'Monday' });

interface Setup {
  answers: FakeModelOptions['answers'];
  /** How long the tool takes, milliseconds; Infinity: for ever. */
  takesMs?: number;
  answer?: ToolAnswer;
  utterances?: string[];
  fillers?: ConversationSettings['fillers'];
}

/** The caller has heard the greeting and asks from 1000 to 1800; the model is asked at 2340. */
async function setup({ answers, takesMs = 0, answer = { isOk: true, text: 'at nine' }, ...rest }: Setup) {
  const clock = new ManualClock();
  const model = createFakeModel({ clock, answers });
  const ran: ToolRequest[] = [];
  const call = new Scenario({
    clock,
    model,
    recogniser: createFakeRecogniser({ clock, utterances: rest.utterances ?? ['When?'], finalAfterMs: 100 }),
    synthesiser: markedFillers(createFakeSynthesiser({ clock })),
    settings: {
      tools: [LOOK_UP, { type: 'end_call', description: null }],
      variables: { place: 'the hall' },
      fillers: rest.fillers ?? null,
    },
    tools: {
      async run(request) {
        ran.push(request);
        if (takesMs === Infinity) await new Promise<never>(() => undefined);
        if (takesMs > 0) await pause(clock, takesMs);
        return answer;
      },
    },
  });
  await call.answerAndGreet();
  await call.speech(800);
  return { call, model, ran, clock };
}

describe('a tool', () => {
  it('is described to the model with the call’s values, run with its arguments, and its result is spoken about', async () => {
    const { call, model, ran } = await setup({ answers: [OBEYED, fakeSpeech('At nine.')] });
    await call.silence(3000);
    expect(model.requests[0]?.tools[0]).toMatchObject({
      name: 'look_up',
      description: 'Looks up the opening hours of <<the hall>>.',
    });
    expect(ran).toEqual([{ name: 'look_up', arguments: { day: 'Monday' } }]);
    expect(model.requests[1]?.dialogue.slice(-2)).toEqual([
      {
        role: 'assistant',
        text: '',
        toolCalls: [{ id: 'tool_1', name: 'look_up', arguments: { day: 'Monday' } }],
      },
      { role: 'tool', toolCallId: 'tool_1', name: 'look_up', result: 'at nine' },
    ]);
    expect(call.transcript().at(-1)).toBe('bot: At nine.');
    expect((await call.end()).toolUses).toMatchObject([
      { name: 'look_up', arguments: { day: 'Monday' }, isOk: true, result: 'at nine' },
    ]);
  });

  it('may have words of its own that the caller hears, after which the model goes on', async () => {
    const answer = { isOk: false, text: 'Nobody.', words: 'Nobody is free.' };
    const { call, model } = await setup({ answers: [OBEYED, fakeSpeech('Goodbye.')], answer });
    await call.silence(4000);
    expect(call.transcript().at(-1)).toBe('bot: Nobody is free. Goodbye.');
    expect(model.requests[1]?.dialogue.at(-1)).toMatchObject({ role: 'tool', result: 'Nobody.' });
  });

  it.each([
    ['are not JSON', '{"day": "Mon'],
    ['are a list', ['Monday']],
    ['lack what is required', {}],
  ])(
    'is not run with arguments that %s: the model receives the fault and may try again',
    async (_how, given) => {
      const answers = [fakeToolCall('', 'look_up', given), OBEYED, fakeSpeech('At nine.')];
      const { call, model, ran } = await setup({ answers });
      await call.silence(3000);
      expect(ran).toEqual([{ name: 'look_up', arguments: { day: 'Monday' } }]);
      expect(model.requests[1]?.dialogue.find(({ role }) => role === 'tool')).toMatchObject({
        result: expect.stringMatching(
          /^The arguments do not fit: .* (must be of type object|is missing)\.$/u,
        ),
      });
      expect(call.transcript().at(-1)).toBe('bot: At nine.');
    },
  );

  it('stays in the memory of the model, between the words before and after it', async () => {
    const { call, model } = await setup({
      answers: [
        fakeToolCall('Let me see.', 'look_up', { day: 'Monday' }),
        fakeSpeech('At nine.'),
        fakeSpeech('Yes.'),
      ],
      utterances: ['When?', 'Sure?'],
    });
    await call.silence(3000);
    await call.speech(800);
    await call.silence(1500);
    expect(model.requests[2]?.dialogue.slice(1)).toEqual([
      { role: 'customer', kind: 'speech', text: 'When?' },
      { role: 'assistant', text: 'Let me see.', toolCalls: [expect.objectContaining({ id: 'tool_1' })] },
      { role: 'tool', toolCallId: 'tool_1', name: 'look_up', result: 'at nine' },
      { role: 'assistant', text: 'At nine.' },
      { role: 'customer', kind: 'speech', text: 'Sure?' },
    ]);
  });

  it('that takes three seconds is bridged twice if fillers are enabled, and nothing follows the answer', async () => {
    const fillers = { neutral: [], negative: [], positive: [], question: ['Let me see.'] };
    const answers = [OBEYED, fakeSpeech('At nine.')];
    const { call } = await setup({ answers, takesMs: 3000, fillers, utterances: ['When?'] });
    await call.silence(5000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      2080 ending
      2300 human "When?"
      2300 thinking
      2380 turn 2 sounds
      2940 turn 2 falls silent
      3500 turn 2 sounds
      5300 turn 2 falls silent
      5320 speaking
      5320 turn 2 sounds
      5700 bot "At nine."
      5700 waiting
      5720 turn 2 falls silent"
    `);
  });

  it('that takes its time is bridged, and no fault of the model', async () => {
    const { call, model } = await setup({ answers: [OBEYED, fakeSpeech('At nine.')], takesMs: 6000 });
    await call.silence(9000);
    const fillers = call.line.sent.filter(({ fillerSamples }) => fillerSamples > 0);
    expect(fillers[0]?.index).toBeLessThan(3400 / 20);
    expect(model.requests).toHaveLength(2);
    expect(call.events.filter(({ type }) => type === 'note')).toEqual([]);
    expect(call.transcript().at(-1)).toBe('bot: At nine.');
  });

  it('that never ends is left after ten seconds', async () => {
    const { call, model, clock } = await setup({
      answers: [OBEYED, fakeSpeech('I cannot say.')],
      takesMs: Infinity,
    });
    await call.silence(9900);
    expect(model.requests).toHaveLength(1);
    await call.silence(2000);
    expect(model.requests[1]?.dialogue.at(-1)).toMatchObject({ result: 'The tool did not answer in time.' });
    expect((await call.end()).toolUses).toMatchObject([{ isOk: false }]);
    expect(clock.pendingTimers()).toBe(0);
  });

  it('is left at once when the call ends', async () => {
    const { call, clock } = await setup({ answers: [OBEYED], takesMs: Infinity });
    await call.silence(1500);
    expect((await call.end()).toolUses).toMatchObject([{ isOk: false, result: 'The tool failed.' }]);
    expect(clock.pendingTimers()).toBe(0);
  });

  it('that ends after an interruption is remembered, and not spoken about', async () => {
    const { call, model } = await setup({
      answers: [fakeToolCall('Let me see.', 'look_up', { day: 'Monday' }), fakeSpeech('Yes?')],
      takesMs: 2300,
      utterances: ['When?', 'Wait a moment please'],
    });
    await call.silence(700);
    await call.speech(2000);
    await call.silence(3000);
    expect(model.requests).toHaveLength(2);
    expect(model.requests[1]?.dialogue).toContainEqual({
      role: 'tool',
      toolCallId: 'tool_1',
      name: 'look_up',
      result: 'at nine',
    });
    expect(call.transcript().at(-1)).toBe('bot: Yes?');
  });

  it('is not used for a reply that may still be thrown away', async () => {
    const { call, model, ran } = await setup({
      answers: (request) => (request.dialogue.at(-1)?.role === 'tool' ? fakeSpeech('At nine.') : OBEYED),
      utterances: ['When?', 'On Monday?'],
    });
    await call.silence(420);
    await call.speech(400);
    expect(model.requests).toHaveLength(1);
    expect(ran).toEqual([]);
    await call.silence(3000);
    expect(model.requests).toHaveLength(3);
    expect(ran).toHaveLength(1);
  });

  it('gives the model no more than 64 Ki characters', async () => {
    const { call, model } = await setup({
      answers: [OBEYED, fakeSpeech('Much.')],
      answer: { isOk: true, text: 'x'.repeat(100_000) },
    });
    await call.silence(2000);
    const result = model.requests[1]?.dialogue.at(-1);
    expect(result?.role === 'tool' && result.result.length).toBe(65_536);
  });
});

describe('a model that follows every instruction', () => {
  it.each([
    ['what it was not given', 'delete_everything', {}, 'There is no such tool.'],
    ['a name of every object', 'constructor', {}, 'There is no such tool.'],
    [
      'its own tool with what does not fit',
      'look_up',
      { day: 5 },
      'The arguments do not fit: day must be of type string.',
    ],
    [
      'its own tool with nothing',
      'look_up',
      null,
      'The arguments do not fit: The arguments must be of type object.',
    ],
  ])('runs nothing when it calls %s', async (_what, name, given, result) => {
    const { call, model, ran } = await setup({ answers: [fakeToolCall('', name, given), fakeSpeech('No.')] });
    await call.silence(2000);
    expect(ran).toEqual([]);
    expect(model.requests[1]?.dialogue.at(-1)).toMatchObject({ role: 'tool', result });
    expect((await call.end()).toolUses).toMatchObject([{ name, arguments: {}, isOk: false, result }]);
  });

  it('hands on only what is declared', async () => {
    const call = fakeToolCall(
      '',
      'look_up',
      JSON.parse('{ "day": "M", "__proto__": { "isAdmin": true }, "sudo": 1 }'),
    );
    const { call: scenario, ran } = await setup({ answers: [call, fakeSpeech('No.')] });
    await scenario.silence(2000);
    expect(ran).toEqual([{ name: 'look_up', arguments: { day: 'M' } }]);
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
  });

  it('does nothing else in a turn that ends the call', async () => {
    const end = fakeToolCall('Goodbye.', 'end_call').events;
    const { call, ran } = await setup({
      answers: [{ events: [...OBEYED.events, ...end, ...OBEYED.events] }],
    });
    await call.silence(3000);
    expect(ran).toEqual([]);
    expect(call.log.some((line) => line.includes('hang up by assistant: end_call'))).toBe(true);
  });
});
