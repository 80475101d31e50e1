/**
 * Goal P21 of docs/goals.md: the script of each page that a browser loads before it can draw the page, compressed. It is the
 * entry with the frame around the pages, the page and all that these import; what a page imports while it is used is loaded later (`src/ui/later.ts`).
 * A page above the limit fails the build where `CI` is `true`. Elsewhere it is a warning, so that `npm start` works with it.
 */
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** The maximum size of the scripts of one page, compressed by gzip, in bytes. */
export const MOST_PAGE_BYTES = 200_000;

const ENTRY = '/index.html';
const PAGES = '/src/page-imports.ts';

/** A script of the build. */
export interface BuiltChunk {
  fileName: string;
  code: string;
  /** File names. */
  imports: readonly string[];
  /** The id of the module that other scripts import; null for shared parts. */
  facadeModuleId: string | null;
}

/**
 * The bytes of the first load of each page, the heaviest first.
 *
 * @param pages - ids of the modules of `page-imports.ts`, the frame among them
 */
export function firstLoads(
  chunks: readonly BuiltChunk[],
  pages: readonly string[],
): { page: string; bytes: number }[] {
  const files = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const sizes = new Map(chunks.map(({ fileName, code }) => [fileName, gzipSync(code).length]));
  const chunkOf = (end: string): BuiltChunk => {
    const found = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(end));
    if (!found) throw new Error(`The build has no script for ${end}.`);
    return found;
  };
  const needed = (chunk: BuiltChunk, all: Set<string>): Set<string> => {
    if (all.has(chunk.fileName)) return all;
    all.add(chunk.fileName);
    for (const name of chunk.imports) needed(files.get(name) ?? chunk, all);
    return all;
  };
  const bytesOf = (page: string): number => {
    const loaded = new Set<string>();
    for (const id of [ENTRY, page]) needed(chunkOf(id), loaded);
    return [...loaded].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0);
  };
  return pages
    .map((page) => ({ page: basename(page, '.tsx'), bytes: bytesOf(page) }))
    .toSorted((one, other) => other.bytes - one.bytes);
}

/** @returns a text that names every page above the limit; null: there is none */
export function heavyPages(loads: readonly { page: string; bytes: number }[]): string | null {
  const heavy = loads.filter(({ bytes }) => bytes > MOST_PAGE_BYTES);
  if (heavy.length === 0) return null;
  const names = heavy.map(({ page, bytes }) => `${page} (${bytes})`).join(', ');
  return (
    `The first load of these pages has more than ${MOST_PAGE_BYTES} bytes of script, compressed: ${names}. ` +
    'Load what the first view does not need with later() of src/ui/later.ts.'
  );
}

/** Part of every build of the admin app. The build prints the size of every page. */
export function firstLoadLimit(): Plugin {
  return {
    name: 'parley-first-load',
    apply: 'build',
    writeBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const listId = [...this.getModuleIds()].find((id) => id.endsWith(PAGES));
      const pages = listId === undefined ? [] : this.getModuleInfo(listId)?.dynamicallyImportedIds;
      if (!pages || pages.length === 0) throw new Error(`The build has no pages of ${PAGES}.`);
      const loads = firstLoads(chunks, pages);
      for (const { page, bytes } of loads) this.info(`${page.padEnd(28)} ${(bytes / 1000).toFixed(1)} kB`);
      const fault = heavyPages(loads);
      if (fault === null) return;
      if (process.env['CI'] === 'true') throw new Error(fault);
      this.warn(fault);
    },
  };
}
