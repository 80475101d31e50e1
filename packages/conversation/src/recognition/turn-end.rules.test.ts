import { describe, expect, it } from 'vitest';
import {
  learnPause,
  shortestWait,
  turnEndWait,
  type TurnEndPolicy,
  type TurnEndView,
} from './turn-end.rules.ts';

const AI: TurnEndPolicy = {
  endpointType: 'ai',
  endpointWaitMs: 500,
  language: 'en',
  recogniser: { isSemantic: false },
};
const SEMANTIC: TurnEndPolicy = { ...AI, recogniser: { isSemantic: true } };
const view = (change: Partial<TurnEndView>): TurnEndView => ({
  text: '',
  doneConfidence: null,
  isDone: false,
  usualPauseMs: null,
  asked: null,
  ...change,
});

describe('by the owner alone', () => {
  it('the wait is theirs whatever was said', () => {
    const owners: TurnEndPolicy = { ...SEMANTIC, endpointType: 'vad', endpointWaitMs: 900 };
    const said = view({ text: 'Yes.', doneConfidence: 1, usualPauseMs: 1400 });
    expect(turnEndWait(said, owners)).toBe(900);
    expect(shortestWait(owners)).toBe(900);
  });

  it('a number that is dictated gets more', () => {
    const owners: TurnEndPolicy = { ...AI, endpointType: 'vad' };
    const dictated = view({ text: 'My number is 0 2 0' });
    expect(turnEndWait(dictated, owners)).toBe(1800);
    expect(turnEndWait(dictated, { ...owners, endpointWaitMs: 2000 })).toBe(2000);
    expect(turnEndWait(view({ text: 'A table for 4' }), owners)).toBe(500);
  });

  it('a part of what the assistant has asked for gets still more, with the words alone too', () => {
    const part = view({ text: '020 7946', asked: 'phone' });
    expect(turnEndWait(part, { ...AI, endpointType: 'vad' })).toBe(2400);
    expect(turnEndWait(part, AI)).toBe(2400);
    expect(turnEndWait({ ...part, text: '020 7946 0018' }, { ...AI, endpointType: 'vad' })).toBe(500);
    expect(turnEndWait({ ...part, text: 'Yes.' }, AI)).toBe(300);
  });
});

describe('by the recogniser', () => {
  it.each<[string, number | null, number, number]>([
    ['nothing said yet is no end', null, 500, 2500],
    ['sure', 1, 500, 300],
    ['half sure', 0.5, 500, 1400],
    ['a patient owner makes the unsure wait longer', null, 5000, 5000],
    ['and not the sure one', 1, 5000, 300],
    ['more than sure is sure', 7, 500, 300],
  ])('%s', (_sentence, doneConfidence, endpointWaitMs, waitMs) => {
    expect(turnEndWait(view({ doneConfidence }), { ...SEMANTIC, endpointWaitMs })).toBe(waitMs);
  });

  it('a definite end leaves nothing to wait for, whatever its confidence', () => {
    const ended = view({ text: 'A table.', doneConfidence: 0.6, isDone: true });
    expect(turnEndWait(ended, SEMANTIC)).toBe(0);
    expect(turnEndWait(ended, { ...SEMANTIC, endpointType: 'vad', endpointWaitMs: 900 })).toBe(900);
  });
});

describe('by the words', () => {
  it.each<[string, Partial<TurnEndView>, number]>([
    ['a finished sentence', { text: 'I would like a room.' }, 300],
    ['a number may go on', { text: 'A table for 4' }, 1000],
    ['a number that is dictated goes on', { text: 'It is 555' }, 1800],
    ['a whole telephone number may go on', { text: '020 7946 0018' }, 1000],
    ['a conjunction goes on', { text: 'a room and' }, 1800],
    ['anything else waits as the owner says', { text: 'a room' }, 500],
    ['no words at all too', {}, 500],
    ['a caller who pauses is waited for', { text: 'a room', usualPauseMs: 800 }, 1000],
    ['but not for ever', { text: 'a room', usualPauseMs: 4000 }, 1500],
    ['and not after a finished sentence', { text: 'A room.', usualPauseMs: 800 }, 300],
    ['a quick caller is not cut shorter', { text: 'a room', usualPauseMs: 100 }, 500],
  ])('%s', (_sentence, said, waitMs) => {
    expect(turnEndWait(view(said), AI)).toBe(waitMs);
  });

  it('also without a recogniser there is a wait: the owner’s', () => {
    expect(turnEndWait(view({}), { ...AI, recogniser: null })).toBe(500);
    expect(shortestWait(AI)).toBe(300);
    expect(shortestWait({ ...AI, endpointWaitMs: 200 })).toBe(200);
  });
});

describe('what is learned of pauses', () => {
  it('the first pause is taken as it is, later ones move it slowly', () => {
    expect(learnPause(null, 800)).toBe(800);
    expect(learnPause(800, 1800)).toBeCloseTo(1100);
  });
});
