import { describe, expect, it } from 'vitest';
import { INBOUND_TABLE, type InboundEvent, type InboundState } from './inbound-call.rules.ts';
import { OUTBOUND_TABLE, type OutboundEvent, type OutboundState } from './outbound-call.rules.ts';

const OUTBOUND_EVENTS: OutboundEvent[] = [
  'provisional',
  'retryable',
  'unavailable',
  'redirected',
  'redirect-chosen',
  'redirect-refused',
  'accepted',
  'refused',
  'failed',
  'hang-up',
  'remote-bye',
  'expired',
  'unusable',
  'ack-missing',
  'cancel-limit',
];
/** For each event in the order above the next state; `-` is ignored. */
const OUTBOUND: Record<OutboundState, string[]> = {
  calling:
    'proceeding calling calling redirected - ended confirmed ended ended cancel-pending - - - - -'.split(' '),
  proceeding:
    'proceeding calling calling redirected - ended confirmed ended ended cancelling - - - - -'.split(' '),
  redirected: '- - - - calling ended - - - ended - - - - -'.split(' '),
  'cancel-pending': 'cancelling ended ended ended - ended ended ended ended - - - - - -'.split(' '),
  cancelling: '- ended ended ended - ended ended ended ended - - - - - ended'.split(' '),
  confirmed: '- - - - - - confirmed - - ended ended ended ended ended -'.split(' '),
  ended: '- - - - - - ended - - - - - - - -'.split(' '),
};

const INBOUND_EVENTS: InboundEvent[] = [
  'ring',
  'answer',
  'refuse',
  'remote-cancel',
  'acknowledged',
  'unusable',
  'ack-missing',
  'hang-up',
  'remote-bye',
  'failed',
  'expired',
];
const INBOUND: Record<InboundState, string[]> = {
  arrived: ['ringing', 'answered', 'ended', 'ended', '-', '-', '-', 'ended', 'ended', 'ended', '-'],
  ringing: ['-', 'answered', 'ended', 'ended', '-', '-', '-', 'ended', 'ended', 'ended', '-'],
  answered: ['-', '-', 'ended', '-', 'confirmed', 'ended', 'ended', 'closing', 'ended', '-', '-'],
  closing: ['-', '-', '-', '-', 'ended', 'ended', 'ended', '-', 'ended', '-', '-'],
  confirmed: ['-', '-', '-', '-', '-', '-', 'ended', 'ended', 'ended', '-', 'ended'],
  ended: ['-', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-'],
};

describe('the state table of an outbound call', () => {
  it.each(Object.entries(OUTBOUND))('leaves %s as listed', (state, nexts) => {
    const table = OUTBOUND_TABLE[state as OutboundState];
    expect(OUTBOUND_EVENTS.map((event) => table[event]?.next ?? '-')).toEqual(nexts);
  });

  it('reports the end exactly once: on every transition into ended, and in no other', () => {
    for (const [state, table] of Object.entries(OUTBOUND_TABLE)) {
      for (const step of Object.values(table)) {
        const ends = step.effects.filter((effect) => effect.startsWith('end-by'));
        expect(ends).toHaveLength(step.next === 'ended' && state !== 'ended' ? 1 : 0);
      }
    }
  });
});

describe('the state table of an inbound call', () => {
  it.each(Object.entries(INBOUND))('leaves %s as listed', (state, nexts) => {
    const table = INBOUND_TABLE[state as InboundState];
    expect(INBOUND_EVENTS.map((event) => table[event]?.next ?? '-')).toEqual(nexts);
  });

  it('reports the end exactly once: on every transition into ended', () => {
    for (const table of Object.values(INBOUND_TABLE)) {
      for (const step of Object.values(table)) {
        const ends = step.effects.filter((effect) => effect.startsWith('end-by'));
        expect(ends).toHaveLength(step.next === 'ended' ? 1 : 0);
      }
    }
  });
});
