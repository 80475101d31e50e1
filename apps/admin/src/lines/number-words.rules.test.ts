import type { AssistantRecord } from '@parley/contracts';
import { expect, test } from 'vitest';
import { assignable, labelHint } from './number-words.rules.ts';

const assistant = (id: number, type: AssistantRecord['type']) => ({ id, type }) as AssistantRecord;
const ears = assistant(1, 'inbound');
const mouth = assistant(2, 'outbound');

test('a free number can be given to any assistant that does not have it', () => {
  const number = { is_available: true, assistants: [] };
  expect(assignable(number, [ears, mouth])).toEqual([ears, mouth]);
  expect(assignable({ ...number, assistants: [{ id: 2, name: 'Mouth' }] }, [ears, mouth])).toEqual([ears]);
});

test('a number that is answered, or cannot be, only to those that call', () => {
  expect(assignable({ is_available: false, assistants: [] }, [ears, mouth])).toEqual([mouth]);
});

test('a number for showing only is said to be that', () => {
  expect(labelHint('Caller ID')).toMatch(/nobody answers/);
  expect(labelHint('SIP')).toMatch(/Answered/);
});
