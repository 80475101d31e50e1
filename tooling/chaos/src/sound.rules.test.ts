import { expect, test } from 'vitest';
import type { WireCall } from './oracle.rules.ts';
import { gapsIn, lostTurns } from './sound.rules.ts';

const CALL: WireCall = {
  sipCallId: 'a',
  number: '+12005550100',
  invitedAtMs: 0,
  endedAtMs: 11_000,
  answer: { atMs: 1_000, isHungUp: true },
};
const sound = (packetsReceived: number) => ({ at: '', event: 'sound', callId: 'a', packetsReceived });

test.each([
  ['a packet every 20 ms', 500, 0],
  ['the loss of the first and last moments', 455, 0],
  ['a gap of two seconds', 400, 1],
])('%s', (_, packets, faults) => {
  expect(gapsIn([sound(packets)], [CALL])).toHaveLength(faults);
});

test('calls without an answer, without an end or shorter than two seconds are not judged', () => {
  const calls = [
    { ...CALL, answer: null },
    { ...CALL, endedAtMs: null },
    { ...CALL, endedAtMs: 2_500 },
  ];
  expect(gapsIn([sound(0)], calls)).toEqual([]);
});

test('a turn is lost when most of its words are missing', () => {
  const lines = ['Hello?', 'Yes, that is me.', 'All right, please go on.'];
  expect(lostTurns(lines, 'user: yes that was me. user: all right please go.')).toEqual([]);
  expect(lostTurns(lines, 'user: yes that is me.')).toEqual(['All right, please go on.']);
});
