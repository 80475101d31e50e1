import { expect, it } from 'vitest';
import { type AdminFigures, missedGoals } from './admin-goals.rules.ts';

const good: AdminFigures = {
  paintMs: 500,
  emptyPaintMs: 100,
  shift: { page: 'overview', score: 0.02 },
  scriptBytes: 200_000,
  fontBytes: 90_000,
  longestFrameMs: 50,
  callVisibleMs: 300,
};

it('is met at its limits', () => {
  expect(missedGoals(good)).toEqual([]);
});

it.each([
  ['a late paint', { paintMs: 501 }, '401 ms after an empty page'],
  ['a page that moves', { shift: { page: 'calls', score: 0.03 } }, 'the page calls moves by 0.030'],
  ['much script', { scriptBytes: 200_001 }, '200001 bytes'],
  ['a long frame', { longestFrameMs: 51 }, 'a frame took 51 ms'],
  ['a late row', { callVisibleMs: 301 }, 'after 301 ms'],
])('is missed by %s', (_, change, text) => {
  const missed = missedGoals({ ...good, ...change });
  expect(missed).toHaveLength(1);
  expect(missed[0]).toContain(text);
});
