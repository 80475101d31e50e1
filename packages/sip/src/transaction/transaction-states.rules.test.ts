import { describe, expect, it } from 'vitest';
import {
  FIRST_STATE,
  TRANSACTION_TABLES,
  transactionStep,
  type TransactionEvent,
  type TransactionKind,
  type TransactionState,
} from './transaction-states.rules.ts';

const EVENTS: TransactionEvent[] = [
  'repeat-timer',
  'deadline',
  'provisional',
  'success',
  'failure',
  'request',
  'ack',
  'transport-fault',
];

/** Every state with, for each event in the order above, what follows; `-` is ignored. */
const EXPECTED: Record<TransactionKind, Partial<Record<TransactionState, string[]>>> = {
  'invite-client': {
    calling: ['calling', 'terminated', 'proceeding', 'accepted', 'completed', '-', '-', 'terminated'],
    proceeding: ['-', '-', 'proceeding', 'accepted', 'completed', '-', '-', '-'],
    completed: ['-', 'terminated', '-', '-', 'completed', '-', '-', 'terminated'],
    accepted: ['-', 'terminated', '-', 'accepted', '-', '-', '-', '-'],
  },
  client: {
    trying: ['trying', 'terminated', 'proceeding', 'completed', 'completed', '-', '-', 'terminated'],
    proceeding: ['proceeding', 'terminated', 'proceeding', 'completed', 'completed', '-', '-', 'terminated'],
    completed: ['-', 'terminated', '-', '-', '-', '-', '-', '-'],
  },
  'invite-server': {
    proceeding: ['-', '-', 'proceeding', 'accepted', 'completed', 'proceeding', '-', 'terminated'],
    completed: ['completed', 'terminated', '-', '-', '-', 'completed', 'confirmed', 'terminated'],
    confirmed: ['-', 'terminated', '-', '-', '-', '-', '-', '-'],
    accepted: ['-', 'terminated', '-', 'accepted', '-', '-', 'accepted', '-'],
  },
  server: {
    trying: ['-', 'terminated', '-', 'completed', 'completed', '-', '-', 'terminated'],
    completed: ['-', 'terminated', '-', '-', '-', 'completed', '-', 'terminated'],
  },
};

const KINDS = Object.keys(EXPECTED) as TransactionKind[];
const ROWS = KINDS.flatMap((kind) =>
  Object.entries(EXPECTED[kind]).flatMap(([state, nexts]) =>
    nexts.map((next, index) => [kind, state as TransactionState, EVENTS[index] ?? 'ack', next] as const),
  ),
);

describe('the transaction tables', () => {
  it.each(ROWS)('%s in %s on %s: %s', (kind, state, event, next) => {
    expect(transactionStep(kind, state, event)?.next ?? '-').toBe(next);
  });

  it('have exactly the listed states and begin in one of them', () => {
    for (const kind of KINDS) {
      expect(Object.keys(TRANSACTION_TABLES[kind]).toSorted()).toEqual(
        Object.keys(EXPECTED[kind]).toSorted(),
      );
      expect(EXPECTED[kind][FIRST_STATE[kind]]).toBeDefined();
    }
  });

  it('leave every state that waits for the network by a timer, except the two that wait for a person', () => {
    const withoutTimer = KINDS.flatMap((kind) =>
      Object.entries(TRANSACTION_TABLES[kind])
        .filter(([, spec]) => spec.deadline === undefined)
        .map(([state]) => `${kind} ${state}`),
    );
    expect(withoutTimer).toEqual(['invite-client proceeding', 'invite-server proceeding']);
  });

  it('report no retransmission', () => {
    expect(transactionStep('invite-client', 'completed', 'failure')?.effects).toEqual(['acknowledge']);
    expect(transactionStep('invite-client', 'accepted', 'success')?.effects).toEqual(['report']);
    expect(transactionStep('invite-client', 'calling', 'failure')?.effects).toEqual([
      'acknowledge',
      'report',
    ]);
  });
});
