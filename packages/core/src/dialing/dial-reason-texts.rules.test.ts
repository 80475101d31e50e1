import { expect, test } from 'vitest';
import { explainReason } from './dial-reason-texts.rules.ts';

test.each([
  ['campaign_stopped', 'The campaign is stopped.'],
  ['do_not_call', 'The number is on the do-not-call list.'],
  ['first_call', 'First call to the lead.'],
] as const)('the reason %s is explained: %s', (reason, sentence) => {
  expect(explainReason(reason)).toBe(sentence);
});

test('a reason that was stored by another version is shown as it is', () => {
  expect(explainReason('of_another_version' as 'do_not_call')).toBe('of_another_version');
});
