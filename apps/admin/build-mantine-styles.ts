/**
 * Compares `src/mantine-styles.ts` with the scripts of the build: a component of Mantine without its style sheet would look broken, and
 * a style sheet that no component uses is read by browsers for nothing.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** A class name of Mantine's build. */
const CLASS = /\bm_[0-9a-f]{6,8}\b/g;
/** The path of a style sheet in an import. */
const IMPORT = /'@mantine\/core\/styles\/(\w+\.css)'/g;

const LIST = join(import.meta.dirname, 'src/mantine-styles.ts');

/**
 * A line for each style sheet that the list lacks or has too many.
 *
 * @param list - the text of `mantine-styles.ts`
 * @param sheets - all style sheets of components by file name
 * @param code - the scripts of the build
 */
export function styleFaults(list: string, sheets: ReadonlyMap<string, string>, code: string): string[] {
  const used = new Set(code.match(CLASS));
  const listed = new Set([...list.matchAll(IMPORT)].map(([, name = '']) => name));
  return [...sheets].flatMap(([name, sheet]) => {
    const classes = sheet.match(CLASS) ?? [];
    if (classes.length === 0) return [];
    const isUsed = classes.some((one) => used.has(one));
    if (isUsed === listed.has(name)) return [];
    return isUsed
      ? [`mantine-styles.ts lacks ${name}.`]
      : [`No component uses ${name} of mantine-styles.ts.`];
  });
}

function readSheets(): Map<string, string> {
  const folder = fileURLToPath(new URL('.', import.meta.resolve('@mantine/core/styles/Input.css')));
  const names = readdirSync(folder).filter((name) => /^\w+\.css$/.test(name));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** Part of every build of the admin app. */
export function mantineStyles(): Plugin {
  return {
    name: 'parley-mantine-styles',
    apply: 'build',
    writeBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const code = chunks.map((chunk) => chunk.code).join('\n');
      const faults = styleFaults(readFileSync(LIST, 'utf8'), readSheets(), code);
      if (faults.length > 0) throw new Error(faults.join(' '));
    },
  };
}
