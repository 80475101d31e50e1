import { describe, expect, it } from 'vitest';
import {
  beginWait,
  decideWait,
  rememberDelay,
  waitOn,
  type WaitDecision,
  type WaitView,
} from './patience.rules.ts';

/** The caller's turn ended at 10 000, half a second after their last word; nothing was heard since. */
const BEGAN_MS = 10_000;
const waiting = (change: Partial<WaitView> = {}): WaitView => ({
  wait: beginWait(BEGAN_MS, BEGAN_MS - 500),
  kind: 'reply',
  attempt: 1,
  awaits: 'model',
  hasSounded: false,
  areFillersOn: false,
  replyDelaysMs: [],
  ...change,
});
const wanted = (change: Partial<WaitView> = {}): WaitView =>
  waiting({ areFillersOn: true, replyDelaysMs: [300, 900, 700], ...change });
/** A filler was asked for at 11 400 and heard until 12 200. */
const bridged = { ...beginWait(BEGAN_MS, null), fillerAskedMs: 11_400, silentSinceMs: 12_200, fillers: 1 };
/** A second filler was spoken until 13 700. */
const bridgedTwice = { ...bridged, fillerAskedMs: 12_900, silentSinceMs: 13_700, fillers: 2 };

/** One was asked for at 11 400 and not heard. */
const unbridged = { ...beginWait(BEGAN_MS, null), fillerAskedMs: 11_400 };

type Row = [string, WaitView, number, WaitDecision];

describe('a silence', () => {
  it.each<Row>([
    ['of a moment is waited for', waiting(), 1399, 'wait'],
    ['that is too long is bridged', waiting(), 1400, 'fill'],
    ['is bridged sooner in the owner’s words, when it is longer than usual', wanted(), 700, 'fill'],
    ['but not before', wanted(), 699, 'wait'],
    ['of a quick model is given a moment all the same', wanted({ replyDelaysMs: [100] }), 399, 'wait'],
    ['of a slow model is not waited for as usual', wanted({ replyDelaysMs: [2500] }), 1400, 'fill'],
    ['before the first reply of a call is bridged late', wanted({ replyDelaysMs: [] }), 1399, 'wait'],
    ['before the greeting too', wanted({ kind: 'greeting' }), 1399, 'wait'],
    ['between two sentences too', wanted({ hasSounded: true }), 1399, 'wait'],
    ['before a check-in is only silence', waiting({ kind: 'check-in' }), 2999, 'wait'],
    ['while a tool runs is bridged soon', wanted({ awaits: 'tool' }), 100, 'fill'],
    ['and late if fillers are disabled', waiting({ awaits: 'tool' }), 899, 'wait'],
  ])('%s', (_sentence, view, afterMs, decision) => {
    expect(decideWait(view, BEGAN_MS + afterMs)).toBe(decision);
  });

  it.each<Row>([
    [
      'is bridged again after three seconds of silence',
      waiting({ wait: bridged, awaits: 'tool' }),
      5200,
      'fill',
    ],
    ['but not before', waiting({ wait: bridged, awaits: 'tool' }), 5199, 'wait'],
    [
      'a filler that was not heard is asked for again',
      waiting({ wait: unbridged, awaits: 'tool' }),
      1900,
      'fill',
    ],
    ['and not at once', waiting({ wait: unbridged, awaits: 'tool' }), 1899, 'wait'],
    [
      'while a tool runs is bridged again soon if fillers are enabled',
      wanted({ wait: bridged, awaits: 'tool' }),
      2750,
      'fill',
    ],
    ['but not before', wanted({ wait: bridged, awaits: 'tool' }), 2749, 'wait'],
    ['and once more', wanted({ wait: bridgedTwice, awaits: 'tool' }), 4300, 'fill'],
    ['but not before', wanted({ wait: bridgedTwice, awaits: 'tool' }), 4299, 'wait'],
    ['then rarely', wanted({ wait: { ...bridgedTwice, fillers: 3 }, awaits: 'tool' }), 6699, 'wait'],
    ['of a model is not bridged when it is about to be replaced', wanted({ wait: bridged }), 2000, 'wait'],
    [
      'of a second model is bridged again',
      wanted({ wait: { ...bridged, wordsDueMs: BEGAN_MS + 3000 }, attempt: 2 }),
      3600,
      'fill',
    ],
  ])('%s', (_sentence, view, afterMs, decision) => {
    expect(decideWait(view, BEGAN_MS + afterMs)).toBe(decision);
  });

  it('before the turn counts, but a patient owner’s wait is no fault', () => {
    expect(beginWait(BEGAN_MS, BEGAN_MS - 500).silentSinceMs).toBe(BEGAN_MS - 500);
    expect(beginWait(BEGAN_MS, BEGAN_MS - 5000).silentSinceMs).toBe(BEGAN_MS - 2500);
    const patient = waiting({ wait: beginWait(BEGAN_MS, BEGAN_MS - 5000) });
    expect(decideWait(patient, BEGAN_MS)).toBe('wait');
    expect(decideWait(patient, BEGAN_MS + 500)).toBe('fill');
  });
});

describe('a provider that gives nothing', () => {
  it.each<Row>([
    ['is replaced after three seconds', waiting({ wait: bridged }), 3000, 'replace'],
    ['but not before', waiting({ wait: bridged }), 2999, 'wait'],
    ['ends with an apology at the second attempt', waiting({ wait: bridged, attempt: 2 }), 2500, 'apologise'],
    ['but not before', waiting({ wait: bridged, attempt: 2 }), 2499, 'wait'],
    ['is replaced sooner where no filler could be said', waiting({ wait: unbridged }), 1900, 'replace'],
    ['but not before', waiting({ wait: unbridged }), 1899, 'wait'],
    ['and ends with an apology sooner', waiting({ wait: unbridged, attempt: 2 }), 1500, 'apologise'],
    ['is not bridged when the apology is near', waiting({ attempt: 2 }), 1600, 'wait'],
    ['may be a tool, which has its own limits', waiting({ wait: bridged, awaits: 'tool' }), 5199, 'wait'],
    ['is replaced also for a check-in', waiting({ kind: 'check-in' }), 3000, 'replace'],
  ])('%s', (_sentence, view, afterMs, decision) => {
    expect(decideWait(view, BEGAN_MS + afterMs)).toBe(decision);
  });
});

describe('a frame without words', () => {
  const asked = { ...beginWait(BEGAN_MS, null), fillerAskedMs: 11_400 };

  it('that begins a filler counts it, and only once', () => {
    const begun = waitOn(asked, { hasFiller: true, awaits: 'model' }, 11_420);
    expect(begun).toMatchObject({ fillers: 1, silentSinceMs: 11_420 });
    expect(waitOn(begun, { hasFiller: true, awaits: 'model' }, 11_440)).toMatchObject({ fillers: 1 });
  });

  it('is not a fault of a provider while a tool runs', () => {
    expect(waitOn(asked, { hasFiller: false, awaits: 'tool' }, 11_420).wordsDueMs).toBe(11_420);
    expect(waitOn(asked, { hasFiller: false, awaits: 'model' }, 11_420).wordsDueMs).toBe(BEGAN_MS);
  });
});

describe('what is usual', () => {
  it('is known of the latest nine replies', () => {
    const ten = Array.from({ length: 10 }, (_none, n) => n).reduce(rememberDelay, [] as readonly number[]);
    expect(ten).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});
