import { expect, it } from 'vitest';
import { idIn, matching, numberIn } from './palette-search.rules.ts';

const named = (...names: string[]) => names.map((name) => ({ name }));

it('finds names that contain every word', () => {
  const all = named('Front desk', 'Sales desk', 'Survey');
  expect(matching(all, 'DESK fr')).toEqual(named('Front desk'));
  expect(matching(all, '')).toEqual(all);
  expect(matching(named(...Array<string>(9).fill('x')), 'x')).toHaveLength(6);
});

it('reads ids and parts of numbers', () => {
  expect(['42', '#42', '0', 'x42', '1234567890123456'].map(idIn)).toEqual([42, 42, null, null, null]);
  expect(['+1 (202) 555', '20', 'call 202555', '#123'].map(numberIn)).toEqual(['1202555', null, null, null]);
});
