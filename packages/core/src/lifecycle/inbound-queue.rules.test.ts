import { describe, expect, it } from 'vitest';
import { decideArrival, isNext, mayWait } from './inbound-queue.rules.ts';

const QUEUE = { maxCalls: 2, maxWaiting: 3 };
const ALL = { hasSlot: true, hasQueueSlot: true };

describe('a call to a number with a queue', () => {
  it.each([
    ['is connected while the number has a free conversation', 1, 0, ALL, 'connect'],
    ['waits when all conversations are in use', 2, 0, ALL, 'enter'],
    ['waits when its process is full', 0, 0, { hasSlot: false, hasQueueSlot: true }, 'enter'],
    ['does not overtake those who wait', 1, 1, ALL, 'enter'],
    ['overflows when the queue is full', 2, 3, ALL, 'overflow'],
    [
      'overflows when its process has no queue slot',
      2,
      0,
      { hasSlot: true, hasQueueSlot: false },
      'overflow',
    ],
    ['needs no queue slot when it is connected', 0, 0, { hasSlot: true, hasQueueSlot: false }, 'connect'],
  ] as const)('%s', (_sentence, talking, waiting, capacity, expected) =>
    expect(decideArrival(QUEUE, { talking, waiting }, capacity)).toBe(expected),
  );

  it.each([
    ['when a conversation has ended', 1, 0, true],
    ['not while all talk', 2, 0, false],
    ['not while another caller is to be connected first', 1, 1, false],
    ['together with another one when two conversations are free', 0, 1, true],
  ])('is connected after its wait: %s', (_sentence, talking, ahead, expected) =>
    expect(isNext(QUEUE, { talking, ahead })).toBe(expected),
  );

  it('is connected when the queue was removed', () =>
    expect(isNext(null, { talking: 9, ahead: 9 })).toBe(true));

  it('waits only for a conversation', () => {
    const types = ['assistant', 'menu', 'message', 'voicemail', 'reject'] as const;
    const waits = types.filter((type) =>
      mayWait({ type, assistantId: 1, text: '', maxSeconds: 1, choices: [] }),
    );
    expect(waits).toEqual(['assistant', 'menu']);
  });
});
