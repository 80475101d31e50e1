import { describe, expect, test } from 'vitest';
import { sniffDelimiter } from './csv-dialect.rules.ts';

describe('the delimiter', () => {
  test.each([
    ['of a usual file is a comma', 'phone,name\n1;2;3,4', 'comma'],
    ['of a European spreadsheet is a semicolon', 'Telefon;Name;Ort\r\n', 'semicolon'],
    ['may be a tab', 'phone\tname\n', 'tab'],
    ['may be a bar', 'phone|name', 'pipe'],
    ['is not looked for inside quotes', '"a;b;c;d",name\n', 'comma'],
    ['is not looked for inside quotes that are still open', 'a,b,"x;y;z;z', 'comma'],
    ['of a single column is a comma', 'phone\n+12025550100\n', 'comma'],
    ['is found behind empty lines', '\n\nphone;name\n', 'semicolon'],
    ['of an empty file is a comma', '', 'comma'],
  ] as const)('%s', (_, start, delimiter) => {
    expect(sniffDelimiter(start)).toBe(delimiter);
  });
});
