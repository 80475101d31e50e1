/** Has axe look at a page: the rules of WCAG 2.2 AA that a machine can judge. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** @returns a line for each element that breaks a rule; it must also have looked at something */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(source);
  const run = `axe.run(document, { runOnly: ${JSON.stringify(RULES)} })`;
  const { violations, passes } = await page.evaluate<AxeResults>(run);
  if (passes.length === 0) return ['axe has judged nothing'];
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
