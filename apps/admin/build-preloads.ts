/**
 * Writes `preloads.json`: the scripts and styles of each page. The api names those of the requested page in its HTML, so that a
 * browser asks for them at once; otherwise it would find them when the app runs and knows who is signed in.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const PAGES = join(import.meta.dirname, 'src/page-imports.ts');
const ENTRY = '/index.html';
/** A row of the table in `page-imports.ts`. */
const ROW = /'(\/[^']*)': \(\) => import\('\.(\/[^']+)'\)/g;

/** A script of the build, and what it needs. */
export interface PreloadedChunk {
  fileName: string;
  /** File names. */
  imports: readonly string[];
  /** The id of the module that other scripts import; null for shared parts. */
  facadeModuleId: string | null;
  /** The style sheets of the chunk. */
  viteMetadata?: { importedCss: ReadonlySet<string> };
}

/**
 * What each page needs, by the pattern of its address as Express writes it. The large files that every page needs come first,
 * because a browser asks for them in this order.
 *
 * @param table - the text of `page-imports.ts`
 */
export function preloadsOf(chunks: readonly PreloadedChunk[], table: string): Record<string, string[]> {
  const rows = [...table.matchAll(ROW)].map(([, pattern = '', module = '']): [string, string[]] => {
    const modules = [ENTRY, `/src${module}`];
    return [pattern.replaceAll('$', ':'), [...filesOf(chunks, modules)]];
  });
  if (rows.length === 0) throw new Error('page-imports.ts has no rows.');
  return Object.fromEntries(rows);
}

/** All that the scripts of some modules import. @param modules - the ends of their paths */
function filesOf(chunks: readonly PreloadedChunk[], modules: readonly string[]): Set<string> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const files = new Set<string>();
  const add = (chunk: PreloadedChunk): void => {
    if (files.has(chunk.fileName)) return;
    files.add(chunk.fileName);
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
    for (const name of chunk.imports) add(byName.get(name) ?? chunk);
  };
  for (const module of modules) {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
    if (!chunk) throw new Error(`The build has no script for ${module}.`);
    add(chunk);
  }
  return files;
}

/** Part of every build of the admin app. */
export function preloads(): Plugin {
  return {
    name: 'parley-preloads',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const source = JSON.stringify(preloadsOf(chunks, readFileSync(PAGES, 'utf8')));
      this.emitFile({ type: 'asset', fileName: 'preloads.json', source });
    },
  };
}
