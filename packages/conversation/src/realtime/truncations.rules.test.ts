import { expect, it } from 'vitest';
import { truncations } from './truncations.rules.ts';

const chunk = (givenSamples: number, item?: string) => ({
  text: 'One two three four.',
  words: [],
  givenSamples,
  isComplete: true,
  item,
});
const PACE = { sampleRateHz: 8000, samplesPerCharacter: 80 };
const FILLER = { text: '', words: [], givenSamples: 800, isComplete: true };

it.each([
  ['all of it was heard', [chunk(1600, 'a')], 1600, []],
  ['half of it was heard', [chunk(1600, 'a')], 800, [{ item: 'a', heardMs: 100, heardText: 'One two' }]],
  [
    'one item was heard and the next was not',
    [chunk(1600, 'a'), chunk(1600, 'b')],
    1600,
    [{ item: 'b', heardMs: 0, heardText: '' }],
  ],
  [
    'a filler came between the parts of one item',
    [chunk(800, 'a'), FILLER, chunk(800, 'a')],
    2000,
    [{ item: 'a', heardMs: 150, heardText: 'One two three four. One two' }],
  ],
  [
    'nothing but a filler was heard',
    [FILLER, chunk(1600, 'a')],
    800,
    [{ item: 'a', heardMs: 0, heardText: '' }],
  ],
  ['the text was read out', [chunk(1600)], 0, []],
])('what the model must forget where %s', (_what, chunks, sentSamples, expected) => {
  expect(truncations(chunks, sentSamples, PACE)).toEqual(expected);
});
