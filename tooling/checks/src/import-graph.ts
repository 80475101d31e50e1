/** The import graph of the repository: which of its files imports which, across packages too. */
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { readImports } from './read-imports.ts';

/** One import of a file of the repository by another. */
export interface ImportEdge {
  from: string;
  to: string;
  line: number;
}

const SOURCE_FILE = /^(apps|packages|tooling)\/.*\.tsx?$/;
const PACKAGE_IMPORT = /^(@parley\/[a-z0-9-]+)(\/.*)?$/;

/** Reads every source file among `files` and resolves its relative and `@parley` imports. */
export function readImportGraph(files: readonly string[]): { sources: string[]; edges: ImportEdge[] } {
  const known = new Set(files);
  const entries = readPackageEntries(files);
  const sources = files.filter((file) => SOURCE_FILE.test(file));
  const edges = sources.flatMap((from) =>
    readImports(from, readFileSync(from, 'utf8')).flatMap(({ specifier, line }) => {
      const to = specifier.startsWith('.')
        ? posix.join(posix.dirname(from), specifier)
        : entries.get(specifier);
      if (to === undefined && PACKAGE_IMPORT.test(specifier))
        throw new Error(`${from}:${line} imports ${specifier}, which no package exports`);
      return to !== undefined && known.has(to) ? [{ from, to, line }] : [];
    }),
  );
  return { sources, edges };
}

/** Every specifier under which another package may import a file: `@parley/core`, `@parley/speech/fakes`. */
function readPackageEntries(files: readonly string[]): Map<string, string> {
  const entries = new Map<string, string>();
  for (const file of files) {
    if (!/^(apps|packages|tooling)\/[^/]+\/package\.json$/.test(file)) continue;
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as { name: string; exports?: unknown };
    for (const [subpath, target] of Object.entries(manifest.exports ?? {})) {
      const path = typeof target === 'string' ? target : Object.values(target as Record<string, string>)[0];
      if (path !== undefined)
        entries.set(posix.join(manifest.name, subpath), posix.join(posix.dirname(file), path));
    }
  }
  return entries;
}
