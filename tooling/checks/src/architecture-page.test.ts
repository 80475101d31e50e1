/** docs/architecture.md names the folders of core in the order that `layers.ts` enforces. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LAYERS } from './layer-table.ts';

const PAGE = new URL('../../../docs/architecture.md', import.meta.url);

/** Rows of a Markdown table such as "| users | `users` | users, tokens |": the names of the second column. */
function foldersOf(page: string): string[][] {
  const [, section = ''] = page.split('The order in core, from top to bottom:');
  const rows = section.trimStart().split('\n\n')[0]?.split('\n').slice(2) ?? [];
  return rows.map((row) =>
    [...(row.split('|')[2] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
}

test('The page lists the layers of core as the check of layers knows them', () => {
  expect(foldersOf(readFileSync(PAGE, 'utf8'))).toEqual(LAYERS['packages/core']);
});
