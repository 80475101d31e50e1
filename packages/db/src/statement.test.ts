import { expect, test } from 'vitest';
import { statement } from './statement.ts';

test('a name that Postgres would truncate is refused, because two statements could share it', () => {
  expect(statement('n'.repeat(63), 'select 1').name).toHaveLength(63);
  expect(() => statement('n'.repeat(64), 'select 1')).toThrow(RangeError);
});
