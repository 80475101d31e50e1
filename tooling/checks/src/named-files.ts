/**
 * Finds the files that a sentence names, and decides whether the repository has them. A name may be shortened as in the
 * docs: `voice/inbound-call.ts` stands for `apps/voice/src/inbound-call.ts`.
 */

/** A source file, a page or a migration by its name; a path that starts with a top folder, with or without an extension. */
const FILE_NAME =
  /(?<![\w./@:*<>{}-])(?:(?:\.{1,2}\/)*[\w@][\w@.-]*(?:\/[\w@.-]+)*\.(?:ts|tsx|mjs|md|sql)|(?:apps|docs|packages|tooling)\/[\w@./-]*\w)(?![\w*<{-])/g;

/** The folder of build results; git ignores it. */
const BUILD_OUTPUT = 'dist';

/** @returns every file name in the text */
export function findFileNames(text: string): string[] {
  return [...text.matchAll(FILE_NAME)].map(([name]) => name);
}

/** Answers whether a name stands for a file or folder of the repository. */
export class KnownFiles {
  /** Every path and every suffix of it that starts at a folder, with and without the folders called `src`. */
  readonly #names = new Set<string>();

  constructor(files: readonly string[]) {
    for (const file of files) this.#addWithFolders(file.split('/'));
  }

  #addWithFolders(parts: readonly string[]): void {
    const short = parts.filter((part) => part !== 'src');
    for (let end = parts.length; end > 0; end -= 1) this.#addSuffixes(parts.slice(0, end));
    for (let end = short.length; end > 0; end -= 1) this.#addSuffixes(short.slice(0, end));
  }

  #addSuffixes(parts: readonly string[]): void {
    for (let start = 0; start < parts.length; start += 1) this.#names.add(parts.slice(start).join('/'));
  }

  has(name: string): boolean {
    if (name.split('/').includes(BUILD_OUTPUT)) return true;
    return this.#names.has(name.replace(/^(?:\.{1,2}\/)+/, '').replace(/\/$/, ''));
  }
}
