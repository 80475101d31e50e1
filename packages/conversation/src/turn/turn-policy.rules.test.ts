import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../test/scenario.ts';
import { turnPolicy } from './turn-policy.rules.ts';

describe('turnPolicy', () => {
  it('turns seconds into milliseconds', () => {
    expect(turnPolicy(SETTINGS, null)).toEqual({
      opening: 'greeting',
      answering: null,
      hasDisclosure: false,
      hasGreeting: true,
      hearsOptOut: true,
      optOutKey: null,
      greetingDelayMs: null,
      canInterruptGreeting: true,
      canInterrupt: true,
      interruptAfterMs: 500,
      minInterruptWords: 0,
      hasGuesses: false,
      hasLateWords: false,
      endpointType: 'vad',
      endpointWaitMs: 500,
      language: 'en',
      areFillersOn: false,
      segmentPauseMs: 250,
      finaliseAfterMs: 250,
      recogniser: null,
      reEngagementMs: 30_000,
      maxSilenceMs: 40_000,
      maxCallMs: 600_000,
    });
  });

  it.each([
    ['interruption has a floor', { interruptSensitivitySeconds: 0 }, { interruptAfterMs: 100 }],
    ['and takes its upper bound', { interruptSensitivitySeconds: 5 }, { interruptAfterMs: 5000 }],
    [
      'the end of a turn has a floor, and the pause stays below it',
      { endpointSensitivitySeconds: 0 },
      { endpointWaitMs: 200, segmentPauseMs: 100 },
    ],
    [
      'and takes its upper bound',
      { endpointSensitivitySeconds: 5 },
      { endpointWaitMs: 5000, segmentPauseMs: 250 },
    ],
    [
      'by its words a turn may end soon, and the pause stays below that',
      { endpointType: 'ai', endpointSensitivitySeconds: 2 },
      { endpointType: 'ai', endpointWaitMs: 2000, segmentPauseMs: 200 },
    ],
    [
      'fillers are the owner’s choice',
      { fillers: { neutral: [], negative: [], positive: [], question: [] } },
      { areFillersOn: true },
    ],
    ['the caller may begin', { whoSpeaksFirst: 'customer' }, { opening: 'caller', hasGreeting: true }],
    ['without a message the model begins', { initialMessage: ' ' }, { opening: 'reply', hasGreeting: false }],
    ['words are not required without interim results', { minInterruptWords: 3 }, { minInterruptWords: 0 }],
  ] as const)('%s', (_sentence, change, expected) => {
    expect(turnPolicy({ ...SETTINGS, ...change }, null)).toMatchObject(expected);
  });

  it('words are asked for where a recogniser gives interims', () => {
    const settings = { ...SETTINGS, minInterruptWords: 3 };
    const traits = { hasInterim: true, finalWithinMs: 350, endOfTurn: 'semantic', fallbacks: 1 } as const;
    expect(turnPolicy(settings, traits)).toMatchObject({
      minInterruptWords: 3,
      hasGuesses: true,
      recogniser: { finalWithinMs: 350, isSemantic: true, isModel: false, reopenings: 2 },
    });
    expect(turnPolicy(settings, { ...traits, hasInterim: false }).minInterruptWords).toBe(0);
  });

  it.each([
    ['a short wait asks for the words at the first sign of a pause', 0.2, {}, 64],
    ['a usual one after 100 ms', 0.5, {}, 100],
    ['and so does a long one', 3, {}, 100],
    ['a recogniser of whole utterances is asked when the pause is sure', 0.5, { hasInterim: false }, 250],
    [
      'a recogniser without interim results is asked once the end is certain',
      0.2,
      { hasInterim: false },
      100,
    ],
    ['and so is a model that hears by itself', 0.2, { isModel: true }, 100],
  ])('%s', (_sentence, endpointSensitivitySeconds, change, finaliseAfterMs) => {
    const traits = { hasInterim: true, finalWithinMs: 350, endOfTurn: 'pause', fallbacks: 0 } as const;
    const policy = turnPolicy({ ...SETTINGS, endpointSensitivitySeconds }, { ...traits, ...change });
    expect(policy.finaliseAfterMs).toBe(finaliseAfterMs);
  });
});
