import { expect, test } from 'vitest';
import { missedApiGoals } from './api-goals.rules.ts';
import type { HotFigures } from './api-hot.ts';

const side = { micros: 200, postgresMicros: 300, gcMicros: 5, p99Ms: 30 };
const hot: HotFigures = {
  name: 'calls list',
  isHot: true,
  statements: 2,
  ratio: { value: 1.3, error: 0.02 },
  postgresRatio: 2.5,
  api: side,
  floor: { ...side, p99Ms: 20 },
};
const list = { name: 'no filter', total: 1, medianMs: 1, p99Ms: 30, cpuMs: 1 };
const depth = { calls: 10_000_000, firstPageMs: 5, deepPageMs: 60, totalMs: 1 };
const stream = { leads: 10_000, durationMs: 250, grownMegabytes: 60, longestStallMs: 20 };

const administrative: HotFigures = {
  ...hot,
  name: 'assistant get',
  isHot: false,
  ratio: { value: 3, error: 0.1 },
  floor: side,
};

test('figures at their limits miss no goal', () => {
  const figures = { hot: [hot, administrative], lists: [list], depths: [depth], streams: [stream] };
  expect(missedApiGoals(figures)).toEqual([]);
});

test.each([
  ['Node', { hot: [{ ...hot, ratio: { ...hot.ratio, value: 1.31 } }] }],
  ['Postgres', { hot: [{ ...hot, postgresRatio: 2.6 }] }],
  ['Node of an administrative endpoint', { hot: [{ ...administrative, ratio: { value: 3.1, error: 0 } }] }],
  ['a slow answer', { hot: [{ ...hot, api: { ...side, p99Ms: 31 } }] }],
  ['a slow list', { lists: [{ ...list, p99Ms: 31 }] }],
  ['a slow first page', { depths: [{ ...depth, firstPageMs: 6 }] }],
  ['a slow deep page', { depths: [{ ...depth, deepPageMs: 61 }] }],
  ['a slow total', { depths: [{ ...depth, totalMs: 1.1 }] }],
  ['a slow stream', { streams: [{ ...stream, durationMs: 251 }] }],
  ['memory', { streams: [{ ...stream, grownMegabytes: 61 }] }],
  ['a stall', { streams: [{ ...stream, longestStallMs: 21 }] }],
])('%s over its limit is reported once', (_what, figures) => {
  expect(missedApiGoals(figures)).toHaveLength(1);
});

test('the time of a million leads is not limited', () => {
  const figures = { streams: [{ ...stream, leads: 1_000_000, durationMs: 30_000 }] };
  expect(missedApiGoals(figures)).toEqual([]);
});
