import { expect, it } from 'vitest';
import { healthProblems, healthState, type Health } from './health.rules.ts';

const good: Health = {
  processes: { voice_processes: 2, draining: 0, capacity: 20, active_calls: 3, workers: 1 },
  trunks: [{ id: 1, name: 'Carrier', state: 'healthy' }],
};
const withProcesses = (changes: Partial<Health['processes']>): Health => ({
  ...good,
  processes: { ...good.processes, ...changes },
});

it.each([
  ['nothing', good, []],
  ['no voice process', withProcesses({ voice_processes: 0, capacity: 0, active_calls: 0 }), [/voice/]],
  ['full voice processes', withProcesses({ active_calls: 20 }), [/full/]],
  ['no worker', withProcesses({ workers: 0 }), [/worker/]],
  ['a paused trunk', { ...good, trunks: [{ id: 1, name: 'Carrier', state: 'paused' }] }, [/Carrier/]],
] as const)('says what is wrong: %s', (_, health, problems) => {
  const found = healthProblems(health);
  expect(found).toHaveLength(problems.length);
  for (const [index, problem] of problems.entries()) expect(found[index]).toMatch(problem);
});

it.each([
  ['good', 'everything runs', good, null],
  ['bad', 'no voice process runs', withProcesses({ voice_processes: 0, capacity: 0, active_calls: 0 }), null],
  ['bad', 'no worker runs', withProcesses({ workers: 0 }), null],
  ['bad', 'the api has no database, although it had one before', good, 'failed'],
  ['unknown', 'the api cannot be reached', good, 'unreachable'],
  ['unknown', 'nothing was answered yet', undefined, null],
] as const)('the frame shows %s when %s', (state, _, data, failure) => {
  expect(healthState(data, failure)).toBe(state);
});
