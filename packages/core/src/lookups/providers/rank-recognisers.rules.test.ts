import type { ProviderRow } from '@parley/db';
import { expect, it } from 'vitest';
import { rankRecognisers } from './rank-recognisers.rules.ts';

const provider = (
  id: number,
  kind: ProviderRow['kind'],
  apiKeySealed: string | null = 'sealed',
  known: Partial<Pick<ProviderRow, 'isFound' | 'transcriptionModel'>> = {},
) => ({ id, kind, apiKeySealed, isFound: false, transcriptionModel: null, ...known });
const builtIn = provider(1, 'built-in', null);
const found = { isFound: true };
const whisper = { transcriptionModel: 'whisper' };
const server = (known: Parameters<typeof provider>[3]) => [
  builtIn,
  provider(2, 'openai-compatible', null, known),
  provider(3, 'deepgram'),
];
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
  ['those that stream come first, the built-in one last', all, null, 4, [6, 5, 3, 1]],
  ['the choice of the assistant comes before them', all, 3, 4, [3, 6, 5, 1]],
  ['the server of the model comes after the hosted ones', all, null, 7, [6, 5, 3, 7, 1]],
  ['another server is asked only when it is chosen', all, 2, 4, [2, 6, 5, 3, 1]],
  ['also for a scripted dialogue', all, null, 1, [6, 5, 3, 1]],
  ['a provider without transcription cannot be chosen', all, 4, 3, [6, 5, 3, 1]],
  ['a provider that was removed cannot be chosen', all, 99, 3, [6, 5, 3, 1]],
  ['a server whose model is named comes before the built-in one', server(whisper), null, 1, [3, 2, 1]],
  [
    'a found server transcribes what the built-in one cannot',
    server({ ...found, ...whisper }),
    null,
    1,
    [3, 1, 2],
  ],
  ['unless it is chosen', server({ ...found, ...whisper }), 2, 1, [2, 3, 1]],
  ['or runs the model', server({ ...found, ...whisper }), null, 2, [3, 2, 1]],
  ['a found server without transcription is never asked', server(found), null, 2, [3, 1]],
  ['not even if it is chosen', server(found), 2, 2, [3, 1]],
  ['a hosted one needs a key', [provider(1, 'deepgram', null), provider(2, 'built-in')], null, 2, [2]],
])('%s', (_name, providers, chosenId, modelProviderId, expected) => {
  expect(rankRecognisers(providers, { chosenId, modelProviderId }).map(({ id }) => id)).toEqual(expected);
});
