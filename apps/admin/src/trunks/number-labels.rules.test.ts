import type { AssistantRecord } from '@parley/contracts';
import { expect, test } from 'vitest';
import { assignable, labelHint } from './number-labels.rules.ts';

const assistant = (id: number, type: AssistantRecord['type']) => ({ id, type }) as AssistantRecord;
const inbound = assistant(1, 'inbound');
const outbound = assistant(2, 'outbound');

test('an unused number can be assigned to any assistant that does not have it', () => {
  const number = { is_available: true, assistants: [] };
  expect(assignable(number, [inbound, outbound])).toEqual([inbound, outbound]);
  expect(assignable({ ...number, assistants: [{ id: 2, name: 'Caller' }] }, [inbound, outbound])).toEqual([
    inbound,
  ]);
});

test('a number that is already answered, or cannot be, can only be assigned to outbound assistants', () => {
  expect(assignable({ is_available: false, assistants: [] }, [inbound, outbound])).toEqual([outbound]);
});

test('the hint of a number says whether calls to it are answered', () => {
  expect(labelHint('Caller ID')).toMatch(/not answered/);
  expect(labelHint('SIP')).toMatch(/Answered/);
});
