/**
 * Detects the dialect of a CSV file from its first bytes: spreadsheets use semicolons in much of Europe, and UTF-16
 * when they save as "Unicode".
 */
import type { CsvDelimiter } from '@parley/contracts';

/** The character of each delimiter. */
export const delimiterCharacters: Readonly<Record<CsvDelimiter, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  pipe: '|',
};

/** True for a byte order mark of UTF-16, which the import does not read. */
export function isUtf16(start: Uint8Array): boolean {
  const [first, second] = start;
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/**
 * The delimiter that occurs most often in the first line outside quotes; a comma if there is none.
 *
 * @param start - the beginning of the file, at least its first line unless that is very long
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
