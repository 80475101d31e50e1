import { expect, it } from 'vitest';
import { isMissingChunk, mayReload } from './missing-chunk.rules.ts';

it.each([
  ['a script in Chromium', 'Failed to fetch dynamically imported module: http://x/admin/assets/a-1.js', true],
  ['a script in Firefox', 'error loading dynamically imported module: http://x/admin/assets/a-1.js', true],
  ['a script in Safari', 'Importing a module script failed.', true],
  ['a style sheet', 'Unable to preload CSS for /admin/assets/a-1.css', true],
  ['a failed request', 'Failed to fetch', false],
])('an error about %s is about a missing file of the app: %s', (_, message, isMissing) => {
  expect(isMissingChunk(new TypeError(message))).toBe(isMissing);
});

it('the tab reloads once, and again only after a pause', () => {
  expect(mayReload(null, 50_000)).toBe(true);
  expect(mayReload('49000', 50_000)).toBe(false);
  expect(mayReload('19000', 50_000)).toBe(true);
});
