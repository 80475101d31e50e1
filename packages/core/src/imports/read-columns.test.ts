import { expect, test } from 'vitest';
import { readColumns as readBytes } from './read-columns.ts';

const readColumns = (start: string, encoding: BufferEncoding = 'utf8') =>
  readBytes(Buffer.from(start, encoding));

test('returns the columns of a header, and the one with the phone number', async () => {
  expect(await readColumns('\uFEFF\n\nName;"Telefon"; Notes ;\nAda;+1202')).toEqual({
    columns: ['Name', 'Telefon', 'Notes'],
    phoneColumn: 'Telefon',
    rows: [['Ada', '+1202', '']],
  });
});

test('returns the first three rows with content as samples, cell by named column', async () => {
  const long = 'x'.repeat(100);
  expect(await readColumns(`phone,,note\n1,unnamed,${long}\n\n2\n3,,c\n4,,d`)).toMatchObject({
    columns: ['phone', 'note'],
    rows: [
      ['1', 'x'.repeat(80)],
      ['2', ''],
      ['3', 'c'],
    ],
  });
});

test('without a usual name, no column is selected', async () => {
  expect(await readColumns('Nummer,Name')).toEqual({
    columns: ['Nummer', 'Name'],
    phoneColumn: null,
    rows: [],
  });
});

test('a file that was cut in the middle of a later row is as good', async () => {
  expect(await readColumns('phone,note\n+12025550101,"cut of')).toMatchObject({ phoneColumn: 'phone' });
});

test('an empty file is refused', async () => {
  await expect(readColumns('\n\n')).rejects.toMatchObject({ fields: { file: ['The file is empty.'] } });
});

test('a file in Latin-1 is read like the import reads it', async () => {
  expect(await readColumns('Telefon;Straße', 'latin1')).toMatchObject({ columns: ['Telefon', 'Straße'] });
});
