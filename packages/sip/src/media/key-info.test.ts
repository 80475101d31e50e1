import { describe, expect, it } from 'vitest';
import { parseKeyInfo } from './key-info.ts';

describe('parseKeyInfo', () => {
  it.each([
    ['application/dtmf-relay', 'Signal=5\r\nDuration=240', { digit: '5', durationMs: 240 }],
    ['application/dtmf-relay', 'Signal= *\r\n', { digit: '*', durationMs: 160 }],
    ['Application/DTMF-Relay; charset=x', 'signal=a', { digit: 'A', durationMs: 160 }],
    ['application/dtmf-relay', 'Signal=11\nDuration=999999', { digit: '#', durationMs: 10_000 }],
    ['application/dtmf', ' 7 ', { digit: '7', durationMs: 160 }],
    ['application/dtmf-relay', 'Duration=1', null],
    ['application/dtmf-relay', 'Signal=E', null],
    ['application/dtmf', '12', null],
    ['text/plain', '1', null],
  ])('reads %s %j as %j', (type, body, key) => {
    expect(parseKeyInfo(type, body)).toEqual(key);
  });

  it('takes time in proportion to the length of the body', () => {
    // In quadratic time a body of a million line breaks would take longer than any test may.
    const body = `${'\n'.repeat(1_000_000)}Signal=5`;
    expect(parseKeyInfo('application/dtmf-relay', body)).toEqual({ digit: '5', durationMs: 160 });
  });
});
