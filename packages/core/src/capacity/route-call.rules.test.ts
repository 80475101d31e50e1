import { describe, expect, it } from 'vitest';
import {
  isHarmless,
  routeCall,
  type TrunkHold,
  type Route,
  type RouteNumber,
  type RouteRequest,
  type RouteTrunk,
} from './route-call.rules.ts';

const TEST: RouteTrunk = {
  id: 1,
  userId: null,
  reach: 'fictional',
  isTest: true,
  priority: 50,
  pricePerMinute: null,
  callerNumber: '+12025550100',
  hold: null,
};
const REAL_LINE = { reach: 'any', isTest: false, priority: 50, pricePerMinute: null, hold: null } as const;
const SHARED: RouteTrunk = { ...REAL_LINE, id: 2, userId: null, callerNumber: '+4930111' };
const OWN: RouteTrunk = { ...REAL_LINE, id: 3, userId: 7, callerNumber: null };

const ON_TEST: RouteNumber = { id: 10, trunkId: 1, phoneNumber: '+12025550150' };
const ON_OWN: RouteNumber = { id: 11, trunkId: 3, phoneNumber: '+4930222' };

const REAL = '+4915123456789';
const FICTIONAL = '+12025550123';

/** @returns null when no line takes the call */
function routeOf(request: Omit<RouteRequest, 'refusal'> & Partial<RouteRequest>): Route | null {
  const routing = routeCall({ refusal: null, ...request });
  return 'route' in routing ? routing.route : null;
}

function holdOf(trunks: RouteTrunk[], to = FICTIONAL): TrunkHold | null {
  const routing = routeCall({ to, refusal: null, assistantNumberId: null, trunks, numbers: [] });
  return 'hold' in routing ? routing.hold : null;
}

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
    expect(routeOf({ to, assistantNumberId: null, trunks: [TEST], numbers: [] }) !== null).toBe(isReached);
  });

  it('a fresh installation reaches no real number', () => {
    expect(routeOf({ to: REAL, assistantNumberId: null, trunks: [TEST], numbers: [ON_TEST] })).toBeNull();
  });

  it("the assistant's own number decides", () => {
    const numbers = [ON_TEST, ON_OWN];
    const trunks = [TEST, SHARED, OWN];
    expect(routeOf({ to: FICTIONAL, assistantNumberId: 10, trunks, numbers })).toEqual({
      trunkId: 1,
      callerNumber: '+12025550150',
    });
    expect(routeOf({ to: FICTIONAL, assistantNumberId: 11, trunks, numbers })).toEqual({
      trunkId: 3,
      callerNumber: '+4930222',
    });
  });

  it("a line that cannot reach the number is passed over, even the assistant's own", () => {
    const route = routeOf({ to: REAL, assistantNumberId: 10, trunks: [TEST, SHARED], numbers: [ON_TEST] });
    expect(route).toEqual({ trunkId: 2, callerNumber: '+4930111' });
  });

  it("the user's own line comes before a shared one, and a real one before the test phones", () => {
    const route = (trunks: RouteTrunk[]) =>
      routeOf({ to: FICTIONAL, assistantNumberId: null, trunks, numbers: [] })?.trunkId;
    expect(route([TEST, SHARED, OWN])).toBe(3);
    expect(route([TEST, SHARED])).toBe(2);
    expect(route([TEST])).toBe(1);
    expect(route([])).toBeUndefined();
  });

  it('the older of two equal trunks comes first', () => {
    const older: RouteTrunk = { ...SHARED, id: 1 };
    const route = routeOf({
      to: REAL,
      assistantNumberId: null,
      trunks: [{ ...SHARED, id: 5 }, SHARED, older, { ...SHARED, id: 4 }],
      numbers: [],
    });
    expect(route?.trunkId).toBe(1);
  });

  it("shows the assistant's number, whichever other numbers its trunk has", () => {
    const numbers = [{ ...ON_OWN, id: 12, phoneNumber: '+4930333' }, ON_OWN];
    const route = routeOf({ to: REAL, assistantNumberId: 11, trunks: [OWN], numbers });
    expect(route?.callerNumber).toBe('+4930222');
  });

  it("shows the user's number on that line, else the line's, else none", () => {
    const shown = (trunk: RouteTrunk, numbers: RouteNumber[]) =>
      routeOf({ to: FICTIONAL, assistantNumberId: null, trunks: [trunk], numbers })?.callerNumber;
    expect(shown(TEST, [ON_OWN, ON_TEST])).toBe('+12025550150');
    expect(shown(TEST, [ON_OWN])).toBe('+12025550100');
    expect(shown(OWN, [])).toBe('');
  });

  it('of several trunks of one owner the smallest priority comes first, then the lowest price', () => {
    const shared = (id: number, priority: number, pricePerMinute: number | null): RouteTrunk => ({
      ...SHARED,
      id,
      priority,
      pricePerMinute,
    });
    const chosen = (...trunks: RouteTrunk[]) =>
      routeOf({ to: REAL, assistantNumberId: null, trunks, numbers: [] })?.trunkId;
    expect(chosen(shared(2, 50, 0.01), shared(3, 10, 0.09))).toBe(3);
    expect(chosen(shared(2, 50, 0.05), shared(3, 50, 0.02), shared(4, 50, null))).toBe(3);
    expect(chosen(shared(2, 50, null), shared(3, 50, null))).toBe(2);
    expect(chosen(shared(2, 1, 0), { ...OWN, priority: 100 })).toBe(3);
  });

  it('a line that takes no call now is passed over; where none does, the first choice says why', () => {
    const hold: TrunkHold = { reason: 'trunk_calls', until: null, trunkId: 3 };
    const pause: TrunkHold = { reason: 'trunk_paused', until: new Date(0), trunkId: 2 };
    const full = { ...OWN, hold };
    const paused = { ...SHARED, hold: pause };
    const request = { to: FICTIONAL, assistantNumberId: 11, numbers: [ON_OWN] };
    expect(routeOf({ ...request, trunks: [full, SHARED] })?.trunkId).toBe(2);
    expect(holdOf([full, SHARED])).toBeNull();
    expect(holdOf([full, paused])).toEqual(hold);
    expect(holdOf([paused])).toEqual(pause);
    expect(holdOf([TEST], REAL)).toEqual({ reason: 'no_line', until: null, trunkId: null });
  });
});

describe('a number that must not be dialed', () => {
  const refusal = 'country_not_allowed';
  const route = (to: string, trunks: RouteTrunk[]) =>
    routeCall({ to, refusal, assistantNumberId: null, trunks, numbers: [] });

  it('is refused on every trunk that leads to a carrier', () => {
    expect(route(REAL, [SHARED, OWN])).toEqual({ refusal });
  });

  it('may be dialed on a test trunk, where it costs nothing', () => {
    expect(route(FICTIONAL, [SHARED, TEST])).toMatchObject({ route: { trunkId: 1 } });
  });

  it('waits for a trunk where none reaches it at all', () => {
    expect(route(REAL, [TEST])).toMatchObject({ hold: { reason: 'no_line' } });
    expect(route(REAL, [])).toMatchObject({ hold: { reason: 'no_line' } });
  });

  it('costs nothing on a trunk for fictional numbers only', () => {
    expect([TEST, SHARED].map(isHarmless)).toEqual([true, false]);
  });
});
