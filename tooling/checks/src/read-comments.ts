/** The texts of a file that are written for readers: the comments of TypeScript, the whole of a Markdown page. */
import { parseSync } from 'oxc-parser';

/** One line of a comment. */
export interface TextLine {
  text: string;
  line: number;
}

/** @returns the lines of all comments, or of the page */
export function readTextLines(file: string, source: string): TextLine[] {
  if (file.endsWith('.md')) return toLines(source, 1);
  return parseSync(file, source).comments.flatMap(({ value, start }) =>
    toLines(value, source.slice(0, start).split('\n').length),
  );
}

const toLines = (text: string, firstLine: number): TextLine[] =>
  text.split('\n').map((line, index) => ({ text: line, line: firstLine + index }));
