import { expect, test } from 'vitest';
import { guessColumns, mappingOf, pickColumn, type ColumnUse } from './import-columns.rules.ts';

const HEADER = { columns: ['Telefon', 'Name', 'Notes'], phoneColumn: 'Telefon' };
const as = (column: string, use: ColumnUse, variable = '') => ({ column, use, variable });

test('columns that the server guesses correctly are not sent', () => {
  const picked = guessColumns(HEADER);
  expect(picked.map(({ use }) => use)).toEqual(['phone', 'variable', 'variable']);
  expect(mappingOf(picked, HEADER)).toEqual({});
});

test.each([
  ['a variable gets another name', as('Name', 'variable', ' customer_name '), { Name: 'customer_name' }],
  ['a variable keeps its name', as('Name', 'variable', 'Name'), {}],
  ['a column is left out', as('Notes', 'left-out'), { Notes: null }],
  ['another column holds the number', as('Name', 'phone'), { Telefon: 'Telefon', Name: 'phone_number' }],
  ['no column holds the number any more', as('Telefon', 'variable'), { Telefon: 'Telefon' }],
])('%s', (_, change, mapping) => {
  expect(mappingOf(pickColumn(guessColumns(HEADER), change), HEADER)).toEqual(mapping);
});

test('where the server guesses nothing, the number is what was picked', () => {
  const header = { ...HEADER, phoneColumn: null };
  expect(mappingOf(pickColumn(guessColumns(header), as('Telefon', 'phone')), header)).toEqual({
    Telefon: 'phone_number',
  });
});
