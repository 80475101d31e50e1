import { describe, expect, it } from 'vitest';
import { NO_ACTIVITY } from './caller-activity.rules.ts';
import { addFinal, addInterim, addKey, NO_INPUT, type CallerInput } from './caller-input.rules.ts';
import { areWordsStanding, isTurnOver, isWordless, type EndpointView } from './endpointing.rules.ts';

const BY_SILENCE = { endpointType: 'vad', endpointWaitMs: 500, language: 'en' } as const;
const WITH_RECOGNISER = {
  ...BY_SILENCE,
  recogniser: { finalWithinMs: 400, isSemantic: false, isModel: false },
};

/** The caller spoke from 0 to 1000, paused, and the detector has followed up to `analysedMs`. */
function paused(view: Partial<EndpointView> = {}, analysedMs = 9000): EndpointView {
  return {
    activity: { ...NO_ACTIVITY, startedMs: 0, lastSpeechMs: 1000, analysedMs },
    input: { ...NO_INPUT, startedMs: 0, endedMs: 1000, speechMs: 1000, finalisedMs: 1250 },
    policy: { ...BY_SILENCE, recogniser: null },
    usualPauseMs: null,
    asked: null,
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
    expect(isTurnOver(view, 3999)).toBe(false);
    expect(isTurnOver(view, 4000)).toBe(true);
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
    [
      'a gap after the words replaces the final',
      { ...addInterim(spoken, 'yes', 1200), wordGapMs: 1510 },
      1520,
      true,
    ],
    ['a gap without words does not', { ...spoken, wordGapMs: 1510 }, 1520, false],
    ['nor while it still changes', addInterim(spoken, 'yes', 1500), 1699, false],
    ['no words at all are waited for', spoken, 3999, false],
    ['for three seconds', spoken, 4000, true],
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

describe('a long wait', () => {
  it('leaves the recogniser half a second beyond it', () => {
    const policy = { ...WITH_RECOGNISER, endpointWaitMs: 4000 };
    expect(isTurnOver(paused({ policy }), 5499)).toBe(false);
    expect(isTurnOver(paused({ policy }), 5500)).toBe(true);
  });
});

describe('by the words', () => {
  const policy = { ...WITH_RECOGNISER, endpointType: 'ai' } as const;
  it.each<[string, CallerInput, number, boolean]>([
    ['a finished sentence ends the turn sooner', final('Yes.', 1250), 1300, true],
    ['an unfinished one later', final('Yes and', 1250), 2799, false],
    ['but it does', final('Yes and', 1250), 2800, true],
  ])('%s', (_sentence, input, nowMs, isOver) => {
    expect(isTurnOver(paused({ input, policy }), nowMs)).toBe(isOver);
  });

  it('the end of turn that a recogniser reports is used', () => {
    const knowing = { ...policy, recogniser: { finalWithinMs: 0, isSemantic: true, isModel: false } };
    const said = final('Yes and', 1250);
    expect(isTurnOver(paused({ input: said, policy: knowing }), 3499)).toBe(false);
    expect(isTurnOver(paused({ input: { ...said, doneConfidence: 1 }, policy: knowing }), 1300)).toBe(true);
  });
});

describe('sound without end', () => {
  it.each<[string, CallerInput, number, boolean]>([
    ['half a minute without a word is no speech', spoken, 30_000, true],
    ['less may be', spoken, 29_999, false],
    ['words make it speech', addInterim(spoken, 'well', 9000), 38_999, false],
    ['for half a minute more', addInterim(spoken, 'well', 9000), 39_000, true],
    ['nothing heard is nothing', NO_INPUT, 99_000, false],
  ])('%s', (_sentence, input, nowMs, isOne) => {
    const { activity } = paused();
    expect(isWordless({ activity, input }, false, nowMs)).toBe(isOne);
  });

  it('is no speech with the words that a recogniser finds in its parts either', () => {
    const activity = { ...paused().activity, isSpeaking: true, startedMs: 1000 };
    const input = final('Well, tonight', 12_000);
    expect(isWordless({ activity, input }, true, 30_999)).toBe(false);
    expect(isWordless({ activity, input }, true, 31_000)).toBe(true);
    expect(isWordless({ activity, input }, false, 31_000)).toBe(false);
  });
});

describe('a background voice', () => {
  const { activity } = paused();
  const isStanding = (input: CallerInput, nowMs: number): boolean =>
    areWordsStanding({ activity, input }, nowMs);

  it('is not the caller once the words have not changed for two seconds', () => {
    const heard = addInterim(spoken, 'a table', 1000);
    expect(isStanding(heard, 2999)).toBe(false);
    expect(isStanding(addInterim(heard, 'a table for two', 2000), 3000)).toBe(false);
    expect(isStanding(heard, 3000)).toBe(true);
    expect(isStanding(addFinal(heard, 'a table', { nowMs: 2500, endMs: null }), 3000)).toBe(true);
    expect(isStanding(spoken, 99_000)).toBe(false);
  });

  it('is not the caller once the recogniser has reported a gap after the words', () => {
    const input = { ...addInterim(spoken, 'a table', 1000), wordGapMs: 2200 };
    expect(isStanding(input, 2220)).toBe(true);
    expect(isStanding(addInterim(input, 'a table for', 2300), 2320)).toBe(false);
    const resumed = { ...activity, startedMs: 2100 };
    expect(areWordsStanding({ activity: resumed, input }, 2220)).toBe(false);
  });

  it('does not turn into words by empty finals', () => {
    expect(isWordless({ activity, input: final('', 25_000) }, false, 30_000)).toBe(true);
    expect(isWordless({ activity, input: final('Yes.', 25_000) }, false, 30_000)).toBe(false);
  });
});
