import { describe, expect, it } from 'vitest';
import { NO_ACTIVITY } from './caller-activity.rules.ts';
import { addFinal, addInterim, addKey, NO_INPUT, type CallerInput } from './caller-input.rules.ts';
import { isTurnOver, type EndpointView } from './endpointing.rules.ts';

const WITH_RECOGNISER = { endpointWaitMs: 500, recogniser: { finalWithinMs: 400 } };

/** The caller spoke from 0 to 1000, paused, and the detector has followed up to `analysedMs`. */
function paused(view: Partial<EndpointView> = {}, analysedMs = 9000): EndpointView {
  return {
    activity: { ...NO_ACTIVITY, startedMs: 0, lastSpeechMs: 1000, analysedMs },
    input: { ...NO_INPUT, startedMs: 0, endedMs: 1000, speechMs: 1000, finalisedMs: 1250 },
    policy: { endpointWaitMs: 500, recogniser: null },
    ...view,
  };
}
const { input: spoken } = paused();
const final = (text: string, nowMs: number, endMs: number | null = null): CallerInput =>
  addFinal(spoken, text, { nowMs, endMs });

describe('without a recogniser', () => {
  it.each([
    ['silence shorter than the wait', 1499, false],
    ['silence of the wait, counted from the last speech', 1500, true],
  ])('%s', (_sentence, nowMs, isOver) => {
    expect(isTurnOver(paused(), nowMs)).toBe(isOver);
  });

  it('a caller who speaks is never done', () => {
    const view = paused();
    expect(isTurnOver({ ...view, activity: { ...view.activity, isSpeaking: true } }, 99_000)).toBe(false);
  });

  it('a detector that lags is waited for, but not for ever', () => {
    const view = paused({}, 1300);
    expect(isTurnOver(view, 1500)).toBe(false);
    expect(isTurnOver(paused({}, 1400), 1500)).toBe(true);
    expect(isTurnOver(view, 5999)).toBe(false);
    expect(isTurnOver(view, 6000)).toBe(true);
  });
});

describe('with a recogniser', () => {
  it.each<[string, CallerInput, number, boolean]>([
    ['the final is awaited', spoken, 2000, false],
    ['a final that has come ends the turn with the wait', final('Yes.', 1400), 1500, true],
    ['but not before the wait', final('Yes.', 1400), 1499, false],
    ['an empty final is a final', final('', 1400), 1500, true],
    ['a final from before the last speech is not the one', final('Well', 900), 1500, false],
    ['nor is one for the words before', final('Well', 1400, 0), 1500, false],
    ['words known, final overdue', final('Well', 900), 1650, true],
    ['a stable guess stands in for an overdue final', addInterim(spoken, 'yes', 1400), 1650, true],
    ['a guess does not before the final is overdue', addInterim(spoken, 'yes', 1200), 1649, false],
    ['nor while it still changes', addInterim(spoken, 'yes', 1500), 1699, false],
    ['no words at all are waited for', spoken, 5999, false],
    ['for five seconds', spoken, 6000, true],
  ])('%s', (_sentence, input, nowMs, isOver) => {
    expect(isTurnOver(paused({ input, policy: WITH_RECOGNISER }), nowMs)).toBe(isOver);
  });
});

describe('keys', () => {
  const none: CallerInput = NO_INPUT;
  it.each<[string, CallerInput, number, boolean]>([
    ['more keys are waited for', addKey(none, '1', 3000), 3999, false],
    ['for a second', addKey(none, '1', 3000), 4000, true],
    ['counted from the last key', addKey(addKey(none, '1', 3000), '2', 3900), 4800, false],
    ['a hash ends the entry', addKey(addKey(none, '1', 3000), '#', 3100), 3100, true],
    ['a key after speech still waits', addKey(spoken, '1', 3000), 3500, false],
  ])('%s', (_sentence, input, nowMs, isOver) => {
    expect(isTurnOver(paused({ input }), nowMs)).toBe(isOver);
  });
});
