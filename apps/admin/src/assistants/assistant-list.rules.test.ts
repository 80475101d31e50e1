import { expect, test } from 'vitest';
import { searchAssistants } from './assistant-list.rules.ts';

const assistants = [{ name: 'Demo: calls out' }, { name: 'Reminder (Berlin)' }, { name: 'Out of office' }];

test.each([
  ['', [0, 1, 2]],
  ['  ', [0, 1, 2]],
  ['OUT', [0, 2]],
  ['out demo', [0]],
  ['berlin)', [1]],
  ['nobody', []],
])('the search "%s" finds the assistants %j', (search, found) => {
  expect(searchAssistants(assistants, search)).toEqual(found.map((place) => assistants[place]));
});
