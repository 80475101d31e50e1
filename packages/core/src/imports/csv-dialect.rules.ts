/** Detects the delimiter of a CSV file from its first line: spreadsheets use semicolons in much of Europe. */
import type { CsvDelimiter } from '@parley/contracts';

/** The character of each delimiter. */
export const delimiterCharacters: Readonly<Record<CsvDelimiter, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  pipe: '|',
};

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
