import { expect, it } from 'vitest';
import { laneShapes } from './call-lanes.rules.ts';

it('places turns by their time, and a short word stays visible', () => {
  const turns: Parameters<typeof laneShapes>[0]['turns'] = [
    ['bot', 0, 1_000],
    ['human', 1_000, 1_001],
    ['bot', 2_000, 4_000],
  ];
  expect(laneShapes({ call_id: 1, turns })).toEqual([
    { sender: 'bot', left: 0, width: 25 },
    { sender: 'human', left: 25, width: 1 },
    { sender: 'bot', left: 50, width: 50 },
  ]);
});

it('has nothing to show without turns', () => {
  expect(laneShapes({ call_id: 1, turns: [] })).toEqual([]);
});
