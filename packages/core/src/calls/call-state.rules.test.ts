import { callStatuses, type CallStatus } from '@parley/contracts';
import { describe, expect, it } from 'vitest';
import { CALL_EVENTS, callPhase, nextCallStatus, type CallEventType } from './call-state.rules.ts';

/** Every step that is possible; whatever is not here changes nothing. */
const STEPS: Partial<Record<CallStatus, Partial<Record<CallEventType, CallStatus>>>> = {
  initiated: {
    ringing: 'ringing',
    answered: 'in-progress',
    busy: 'busy',
    'no-answer': 'no-answer',
    failed: 'failed',
  },
  ringing: { answered: 'in-progress', busy: 'busy', 'no-answer': 'no-answer', failed: 'failed' },
  'in-progress': {
    'customer-hung-up': 'ended_by_customer',
    'assistant-hung-up': 'ended_by_assistant',
    ended: 'ended',
  },
  ended_by_customer: { settled: 'completed' },
  ended_by_assistant: { settled: 'completed' },
  ended: { settled: 'completed' },
};

const PAIRS = callStatuses.flatMap((status) => CALL_EVENTS.map((event) => ({ status, event })));

describe('the states of a call', () => {
  it('the table covers every state and every event', () => {
    expect(PAIRS).toHaveLength(10 * 9);
  });

  it.each(PAIRS)('$status, then $event', ({ status, event }) => {
    expect(nextCallStatus(status, event)).toBe(STEPS[status]?.[event] ?? null);
  });

  it.each(['completed', 'busy', 'no-answer', 'failed'] as const)('%s is final', (status) => {
    expect(callPhase(status)).toBe('final');
    expect(CALL_EVENTS.map((event) => nextCallStatus(status, event))).toEqual(CALL_EVENTS.map(() => null));
  });

  it('every step leads to a later phase, except from initiated to ringing', () => {
    const order = ['before-answer', 'talking', 'hung-up', 'final'];
    for (const { status, event } of PAIRS) {
      const next = nextCallStatus(status, event);
      if (next === null || next === 'ringing') continue;
      expect(order.indexOf(callPhase(next))).toBeGreaterThan(order.indexOf(callPhase(status)));
    }
  });
});
