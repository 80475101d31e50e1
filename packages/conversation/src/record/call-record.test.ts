import { expect, test } from 'vitest';
import { CallRecord } from './call-record.ts';

const speech = { startedMs: 1000, endedMs: 1800 };

test('words of an aside that was recorded without words take its place', () => {
  const record = new CallRecord(8000);
  record.addCaller({ kind: 'unrecognised', text: '', ...speech }, true);
  record.addCaller({ kind: 'unrecognised', text: '', startedMs: 3000, endedMs: 3600 }, true);
  record.addCaller({ kind: 'speech', text: 'That is good.', ...speech }, true);
  expect(record.turns().map(({ text }) => text)).toEqual(['That is good.', '[not recognised]']);
  expect(record.dialogue([])).toEqual([{ role: 'customer', kind: 'speech', text: 'That is good.' }]);
});
