import { describe, expect, it } from 'vitest';
import { DEFAULT_COLUMNS, readColumns, withColumn } from './call-columns.rules.ts';

describe('the columns of the table of calls', () => {
  it.each([
    ['nothing was chosen', null, DEFAULT_COLUMNS],
    ['the order is that of the table', 'started,disposition', ['disposition', 'started']],
    ['all are hidden', '', []],
    ['the default was stored', 'default', DEFAULT_COLUMNS],
    ['the browser has something else', '{"a":1}', DEFAULT_COLUMNS],
    ['a column exists no more', 'disposition,mood', DEFAULT_COLUMNS],
  ])('are right when %s', (_when, stored, expected) => {
    expect(readColumns(stored)).toEqual(expected);
  });

  it('are shown and hidden one by one', () => {
    expect(withColumn(['type', 'started'], 'cost', true)).toBe('type,cost,started');
    expect(withColumn(['type', 'started'], 'type', false)).toBe('started');
    expect(readColumns(withColumn(['type'], 'type', false))).toEqual([]);
  });
});
