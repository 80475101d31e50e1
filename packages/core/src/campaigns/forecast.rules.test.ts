import { describe, expect, it } from 'vitest';
import { decideDial, type DialNumber } from '../dialing/dial-rule.rules.ts';
import type { LeadGroup } from './forecast-queue.rules.ts';
import { flyCampaign, type Flight, type FlightPlan } from './forecast.rules.ts';

/** A Thursday. */
const START = new Date('2026-01-01T09:00:00Z');
const MAIN: DialNumber = {
  leadId: 0,
  phoneNumber: '+12025550100',
  status: 'created',
  isForbidden: false,
  hasConsent: true,
  isInCall: false,
  attemptAllowedAt: null,
  zones: [],
  trunkHold: null,
  refusal: null,
};
const CAMPAIGN: FlightPlan['campaign'] = {
  status: 'in-progress',
  isDeleted: false,
  timezone: 'UTC',
  allowedFrom: '09:00:00',
  allowedUntil: '17:00:00',
  allowedDays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
  maxRetries: 2,
  retryIntervalSeconds: 600,
  isConsentRequired: false,
  isVoicemailRetried: false,
  isUnmetGoalRetried: false,
  goalVariable: null,
};

function group(leads: number, fields: Partial<LeadGroup> = {}): LeadGroup {
  return { leads, readyAtMs: START.getTime(), round: 1, turn: 0, numbers: [MAIN], ...fields };
}

function fly(fields: Partial<FlightPlan> = {}, campaign: Partial<FlightPlan['campaign']> = {}): Flight {
  return flyCampaign({
    campaign: { ...CAMPAIGN, ...campaign },
    groups: [group(100)],
    callsAtOnce: 10,
    callsPerSecond: null,
    answerRate: 1,
    durationSeconds: 60,
    ringSeconds: 20,
    startAt: START,
    ...fields,
  });
}

const minutes = (flight: Flight): number => ((flight.finishAt?.getTime() ?? NaN) - START.getTime()) / 60_000;
const callsOf = (flight: Flight): number[] => [...flight.buckets.values()].map(({ calls }) => calls);

describe('a campaign flown on paper', () => {
  it('all leads answer: a hundred calls of a minute each, ten at once, take ten minutes', () => {
    const flight = fly();
    expect(flight).toMatchObject({ calls: 100, reached: 100, reachedMaxRetries: 0 });
    expect(minutes(flight)).toBeCloseTo(11, 0);
    expect(Math.max(...callsOf(flight))).toBeLessThanOrEqual(11);
    expect(callsOf(flight).reduce((sum, calls) => sum + calls)).toBe(100);
  });

  it('no lead answers: every round takes place, separated by the retry interval', () => {
    const flight = fly({ answerRate: 0 });
    expect(flight).toMatchObject({ calls: 300, reached: 0, reachedMaxRetries: 100 });
    expect(minutes(flight)).toBeGreaterThanOrEqual(20);
    expect(minutes(flight)).toBeLessThan(26);
  });

  it('half answer: the rounds halve what is left', () => {
    const flight = fly({ answerRate: 0.5, groups: [group(800)] });
    expect(flight).toMatchObject({ reached: 700, reachedMaxRetries: 100 });
    expect(flight.calls).toBe(1400);
  });

  it('contacts are called in the same round', () => {
    const contact = { ...MAIN, leadId: 1 };
    const flight = fly({ answerRate: 0, groups: [group(10, { numbers: [MAIN, contact] })] });
    expect(flight).toMatchObject({ calls: 60, reachedMaxRetries: 10 });
  });

  it('stops for the night and goes on in the morning', () => {
    const flight = fly({ groups: [group(6_000)], durationSeconds: 60, callsAtOnce: 10 });
    // 8 hours of 10 calls a minute are 4,800.
    expect(flight.finishAt?.toISOString().slice(0, 10)).toBe('2026-01-02');
    expect(flight.reached).toBe(6_000);
    const hours = [...flight.buckets.keys()].map((ms) => new Date(ms).getUTCHours());
    expect(hours.every((hour) => hour >= 9 && hour < 17)).toBe(true);
  });

  it('a rate of the trunk holds it back', () => {
    expect(minutes(fly({ callsPerSecond: 0.1 }))).toBeGreaterThan(16);
  });

  it('leads that can never be called are counted by their reason', () => {
    const forbidden = { ...MAIN, isForbidden: true };
    const afar = { ...MAIN, zones: ['Pacific/Honolulu'] };
    const noLine = { ...MAIN, trunkHold: { reason: 'no_line' as const, until: null, trunkId: null } };
    const groups = [
      group(1, { numbers: [forbidden] }),
      group(2, { numbers: [{ ...afar }] }),
      group(3, { numbers: [noLine] }),
      group(4),
    ];
    const flight = fly({ groups }, { timezone: 'Europe/Berlin' });
    expect(Object.fromEntries(flight.never)).toEqual({ do_not_call: 1, no_allowed_time: 2, no_line: 3 });
    expect(flight.reached).toBe(4);
  });

  it('no day is allowed: no lead is called, and there is no end', () => {
    const flight = fly({}, { allowedDays: [] });
    expect(flight).toMatchObject({ calls: 0, finishAt: null });
    expect(flight.never.get('no_allowed_time')).toBe(100);
  });

  it('no slot at all: it has no end', () => {
    expect(fly({ callsAtOnce: 0 })).toMatchObject({ calls: 0, finishAt: null });
  });

  it('later leads wait for their time', () => {
    const later = START.getTime() + 3_600_000;
    const flight = fly({ groups: [group(1, { readyAtMs: later })] });
    expect([...flight.buckets.keys()]).toEqual([later]);
  });

  it('a million leads cost no more than the steps do, and the plan stays short', () => {
    const flight = fly({ groups: [group(1_000_000)], answerRate: 0.4, callsAtOnce: 500 });
    expect(flight.reached + flight.reachedMaxRetries).toBe(1_000_000);
    expect(flight.buckets.size).toBeLessThanOrEqual(500);
    // The share that is not reached in three rounds.
    expect(flight.reachedMaxRetries / 1_000_000).toBeCloseTo(0.6 ** 3, 3);
  });

  it('is the same every time', () => {
    const plan = { groups: [group(777)], answerRate: 0.37 };
    expect(fly(plan)).toEqual(fly(plan));
  });

  it('every call it plans is one that the rule allows', () => {
    const flight = fly({ groups: [group(5_000)], answerRate: 0.3 });
    for (const atMs of flight.buckets.keys()) {
      const at = new Date(atMs);
      const verdict = decideDial({
        campaign: CAMPAIGN,
        isAssistantReady: true,
        numbers: [MAIN],
        turnLeadId: 0,
        round: 1,
        readyAt: at,
        freeSlots: { campaign: 1, account: 1, fleet: 1 },
        now: at,
        databaseNow: at,
      });
      expect(verdict.do).toBe('dial');
    }
  });
});
