import { expect, test } from 'vitest';
import { decideDialingChange, type ChangedLead, type DialingChange } from './lead-change.rules.ts';

const main = (dialState: ChangedLead['dialState']): ChangedLead => ({ dialState, parentId: null });
const contact = (dialState: ChangedLead['dialState']): ChangedLead => ({ dialState, parentId: 7 });

test.each<[string, ChangedLead, Parameters<typeof decideDialingChange>[1], DialingChange]>([
  ['no status changes nothing', main('waiting'), undefined, 'keep'],
  ['no status changes nothing in a call', main('dialing'), undefined, 'keep'],
  ['completed ends dialing', main('waiting'), 'completed', 'end'],
  ['reached-max-retries ends dialing', main('waiting-to-retry'), 'reached-max-retries', 'end'],
  ['an end in a call', main('dialing'), 'completed', 'end'],
  ['an end of a contact', contact('waiting'), 'completed', 'end'],
  ['created restarts one that is done', main('done'), 'created', 'restart'],
  ['created restarts one that waits', main('waiting-to-retry'), 'created', 'restart'],
  ['created restarts one that was blocked', main('blocked'), 'created', 'restart'],
  ['created in a call leaves the next step to the call', main('dialing'), 'created', 'recount'],
  ['a contact is never queued for itself', contact('done'), 'created', 'recount'],
])('%s', (_name, lead, status, expected) => {
  expect(decideDialingChange(lead, status)).toBe(expected);
});
