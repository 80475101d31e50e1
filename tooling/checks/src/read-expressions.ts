/** Finds the regular expressions of a TypeScript file. */
import { parseSync, Visitor } from 'oxc-parser';

/** A regular expression literal, and where it is. */
interface FoundExpression {
  pattern: string;
  flags: string;
  line: number;
}

/** The literals of a file, and the lines on which it builds expressions at run time, which cannot be checked. */
export interface FoundExpressions {
  literals: FoundExpression[];
  builtAtRunTime: number[];
}

/** @returns every literal with its line */
export function readExpressions(file: string, source: string): FoundExpressions {
  const found: FoundExpressions = { literals: [], builtAtRunTime: [] };
  const lineOf = (start: number): number => source.slice(0, start).split('\n').length;
  const noteConstructor = ({ callee, start }: { callee: object; start: number }): void => {
    if ('name' in callee && callee.name === 'RegExp') found.builtAtRunTime.push(lineOf(start));
  };
  new Visitor({
    Literal: (node) => {
      if ('regex' in node) found.literals.push({ ...node.regex, line: lineOf(node.start) });
    },
    NewExpression: noteConstructor,
    CallExpression: noteConstructor,
  }).visit(parseSync(file, source).program);
  return found;
}
