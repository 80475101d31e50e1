import type { AssistantTool } from '@parley/db';
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
    tools: [],
  };
  const found = fixedSentences(settings, () => ({ is_recorded: false, recorded_phrase_ids: [] }));
  const ofScript = found.filter(({ used_for: use }) => use === 'script').map(({ text }) => text);
  expect(ofScript).toEqual(['Which day suits you?', 'Goodbye.']);
});

it('the sentences of a warm transfer are listed, unless they have variables', () => {
  const tool: AssistantTool = {
    type: 'warm_call_transfer',
    description: null,
    destinations: [],
    ringTimeoutSeconds: 25,
    announcement: 'A call for you. Press 1 to take it.',
    acceptKey: '1',
    acceptWords: [],
    declineWords: [],
    acceptTimeoutSeconds: 45,
    holdSound: 'music',
    unavailableMessage: 'Nobody is there, {{name}}.',
  };
  const settings = {
    initialMessage: 'Hello.',
    disclosureMessage: null,
    systemPrompt: '',
    areFillersOn: false,
    fillerConfig: { neutral: [], negative: [], positive: [], question: [] },
    language: 'en',
    tools: [tool, { ...tool, announcement: '{{summary}}', unavailableMessage: 'We call you back.' }],
  };
  const found = fixedSentences(settings, () => ({ is_recorded: false, recorded_phrase_ids: [] }));
  const ofTransfers = found.filter(({ used_for: use }) => use === 'warm_call_transfer');
  expect(ofTransfers.map(({ text }) => text)).toEqual([tool.announcement, 'We call you back.']);
});
