import { expect, test } from 'vitest';
import { captureLog } from './captured-log.ts';

test('log entries can be read, including personal data', () => {
  const { log, lines, messages } = captureLog();
  log.child({ callId: 7 }).warn({ pii: { number: '+12025550110' } }, 'A call was lost');
  log.trace('A detail');
  expect(messages()).toEqual(['A call was lost', 'A detail']);
  expect(lines[0]).toMatchObject({ level: 'warn', callId: 7, pii: { number: '+12025550110' } });
});
