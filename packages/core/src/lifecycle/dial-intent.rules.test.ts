import { describe, expect, it } from 'vitest';
import {
  decideHandOver,
  DIAL_WAIT_LIMIT_MS,
  type HandOverDecision,
  type DialSituation,
} from './dial-intent.rules.ts';

const NEW: DialSituation = {
  isHangUpRequested: false,
  hasIntent: false,
  isSent: false,
  process: 'gone',
  waitedMs: 0,
};

const rows: [sentence: string, situation: Partial<DialSituation>, decision: HandOverDecision][] = [
  ['a new call is given to a process', {}, 'assign'],
  [
    'an intent that may not have arrived is handed over again',
    { hasIntent: true, process: 'alive' },
    'hand-over',
  ],
  ['an unsent call of a silent process goes to another', { hasIntent: true, process: 'silent' }, 'assign'],
  ['an unsent call of a dead process goes to another', { hasIntent: true, process: 'gone' }, 'assign'],
  ['a sent call is left to its process', { hasIntent: true, isSent: true, process: 'alive' }, 'leave'],
  [
    'a sent call of a silent process is left to the sweep',
    { hasIntent: true, isSent: true, process: 'silent' },
    'leave',
  ],
  [
    'a sent call of a dead process has failed',
    { hasIntent: true, isSent: true, process: 'gone' },
    'fail-lost',
  ],
  ['an unsent call that was cancelled fails', { isHangUpRequested: true }, 'fail-cancelled'],
  [
    'a sent call that was cancelled is ended by its process',
    { isHangUpRequested: true, hasIntent: true, isSent: true, process: 'alive' },
    'leave',
  ],
  ['just before the limit a call still goes out', { waitedMs: DIAL_WAIT_LIMIT_MS - 1 }, 'assign'],
  ['a call that waited too long fails', { waitedMs: DIAL_WAIT_LIMIT_MS }, 'fail-waited'],
  [
    'waiting does not matter once it was sent',
    { isSent: true, process: 'alive', waitedMs: 10 * DIAL_WAIT_LIMIT_MS },
    'leave',
  ],
];

describe('the intent of a dial', () => {
  it.each(rows)('%s', (_sentence, situation, decision) => {
    expect(decideHandOver({ ...NEW, ...situation })).toBe(decision);
  });

  it('never dials again what was sent, whatever else is true', () => {
    for (const process of ['alive', 'silent', 'gone'] as const) {
      for (const isHangUpRequested of [true, false]) {
        const decision = decideHandOver({
          ...NEW,
          isSent: true,
          hasIntent: true,
          process,
          isHangUpRequested,
        });
        expect(['leave', 'fail-lost']).toContain(decision);
      }
    }
  });
});
