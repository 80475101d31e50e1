import type { ImportRecord } from '@parley/contracts';
import { describe, expect, test } from 'vitest';
import { importPercent, importResult, isMoving } from './import-labels.rules.ts';

const record: ImportRecord = {
  id: 1,
  campaign_id: 2,
  state: 'finished',
  file_name: null,
  rows_read: 1500,
  rows_imported: 1500,
  rows_duplicate: 0,
  rows_refused: 0,
  refusals: [],
  bytes_read: 50,
  bytes_total: 200,
  leads_removed: 0,
  created_at: '2026-01-31T09:05:00.000000Z',
  updated_at: '2026-01-31T09:05:00.000000Z',
  finished_at: null,
};

test.each([
  ['a quarter', { bytes_read: 50, bytes_total: 200 }, 25],
  ['more bytes than announced', { bytes_read: 300, bytes_total: 200 }, 100],
  ['of an unknown size', { bytes_read: 50, bytes_total: null }, null],
  ['of an empty file', { bytes_read: 0, bytes_total: 0 }, null],
])('progress: %s', (_, fields, percent) => {
  expect(importPercent({ ...record, ...fields })).toBe(percent);
});

describe('the result', () => {
  test.each([
    ['names only the imported rows when nothing else happened', {}, '1,500 imported'],
    [
      'names duplicate and refused rows',
      { rows_imported: 9, rows_duplicate: 2, rows_refused: 1 },
      '9 imported, 2 duplicate, 1 refused',
    ],
    ['names leads that were removed again', { leads_removed: 1500 }, '1,500 imported, 1,500 removed'],
    ['of an empty file is zero imported rows', { rows_imported: 0 }, '0 imported'],
  ])('%s', (_, fields, text) => {
    expect(importResult({ ...record, ...fields })).toBe(text);
  });
});

test.each([
  ['running', true],
  ['undoing', true],
  ['interrupted', false],
  ['finished', false],
  ['undone', false],
] as const)('an import that is %s is still changing: %s', (state, moves) => {
  expect(isMoving({ ...record, state })).toBe(moves);
});
