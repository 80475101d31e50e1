import { expect, it } from 'vitest';
import { truncations } from './truncations.rules.ts';

const chunk = (givenSamples: number, item?: string) => ({ text: 'x', givenSamples, isComplete: true, item });
const FILLER = { text: '', givenSamples: 800, isComplete: true };

it.each([
  ['all of it was heard', [chunk(1600, 'a')], 1600, []],
  ['half of it was heard', [chunk(1600, 'a')], 800, [{ item: 'a', heardMs: 100 }]],
  [
    'one item was heard and the next was not',
    [chunk(1600, 'a'), chunk(1600, 'b')],
    1600,
    [{ item: 'b', heardMs: 0 }],
  ],
  [
    'a filler came between the parts of one item',
    [chunk(800, 'a'), FILLER, chunk(800, 'a')],
    2000,
    [{ item: 'a', heardMs: 150 }],
  ],
  ['nothing but a filler was heard', [FILLER, chunk(1600, 'a')], 800, [{ item: 'a', heardMs: 0 }]],
  ['the text was read out', [chunk(1600)], 0, []],
])('what the model must forget where %s', (_what, chunks, sentSamples, expected) => {
  expect(truncations(chunks, sentSamples, 8000)).toEqual(expected);
});
