import { describe, expect, it } from 'vitest';
import { nextState } from '../shared/state-table.rules.ts';
import {
  DIAL_STEPS,
  LEAD_STEPS,
  ownerEvent,
  queueingFor,
  type DialEvent,
  type DialState,
  type LeadEvent,
  type LeadStatus,
} from './lead-state.rules.ts';

describe('the status of a lead', () => {
  const STATUSES: LeadStatus[] = ['created', 'completed', 'reached-max-retries'];
  const OWNER: Partial<Record<LeadEvent, LeadStatus>> = {
    'ended-as-completed': 'completed',
    'ended-as-reached-max-retries': 'reached-max-retries',
    restarted: 'created',
  };
  const STEPS: Record<LeadStatus, Partial<Record<LeadEvent, LeadStatus>>> = {
    created: { ...OWNER, reached: 'completed', 'attempts-used-up': 'reached-max-retries' },
    completed: OWNER,
    'reached-max-retries': OWNER,
  };
  const EVENTS = Object.keys(LEAD_STEPS) as LeadEvent[];

  it.each(STATUSES.flatMap((status) => EVENTS.map((event) => ({ status, event }))))(
    '$status, then $event',
    ({ status, event }) => {
      expect(nextState(LEAD_STEPS, status, event)).toBe(STEPS[status][event] ?? null);
    },
  );

  it.each(STATUSES)('the owner can set it to %s', (status) => {
    expect(LEAD_STEPS[ownerEvent(status)].to).toBe(status);
  });
});

describe('the dial state of a lead', () => {
  const STATES: DialState[] = ['waiting', 'dialing', 'waiting-to-retry', 'blocked', 'done'];
  const ALWAYS: Partial<Record<DialEvent, DialState>> = {
    claimed: 'dialing',
    queued: 'waiting',
    requeued: 'waiting-to-retry',
    blocked: 'blocked',
    ended: 'done',
  };
  const STEPS: Record<DialState, Partial<Record<DialEvent, DialState>>> = {
    waiting: { ...ALWAYS, restarted: 'waiting' },
    dialing: ALWAYS,
    'waiting-to-retry': { ...ALWAYS, restarted: 'waiting' },
    blocked: { ...ALWAYS, restarted: 'waiting' },
    done: { ...ALWAYS, restarted: 'waiting' },
  };
  const EVENTS = Object.keys(DIAL_STEPS) as DialEvent[];

  it.each(STATES.flatMap((state) => EVENTS.map((event) => ({ state, event }))))(
    '$state, then $event',
    ({ state, event }) => {
      expect(nextState(DIAL_STEPS, state, event)).toBe(STEPS[state][event] ?? null);
    },
  );

  it('a lead is requeued from its second round on', () => {
    expect([1, 2, 3].map(queueingFor)).toEqual(['queued', 'requeued', 'requeued']);
  });
});
