/** Speech to speech in the same scenarios as recogniser, model and voice. */
import { expect, it } from 'vitest';
import { ManualClock } from '@parley/runtime';
import { createFakeRealtime, createFakeSynthesiser, type FakeRealtimeOptions } from '@parley/speech/fakes';
import { SpeechError } from '@parley/speech';
import { Scenario, type ScenarioOptions } from '../../test/scenario.ts';

function realtime(script: Omit<FakeRealtimeOptions, 'clock'>, options: ScenarioOptions = {}) {
  const clock = new ManualClock();
  const model = createFakeRealtime({ clock, ...script });
  return { model, scenario: new Scenario({ clock, realtime: model, ...options }) };
}

/** The caller says something and is done. */
async function say(scenario: Scenario, thenMs = 1500): Promise<void> {
  await scenario.speech(600);
  await scenario.silence(thenMs);
}

it('greets with the very words of the owner and answers what it heard', async () => {
  const { scenario, model } = realtime({ utterances: ['Good morning.'], answers: ['How can I help?'] });
  await scenario.answerAndGreet();
  await say(scenario, 2000);
  expect(scenario.transcript()).toEqual(['bot: Hello.', 'human: Good morning.', 'bot: How can I help?']);
  expect(model.told).toEqual(['assistant: Hello.', 'commit', 'reply']);
  expect(model.opened).toHaveLength(1);
  const [, , answer] = (await scenario.end()).turns;
  expect(answer?.latency).toMatchObject({
    firstTokenMs: expect.any(Number),
    firstAudioMs: expect.any(Number),
  });
});

it('waits for no words: they come into the record when they come', async () => {
  const { scenario } = realtime({
    utterances: ['Good morning.'],
    wordsAfterMs: 1200,
    answers: ['How can I help?'],
  });
  await scenario.answerAndGreet();
  await say(scenario, 900);
  expect(scenario.transcript()[1]).toBe('human: [not recognised]');
  expect(scenario.transcript()[2]).toMatch(/^bot: How/u);
  await scenario.silence(1500);
  expect(scenario.transcript().slice(1)).toEqual(['human: Good morning.', 'bot: How can I help?']);
});

it('answers once, also when the words come while the answer is made', async () => {
  const { scenario, model } = realtime({
    utterances: ['Good morning.'],
    wordsAfterMs: 600,
    answers: ['How can I help?', 'Twice.'],
    firstPieceAfterMs: 600,
  });
  await scenario.answerAndGreet();
  await say(scenario, 3000);
  expect(scenario.transcript().slice(1)).toEqual(['human: Good morning.', 'bot: How can I help?']);
  expect(model.told.filter((what) => what === 'reply')).toHaveLength(1);
});

it('bridges a stall in the middle of an answer, and keeps the bridge out of the record', async () => {
  const { scenario, model } = realtime({ answers: ['One moment please. … I look it up.'] });
  await scenario.answerAndGreet();
  await say(scenario, 7000);
  expect(scenario.transcript().at(-1)).toBe('bot: One moment please. I look it up.');
  const sounds = scenario.story().match(/turn 2 sounds/gu);
  expect(sounds).toHaveLength(3); // before the stall, the filler, and after it
  expect(model.told.filter((what) => what === 'reply')).toHaveLength(1);
});

it('makes no reply ahead', async () => {
  const { scenario, model } = realtime(
    { utterances: ['Good morning.'], answers: ['How can I help?'] },
    { settings: { endpointSensitivitySeconds: 2 } },
  );
  await scenario.answerAndGreet();
  await say(scenario, 1500);
  expect(model.told).toEqual(['assistant: Hello.', 'commit']);
  expect((await scenario.end()).drafts.made).toBe(0);
});

it('pays for no silence', async () => {
  const { scenario, model } = realtime({ answers: ['Yes.'] });
  await scenario.answerAndGreet();
  await scenario.silence(10_000);
  expect(model.heardMs()).toBe(0);
  await say(scenario);
  expect(model.heardMs()).toBeGreaterThan(600);
  expect(model.heardMs()).toBeLessThan(1600);
});

it('makes the model forget what the caller did not hear', async () => {
  const { scenario, model } = realtime({ answers: ['This will take me a good while to say.', 'Yes?'] });
  await scenario.answerAndGreet();
  await say(scenario, 1000);
  await scenario.speech(1000);
  await scenario.silence(1500);
  const forgotten = model.told.find((what) => what.startsWith('item-1 was heard for'));
  const heardMs = Number(forgotten?.match(/for (\d+) ms/u)?.[1]);
  const turn = scenario.conversation.transcript().find(({ wasInterrupted }) => wasInterrupted);
  expect(heardMs).toBe(Number(turn?.endedAtMs) - Number(turn?.startedAtMs));
  expect('This will take me a good while to say.'.startsWith(turn?.text ?? '?')).toBe(true);
  expect(forgotten).toBe(`item-1 was heard for ${heardMs} ms: ${turn?.text}`);
  expect(scenario.transcript().at(-1)).toBe('bot: Yes?');
});

it('tells the model of keys and of silence, which it cannot hear', async () => {
  const { scenario, model } = realtime(
    { answers: ['Noted.', 'Are you there?'] },
    { settings: { reEngagementIntervalSeconds: 5 } },
  );
  await scenario.answerAndGreet();
  scenario.press('1');
  await scenario.silence(9000);
  expect(model.told).toEqual(['assistant: Hello.', 'customer: 1', 'reply', 'customer: ', 'reply']);
  expect(scenario.transcript().slice(1)).toEqual([
    'human: [pressed 1]',
    'bot: Noted.',
    'bot: Are you there?',
  ]);
});

it('uses the tools of the assistant, and no others', async () => {
  const { scenario, model } = realtime(
    { answers: [{ call: 'look_up', arguments: {} }, { call: 'steal', arguments: {} }, 'At nine.'] },
    {
      settings: {
        tools: [{ type: 'run', name: 'look_up', description: 'Looks up.', parameters: { type: 'object' } }],
      },
      tools: { run: async () => ({ isOk: true, text: 'Free at nine.' }) },
    },
  );
  await scenario.answerAndGreet();
  await say(scenario);
  expect(model.told.slice(2)).toEqual([
    'reply',
    'tool: Free at nine.',
    'reply',
    'tool: There is no such tool.',
    'reply',
  ]);
  expect(scenario.transcript().at(-1)).toBe('bot: At nine.');
});

it('says goodbye and hangs up when the model ends the call', async () => {
  const { scenario } = realtime({ answers: [{ call: 'end_call', arguments: {} }] });
  await scenario.answerAndGreet();
  await say(scenario, 4000);
  expect(scenario.story()).toContain('hang up by assistant: end_call');
});

it('goes on in a new session, with all that was said, when the old one breaks', async () => {
  const { scenario, model } = realtime({ utterances: ['Good morning.'], answers: ['Hi.', 'Still here.'] });
  await scenario.answerAndGreet();
  await say(scenario);
  model.breakDown();
  await scenario.silence(200);
  await say(scenario);
  expect(model.opened).toHaveLength(2);
  expect(model.opened[1]?.history).toEqual([
    { role: 'assistant', text: 'Hello.' },
    { role: 'customer', kind: 'speech', text: 'Good morning.' },
    { role: 'assistant', text: 'Hi.' },
  ]);
  expect(scenario.transcript().at(-1)).toBe('bot: Still here.');
});

it('asks once more in a new session when no answer comes, which hears the question again', async () => {
  const { scenario, model } = realtime({ answers: [null, 'Here I am.'], wordsAfterMs: 60_000 });
  await scenario.answerAndGreet();
  await say(scenario, 5000);
  expect(model.told).toEqual(['assistant: Hello.', 'commit', 'reply', 'commit', 'reply']);
  expect(scenario.transcript().at(-1)).toBe('bot: Here I am.');
});

it('apologises with a truthful reason when it fails twice', async () => {
  const failure = new SpeechError('unavailable', 'No capacity');
  const { scenario } = realtime({ answers: [failure, failure] });
  await scenario.answerAndGreet();
  await say(scenario, 6000);
  expect(scenario.transcript().at(-1)).toMatch(/^bot: I am sorry, we have a technical problem/u);
  expect(scenario.story()).toContain('hang up by assistant: model_failed');
});

it('lets the voice in reserve read out what the provider does not', async () => {
  const clock = new ManualClock();
  const cannotSpeak = new SpeechError('unavailable', 'No capacity');
  const model = createFakeRealtime({ clock, answers: [], cannotSpeak });
  const reserve = createFakeSynthesiser({ clock });
  const scenario = new Scenario({
    clock,
    realtime: model,
    synthesiser: {
      ...reserve,
      speak: () => {
        throw new Error('It is not asked');
      },
    },
    fallbacks: { voices: [{ synthesiser: reserve, voice: 'hum' }] },
  });
  await scenario.answer();
  await scenario.silence(1000);
  expect(scenario.transcript()).toEqual(['bot: Hello.']);
});

it('asks for keys in the words of the owner, and tells the model both', async () => {
  const collection = { maxKeys: 2, terminator: null, timeoutMs: 5000, variable: 'code' } as const;
  const prompt = 'Your code, please.';
  const { scenario, model } = realtime(
    { answers: [{ call: 'ask', arguments: {} }, 'Thanks.'] },
    { settings: { tools: [{ type: 'collect_keys', name: 'ask', description: '', prompt, collection }] } },
  );
  await scenario.answerAndGreet();
  await say(scenario, 2500);
  for (const digit of '12') scenario.press(digit);
  await scenario.silence(2000);
  expect(scenario.transcript().at(-1)).toBe('bot: Your code, please. Thanks.');
  expect(model.told).toEqual(
    expect.arrayContaining([`assistant: ${prompt}`, 'tool: The caller pressed 12.']),
  );
  expect(scenario.conversation.notes()).toEqual({ code: '12' });
});

it('hands over to another assistant with the words of the owner', async () => {
  const message = 'One moment.';
  const { scenario } = realtime(
    { answers: [{ call: 'to_sales', arguments: {} }] },
    {
      settings: {
        tools: [{ type: 'hand_over', name: 'to_sales', description: '', message, assistantId: 7 }],
      },
    },
  );
  await scenario.answerAndGreet();
  await say(scenario, 3000);
  expect(scenario.transcript().at(-1)).toBe('bot: One moment.');
  expect(scenario.events).toContainEqual(expect.objectContaining({ type: 'hang-up', nextAssistantId: 7 }));
});
