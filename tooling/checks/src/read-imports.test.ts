import { expect, test } from 'vitest';
import { readImports } from './read-imports.ts';

const specifiers: readonly [string, string][] = [
  ['a value import', `import { place } from './file.ts';`],
  ['a type import', `import type { Order } from './file.ts';`],
  ['an inline type import', `import { type Order } from './file.ts';`],
  ['an import for its effects', `import './file.ts';`],
  ['a re-export', `export { place } from './file.ts';`],
  ['a re-export of a type', `export type { Order } from './file.ts';`],
  ['a re-export of everything', `export * from './file.ts';`],
  ['a dynamic import', `const load = () => import('./file.ts');`],
  ['an import type', `type Order = import('./file.ts').Order;`],
];

test.each(specifiers)('%s is found', (_name, source) => {
  expect(readImports('source.ts', `\n${source}\n`)).toEqual([{ specifier: './file.ts', line: 2 }]);
});

test('an import inside a string or a comment is not found', () => {
  const source = `// import './comment.ts'\nconst text = "import './string.ts'";\n`;
  expect(readImports('source.ts', source)).toEqual([]);
});

test('a file that does not parse is an error', () => {
  expect(() => readImports('source.ts', 'const = ;')).toThrow(/source\.ts/);
});
