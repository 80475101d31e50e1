/**
 * What kind of CSV a file is, judged by its first bytes: spreadsheets write semicolons in half of Europe, and UTF-16 when
 * told to write "Unicode".
 */
import type { CsvDelimiter } from '@parley/contracts';

/** What a delimiter looks like in a file. */
export const delimiterCharacters: Readonly<Record<CsvDelimiter, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  pipe: '|',
};

/** True for what begins with the mark of UTF-16, which no text of ours is read from. */
export function isUtf16(start: Uint8Array): boolean {
  const [first, second] = start;
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/**
 * The delimiter that the first line has most of, quoted cells left out; a comma where it has none.
 *
 * @param start - the file's beginning, at least its first line where that is not very long
 */
export function sniffDelimiter(start: string): CsvDelimiter {
  const unquoted = start.replaceAll(/"(?:[^"]|"")*(?:"|$)/g, '');
  const line = /^[^\r\n]*/.exec(unquoted.trimStart())?.[0] ?? '';
  let best: CsvDelimiter = 'comma';
  for (const name of Object.keys(delimiterCharacters) as CsvDelimiter[])
    if (countIn(line, name) > countIn(line, best)) best = name;
  return best;
}

function countIn(line: string, name: CsvDelimiter): number {
  return line.split(delimiterCharacters[name]).length;
}
