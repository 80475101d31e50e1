import { expect, it } from 'vitest';
import { fixedSentences } from './fixed-sentences.ts';

const SCRIPT = `#script
[day]
say Which day suits you?
on anything -> bye, day = {said}
[bye]
say {day}, then. Goodbye.
again Goodbye.
end`;

it('sentences with what an answer has stored have other words in each call, and are not listed', () => {
  const settings = {
    initialMessage: 'Hello.',
    disclosureMessage: null,
    systemPrompt: SCRIPT,
    areFillersOn: false,
    fillerConfig: { neutral: [], negative: [], positive: [], question: [] },
    language: 'en',
  };
  const found = fixedSentences(settings, () => ({ is_recorded: false, recorded_phrase_ids: [] }));
  const ofScript = found.filter(({ used_for: use }) => use === 'script').map(({ text }) => text);
  expect(ofScript).toEqual(['Which day suits you?', 'Goodbye.']);
});
