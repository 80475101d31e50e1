import { expect, test } from 'vitest';
import { readColumns } from './read-columns.ts';

test('returns the columns of a header, and the one with the phone number', async () => {
  expect(await readColumns('\uFEFF\n\nName;"Telefon"; Notes ;\nAda;+1202')).toEqual({
    columns: ['Name', 'Telefon', 'Notes'],
    phoneColumn: 'Telefon',
  });
});

test('without a usual name, no column is selected', async () => {
  expect(await readColumns('Nummer,Name')).toEqual({ columns: ['Nummer', 'Name'], phoneColumn: null });
});

test('a file that was cut in the middle of a later row is as good', async () => {
  expect(await readColumns('phone,note\n+12025550101,"cut of')).toMatchObject({ phoneColumn: 'phone' });
});

test('an empty file is refused', async () => {
  await expect(readColumns('\n\n')).rejects.toMatchObject({ fields: { file: ['The file is empty.'] } });
});
