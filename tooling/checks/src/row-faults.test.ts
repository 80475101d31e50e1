import { expect, test } from 'vitest';
import { rowFaults } from './row-faults.ts';
import type { ValueKind } from './statement-types.ts';

const row = (properties: Record<string, ValueKind[]>) =>
  new Map(Object.entries(properties).map(([name, kinds]) => [name, { kinds: new Set(kinds) }]));
const column = (name: string, type = 'int8', isNullable: boolean | null = false) => ({
  name,
  type,
  isNullable,
});
const never = () => false;

test.each([
  ['the same columns', row({ id: ['number'] }), [column('id')], []],
  ['names in camel case', row({ createdAt: ['date'] }), [column('created_at', 'timestamptz')], []],
  [
    'an expression, whose nullability is unknown',
    row({ total: ['number'] }),
    [column('total', 'int8', null)],
    [],
  ],
  ['JSON under any type', row({ settings: ['object'] }), [column('settings', 'jsonb')], []],
])('no fault: %s', (_, properties, columns, faults) => {
  expect(rowFaults(properties, columns, never)).toEqual(faults);
});

test.each([
  ['a column that is not declared', row({}), [column('id')], 'column id is not in the row type'],
  [
    'a property without a column',
    row({ id: ['number'] }),
    [],
    'the row type has id, and no column has that name',
  ],
  [
    'another type',
    row({ id: ['string'] }),
    [column('id')],
    'column id is read as number (int8), declared string',
  ],
  [
    'a null that is not declared',
    row({ id: ['number'] }),
    [column('id', 'int8', true)],
    'column id may be null, and its declared type excludes null',
  ],
  [
    'a null that cannot be',
    row({ id: ['number', 'null'] }),
    [column('id')],
    'column id is never null, and its declared type includes null',
  ],
])('a fault: %s', (_, properties, columns, fault) => {
  expect(rowFaults(properties, columns, never)).toEqual([fault]);
});

test('a statement may exclude null with its own condition', () => {
  expect(rowFaults(row({ id: ['number'] }), [column('id', 'int8', true)], () => true)).toEqual([]);
});
