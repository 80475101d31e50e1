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
  const transfer = (announcement: string, unavailable?: string): AssistantTool => ({
    type: 'warm_call_transfer',
    data: { announcement, ...(unavailable !== undefined && { unavailable_message: unavailable }) },
  });
  const settings = {
    initialMessage: 'Hello.',
    disclosureMessage: null,
    systemPrompt: '',
    areFillersOn: false,
    fillerConfig: { neutral: [], negative: [], positive: [], question: [] },
    language: 'en',
    tools: [
      transfer('A call for you. Press 1 to take it.', 'Nobody is there, {{name}}.'),
      transfer('{{summary}}', 'We call you back.'),
      transfer('Will you take it?'),
      { type: 'http_request', data: { announcement: 'No sentence.' } },
    ],
  };
  const found = fixedSentences(settings, () => ({ is_recorded: false, recorded_phrase_ids: [] }));
  const ofTransfers = found.filter(({ used_for: use }) => use === 'warm_call_transfer');
  expect(ofTransfers.map(({ text }) => text)).toEqual([
    'A call for you. Press 1 to take it.',
    'We call you back.',
    'Will you take it?',
  ]);
});
