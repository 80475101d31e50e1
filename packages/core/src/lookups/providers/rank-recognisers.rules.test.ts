import type { ProviderRow } from '@parley/db';
import { expect, it } from 'vitest';
import { rankRecognisers } from './rank-recognisers.rules.ts';

const provider = (id: number, kind: ProviderRow['kind'], apiKeySealed: string | null = 'sealed') => ({
  id,
  kind,
  apiKeySealed,
});
const all = [
  provider(1, 'built-in', null),
  provider(2, 'openai-compatible'),
  provider(3, 'openai'),
  provider(4, 'elevenlabs'),
  provider(5, 'assemblyai'),
  provider(6, 'deepgram'),
  provider(7, 'openai-compatible', null),
];

it.each([
  ['those that stream come first', all, null, 4, [6, 5, 3]],
  ['the choice of the assistant comes before them', all, 3, 4, [3, 6, 5]],
  ['the server of the model hears, after the hosted ones', all, null, 7, [6, 5, 3, 7]],
  ['another server is asked only when it is chosen', all, 2, 4, [2, 6, 5, 3]],
  ['a scripted dialogue is heard by what is built in, at last', all, null, 1, [6, 5, 3, 1]],
  ['a provider that only speaks is no choice', all, 4, 3, [6, 5, 3]],
  ['a choice that is gone is no choice', all, 99, 3, [6, 5, 3]],
  [
    'without a key there is no account',
    [provider(1, 'deepgram', null), provider(2, 'built-in')],
    null,
    2,
    [2],
  ],
])('%s', (_name, providers, chosenId, modelProviderId, expected) => {
  expect(rankRecognisers(providers, { chosenId, modelProviderId }).map(({ id }) => id)).toEqual(expected);
});
