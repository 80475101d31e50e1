import { describe, expect, test } from 'vitest';
import { isUtf16, sniffDelimiter } from './csv-dialect.rules.ts';

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

test.each([
  ['UTF-16, little end first', [0xff, 0xfe, 0x70, 0], true],
  ['UTF-16, big end first', [0xfe, 0xff, 0, 0x70], true],
  ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, 0x70], false],
  ['plain text', [0x70, 0x68], false],
  ['nothing', [], false],
])('%s', (_, bytes, isRefused) => {
  expect(isUtf16(Uint8Array.from(bytes))).toBe(isRefused);
});
