import { expect, test } from 'vitest';
import { overFloors, sumOfFloorsMs } from './campaign-floors.rules.ts';

const FLOORS = { inviteMicros: 200, commitMicros: 100, postMicros: 150 };

test('a lead takes one INVITE, four commits and two posts', () => {
  expect(sumOfFloorsMs(FLOORS)).toBeCloseTo(0.9, 10);
});

test('the INVITE that the doubles do not send counts at its floor on both sides', () => {
  expect(overFloors(4.3, FLOORS)).toBeCloseTo(5, 10);
  expect(overFloors(0.7, FLOORS)).toBeCloseTo(1, 10);
});
