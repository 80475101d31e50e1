/** What the caller says in the last second of the assistant's turn, in virtual time. */
import { describe, expect, it } from 'vitest';
import { ManualClock } from '@parley/runtime';
import { createFakeRecogniser, fakeSpeech } from '@parley/speech/fakes';
import { Scenario, type ScenarioOptions } from '../test/scenario.ts';

const QUESTION = 'I can book a table for you. For when?';
const STATEMENT = 'I have booked a table for you, at six.';
/** The assistant's second turn lasts from 2320 to 4120 (the question) or 4160 (the statement); its audio, 20 ms more. */
const TURN_BEGINS_MS = 2300;

/** The assistant says `text`, and the caller says `words` from `fromMs` after its beginning on. */
async function overlap(
  { text, words, fromMs, forMs = 300 }: { text: string; words: string; fromMs: number; forMs?: number },
  options: { settings?: ScenarioOptions['settings']; finalAfterMs?: number; hasRecogniser?: boolean } = {},
): Promise<string[]> {
  const { finalAfterMs = 200, hasRecogniser = true, settings = {} } = options;
  const clock = new ManualClock();
  const recogniser = createFakeRecogniser({
    clock,
    utterances: ['A table, please.', words],
    finalAfterMs,
  });
  const answers = [fakeSpeech(text), fakeSpeech('All right.')];
  const call = new Scenario({ clock, answers, settings, ...(hasRecogniser && { recogniser }) });
  await call.answerAndGreet();
  await call.speech(800);
  await call.silence(TURN_BEGINS_MS + fromMs - call.line.nowMs());
  await call.speech(forMs);
  await call.silence(4000);
  return call.transcript().slice(2);
}

describe('an early answer', () => {
  it.each([
    ['Yes.', 800],
    ['Yes.', 500],
    ['Yes.', 150],
    ['Tuesday.', 800],
    ['Tuesday.', 500],
    ['Tuesday.', 150],
  ])('%s, whose sound ends %i ms before that of the question, is answered', async (words, beforeMs) => {
    const fromMs = 1820 - beforeMs - 300;
    for (const settings of [{}, { allowInterruptions: false }])
      expect(await overlap({ text: QUESTION, words, fromMs }, { settings })).toEqual([
        `bot: ${QUESTION}`,
        `human: ${words}`,
        'bot: All right.',
      ]);
  });

  it('is answered when the recogniser is slow', async () => {
    const said = await overlap({ text: QUESTION, words: 'Yes.', fromMs: 1300 }, { finalAfterMs: 900 });
    expect(said.at(-1)).toBe('bot: All right.');
  });

  it('that continues beyond the question is one turn', async () => {
    const said = await overlap({ text: QUESTION, words: 'Tuesday.', fromMs: 1600, forMs: 450 });
    expect(said).toEqual([`bot: ${QUESTION}`, 'human: Tuesday.', 'bot: All right.']);
  });

  it('is answered without a recogniser', async () => {
    const said = await overlap({ text: QUESTION, words: '', fromMs: 1300 }, { hasRecogniser: false });
    expect(said.at(-1)).toBe('bot: All right.');
  });

  it('needs no question if it is more than a backchannel', async () => {
    const said = await overlap({ text: STATEMENT, words: 'At seven.', fromMs: 1300 });
    expect(said.at(-1)).toBe('bot: All right.');
  });
});

describe('a backchannel', () => {
  it.each(['Yes.', 'Okay.', 'Mm-hm.', ''])('%j at the end of a statement gets no reply', async (words) => {
    const said = await overlap({ text: STATEMENT, words, fromMs: 1300 });
    expect(said).toEqual([`bot: ${STATEMENT}`, `human: ${words || '[not recognised]'}`]);
  });

  it('in the middle of a question is no answer to it', async () => {
    const said = await overlap({ text: `${STATEMENT} ${QUESTION}`, words: 'Yes.', fromMs: 600 });
    expect(said).toEqual([`bot: ${STATEMENT} ${QUESTION}`, 'human: Yes.']);
  });
});

describe('“Pardon?” in the middle of a turn', () => {
  const text = `${STATEMENT} ${STATEMENT}`;

  it('stops it, and is answered', async () => {
    const said = await overlap({ text, words: 'Pardon?', fromMs: 800 });
    expect(said.slice(1)).toEqual(['human: Pardon?', 'bot: All right.']);
    expect(said[0]).toMatch(/ –$/);
  });

  it('does not where the assistant may not be interrupted', async () => {
    const settings = { allowInterruptions: false };
    const said = await overlap({ text, words: 'Pardon?', fromMs: 800 }, { settings });
    expect(said).toEqual([`bot: ${text}`, 'human: Pardon?']);
  });
});

describe('words that begin just after the reply', () => {
  it.each([40, 200])('%i ms after its first sound continue the caller’s turn', async (fromMs) => {
    const said = await overlap({ text: QUESTION, words: 'For two.', fromMs });
    expect(said.slice(1)).toEqual(['human: For two.', 'bot: All right.']);
  });

  it.each([
    ['For two.', 400],
    ['Okay.', 40],
    ['A table, please.', 40],
  ])('“%s” after %i ms does not stop it', async (words, fromMs) => {
    expect(await overlap({ text: QUESTION, words, fromMs })).toEqual([`bot: ${QUESTION}`, `human: ${words}`]);
  });
});

describe('words before the reply sounds', () => {
  it('continue the caller’s turn, however short they are', async () => {
    const clock = new ManualClock();
    const utterances = ['A table, please.', 'For two.'];
    const call = new Scenario({
      clock,
      recogniser: createFakeRecogniser({ clock, utterances, finalAfterMs: 100 }),
      answers: [fakeSpeech(QUESTION, { firstAfterMs: 900 }), fakeSpeech('All right.')],
    });
    await call.answerAndGreet();
    await call.speech(800);
    await call.silence(700);
    await call.speech(300);
    await call.silence(3000);
    expect(call.transcript()).toEqual([
      'bot: Hello.',
      'human: A table, please.',
      'human: For two.',
      'bot: All right.',
    ]);
  });
});
