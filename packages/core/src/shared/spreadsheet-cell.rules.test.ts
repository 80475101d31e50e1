import { expect, test } from 'vitest';
import { csvLine, neutraliseCell, restoreCell } from './spreadsheet-cell.rules.ts';

const FORMULAS = ['=1+1', '+4930123', '-1', '@sum', "'=1", '＝1', '＋1', '－1', '＠sum', "'＝1"];

test.each(FORMULAS)('%j is no formula any more', (text) => {
  expect(neutraliseCell(text)).toBe(`'${text}`);
});

test.each([
  ['\t=1', "'\t'=1"],
  ['\r=1', "'\r'=1"],
  ['\n=1', "'\n'=1"],
  ['a;=1', "a;'=1"],
  ['a;=1;+2', "a;'=1;'+2"],
  ['a\n@sum', "a\n'@sum"],
  ['a\t－1', "a\t'－1"],
  ["a;'=1", "a;''=1"],
  ['a;"=1;b', 'a;\'"=1;b'],
])('%j has no formula after what may separate cells', (text, expected) => {
  expect(neutraliseCell(text)).toBe(expected);
});

test.each(['Ada', '', "O'Neil", "'quoted'", '1+1', 'a; =1', 'a=1;b=2'])('%j stays as it is', (text) => {
  expect(neutraliseCell(text)).toBe(text);
});

/** Every text of up to five of these characters. */
function texts(length: number): string[] {
  if (length === 0) return [''];
  const shorter = texts(length - 1);
  return [
    ...shorter,
    ...["'", '=', '＝', '\t', ';', '"', 'a'].flatMap((first) => shorter.map((rest) => first + rest)),
  ];
}

test('whatever is written is read back as it was', () => {
  expect(texts(5).filter((text) => restoreCell(neutraliseCell(text)) !== text)).toEqual([]);
});

/** The cells of a line for a spreadsheet that separates by semicolons and tabs. What follows a quotation belongs to the cell. */
function cellsOf(line: string): string[] {
  const cells = [...line.matchAll(/(?:^|[;\t\n])(?:"((?:[^"]|"")*)(?:"|$))?([^;\t\n]*)/g)];
  return cells.map(([, quotation = '', rest = '']) => quotation.replaceAll('""', '"') + rest);
}

test('no text has a formula for a spreadsheet that separates cells by semicolons', () => {
  const read = (text: string) => cellsOf(csvLine(['a', text]).replace(/\r\n$/, ''));
  expect(texts(5).filter((text) => read(text).some((cell) => /^[=＝]/.test(cell)))).toEqual([]);
});

test('a line quotes what has commas, quotes or line ends in it', () => {
  expect(csvLine([7, 'a,b', 'say "no"', 'two\nlines', '=1'])).toBe(
    '7,"a,b","say ""no""","two\nlines",\'=1\r\n',
  );
});
