import { expect, test } from 'vitest';
import { countValues } from './json-values.rules.ts';

const count = (json: string, most = 100) => countValues(Buffer.from(json), most);

test.each<[string, number, number]>([
  ['1', 0, 0],
  ['[1]', 1, 1],
  ['[1, 2, 3]', 3, 1],
  ['{"a": 1, "b": {"c": [true, null]}}', 5, 3],
  ['[[], {}]', 4, 2],
  ['{"[{,": "\\"],[{\\\\"}', 1, 1],
  ['{"a": "[1,2', 1, 1],
  ['{"a": "\\', 1, 1],
  ['é,ü', 1, 0],
])('%s', (json, values, depth) => {
  expect(count(json)).toEqual({ values, depth });
});

test('counting stops above the limit', () => {
  expect(count('[1,2,3,4,5,6]', 3).values).toBe(4);
});
