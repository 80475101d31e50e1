/** Style sheets take their colours from the variables of `design-tokens.css` and of Mantine, which have a value for each colour scheme. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = import.meta.dirname;
const sheets = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.css'),
);

// The build replaces `light-dark()` by variables that depend on a `color-scheme` which Mantine sets elsewhere: no colour is left.
test.each(sheets)('%s does not choose a colour by light-dark()', (sheet) => {
  expect(readFileSync(join(SOURCE, sheet), 'utf8')).not.toContain('light-dark(');
});
