import { describe, expect, it } from 'vitest';
import { longestWaitMs, stageSpans, stagesOf, waitMs, wordTimeMs } from './turn-times.rules.ts';

const turn = { text: 'Good morning to you all.', start_ms: 2000, end_ms: 4400 };

describe('the time of a word', () => {
  it.each([
    ['the first word is at the beginning of the turn', turn, 2, 2000],
    ['any letter of a word leads to its beginning', turn, 9, 2500],
    ['the beginning of a word is its own', turn, 5, 2500],
    ['the last word is before the end', turn, 23, 4000],
    ['a place behind the text is the last word', turn, 99, 4000],
    ['an empty turn begins at its beginning', { ...turn, text: '' }, 3, 2000],
    ['a turn without a length is at its beginning', { ...turn, end_ms: 1000 }, 9, 2000],
  ])('%s', (_sentence, given, offset, expected) => {
    expect(wordTimeMs(given, offset)).toBe(expected);
  });
});

describe('the stages of an answer', () => {
  it('follow each other, whatever their order was', () => {
    expect(stageSpans({ first_token: 500, final: 200, silence: 900 })).toEqual([
      { stage: 'final', fromMs: 0, untilMs: 200 },
      { stage: 'first_token', fromMs: 200, untilMs: 500 },
      { stage: 'silence', fromMs: 500, untilMs: 900 },
    ]);
    expect(stageSpans({})).toEqual([]);
    // The recogniser may be done before the customer is.
    expect(stageSpans({ final: -80 })).toEqual([{ stage: 'final', fromMs: 0, untilMs: 0 }]);
  });

  it('are those of all turns, in the order in which they end; unknown ones follow', () => {
    const turns = [
      { latency: { silence: 900, final: 200, zebra: 3 } },
      { latency: { first_token: 500, final: 100, apple: 2 } },
    ];
    expect(stagesOf(turns)).toEqual(['final', 'first_token', 'silence', 'apple', 'zebra']);
    expect(stagesOf([{ latency: {} }])).toEqual([]);
  });

  it('end with the whole wait', () => {
    expect(waitMs({ latency: { silence: 900, final: 200 } })).toBe(900);
    expect(waitMs({ latency: { final: -80 } })).toBe(0);
    expect(waitMs({ latency: {} })).toBeNull();
  });

  it('have one scale for a call', () => {
    expect(longestWaitMs([{ latency: {} }, { latency: { final: 300, silence: 2400 } }])).toBe(2400);
    expect(longestWaitMs([{ latency: { silence: 400 } }])).toBe(1000);
  });
});
