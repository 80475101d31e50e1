import { ManualClock } from '@parley/runtime';
import { SpeechError, type LanguageModelRequest } from '@parley/speech';
import { createFakeModel, fakeSpeech, type FakeAnswer } from '@parley/speech/fakes';
import { expect, it } from 'vitest';
import { ProviderChain } from '../provider-chain.ts';
import { retriedModel } from './retried-model.ts';

const REQUEST: LanguageModelRequest = {
  systemPrompt: '',
  dialogue: [],
  tools: [],
  temperature: 0,
  language: 'en',
};
const busy: FakeAnswer = {
  events: [],
  failWith: new SpeechError('unavailable', 'The provider answered 429'),
};
const refused: FakeAnswer = {
  events: [],
  failWith: new SpeechError('rejected', 'The provider answered 401'),
};
const empty: FakeAnswer = { events: [] };
const broken: FakeAnswer = { ...fakeSpeech('Well'), failWith: new SpeechError('unavailable', 'gone') };

/** The outcome of one reply by two models: what was said, or the error; and who was asked. */
async function reply(first: FakeAnswer[], second: FakeAnswer[] | null, request = REQUEST) {
  const clock = new ManualClock();
  const models = [first, ...(second ? [second] : [])].map((answers) => createFakeModel({ clock, answers }));
  const [one, ...others] = models;
  if (!one) throw new Error('no model');
  const failures: string[] = [];
  const model = retriedModel({
    models: new ProviderChain(one, ...others),
    clock,
    onFailed: (hasReplaced) => failures.push(hasReplaced ? 'replaced' : 'asked again'),
  });
  let text = '';
  const said = (async () => {
    for await (const event of model.stream(request, new AbortController().signal))
      text += event.type === 'text' ? event.text : '';
  })().catch((error: unknown) => void (text += ` (${(error as Error).message})`));
  await clock.advanceAsync(5000, 50);
  await said;
  return { text, asked: models.map(({ requests }) => requests.length), failures };
}

it.each<[string, FakeAnswer[], FakeAnswer[] | null, { text: string; asked: number[]; failures: string[] }]>([
  ['an answer is given at once', [fakeSpeech('Yes.')], null, { text: 'Yes.', asked: [1], failures: [] }],
  [
    'a model that is busy is asked again',
    [busy, fakeSpeech('Yes.')],
    null,
    { text: 'Yes.', asked: [2], failures: ['asked again'] },
  ],
  [
    'and so is one that says nothing',
    [empty, busy, fakeSpeech('Yes.')],
    null,
    { text: 'Yes.', asked: [3], failures: ['asked again', 'asked again'] },
  ],
  [
    'four times at most',
    [busy, busy, busy, busy, fakeSpeech('Yes.')],
    null,
    {
      text: ' (The provider answered 429)',
      asked: [4],
      failures: ['asked again', 'asked again', 'asked again'],
    },
  ],
  [
    'the second time another model is asked',
    [busy, busy],
    [fakeSpeech('Yes.')],
    { text: 'Yes.', asked: [2, 1], failures: ['asked again', 'replaced'] },
  ],
  [
    'at once if the first one refuses',
    [refused],
    [fakeSpeech('Yes.')],
    { text: 'Yes.', asked: [1, 1], failures: ['replaced'] },
  ],
  [
    'a refusal without another model is final',
    [refused],
    null,
    { text: ' (The provider answered 401)', asked: [1], failures: [] },
  ],
  [
    'nothing is said twice',
    [broken, fakeSpeech('Yes.')],
    null,
    { text: 'Well (gone)', asked: [1], failures: [] },
  ],
])('%s', async (_sentence, first, second, expected) => {
  expect(await reply(first, second)).toEqual(expected);
});

it('after a tool a model may have nothing to add', async () => {
  const dialogue = [{ role: 'tool', toolCallId: 'a', name: 'look_up', result: 'Tuesday' }] as const;
  expect((await reply([empty, fakeSpeech('Yes.')], null, { ...REQUEST, dialogue })).asked).toEqual([1]);
});
