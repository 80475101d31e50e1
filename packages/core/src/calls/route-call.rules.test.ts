import { describe, expect, it } from 'vitest';
import { routeCall, type RouteNumber, type RouteTrunk } from './route-call.rules.ts';

const TEST: RouteTrunk = {
  id: 1,
  userId: null,
  reach: 'fictional',
  isTest: true,
  callerNumber: '+12025550100',
};
const SHARED: RouteTrunk = { id: 2, userId: null, reach: 'any', isTest: false, callerNumber: '+4930111' };
const OWN: RouteTrunk = { id: 3, userId: 7, reach: 'any', isTest: false, callerNumber: null };

const ON_TEST: RouteNumber = { id: 10, trunkId: 1, phoneNumber: '+12025550150' };
const ON_OWN: RouteNumber = { id: 11, trunkId: 3, phoneNumber: '+4930222' };

const REAL = '+4915123456789';
const FICTIONAL = '+12025550123';

describe('the line of a call', () => {
  it.each([
    ['+12025550100', true],
    ['+12025550199', true],
    ['+19995550142', true],
    ['+12025550200', false],
    ['+12025550099', false],
    ['+11025550123', false],
    ['+120255501234', false],
    ['+442025550123', false],
    ['x+12025550123', false],
  ])('test phones and the number %s: %s', (to, isReached) => {
    expect(routeCall({ to, assistantNumberId: null, trunks: [TEST], numbers: [] }) !== null).toBe(isReached);
  });

  it('a fresh installation reaches no real number', () => {
    expect(routeCall({ to: REAL, assistantNumberId: null, trunks: [TEST], numbers: [ON_TEST] })).toBeNull();
  });

  it("the assistant's own number decides", () => {
    const numbers = [ON_TEST, ON_OWN];
    const trunks = [TEST, SHARED, OWN];
    expect(routeCall({ to: FICTIONAL, assistantNumberId: 10, trunks, numbers })).toEqual({
      trunkId: 1,
      callerNumber: '+12025550150',
    });
    expect(routeCall({ to: FICTIONAL, assistantNumberId: 11, trunks, numbers })).toEqual({
      trunkId: 3,
      callerNumber: '+4930222',
    });
  });

  it("a line that cannot reach the number is passed over, even the assistant's own", () => {
    const route = routeCall({ to: REAL, assistantNumberId: 10, trunks: [TEST, SHARED], numbers: [ON_TEST] });
    expect(route).toEqual({ trunkId: 2, callerNumber: '+4930111' });
  });

  it("the user's own line comes before a shared one, and a real one before the test phones", () => {
    const route = (trunks: RouteTrunk[]) =>
      routeCall({ to: FICTIONAL, assistantNumberId: null, trunks, numbers: [] })?.trunkId;
    expect(route([TEST, SHARED, OWN])).toBe(3);
    expect(route([TEST, SHARED])).toBe(2);
    expect(route([TEST])).toBe(1);
    expect(route([])).toBeUndefined();
  });

  it("shows the user's number on that line, else the line's, else none", () => {
    const shown = (trunk: RouteTrunk, numbers: RouteNumber[]) =>
      routeCall({ to: FICTIONAL, assistantNumberId: null, trunks: [trunk], numbers })?.callerNumber;
    expect(shown(TEST, [ON_OWN, ON_TEST])).toBe('+12025550150');
    expect(shown(TEST, [ON_OWN])).toBe('+12025550100');
    expect(shown(OWN, [])).toBe('');
  });
});
