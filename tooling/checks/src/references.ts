/** Checks that every file that a comment or a page of the docs names is in the repository. */
import { readFileSync } from 'node:fs';
import { findFileNames, KnownFiles } from './named-files.ts';
import { readTextLines } from './read-comments.ts';
import { listRepositoryFiles } from './repository-files.ts';

const files = listRepositoryFiles();
const known = new KnownFiles(files);
const readable = files.filter((file) => /\.(tsx?|mjs|md)$/.test(file) && file !== 'THIRD-PARTY-NOTICES.md');
let named = 0;
const faults = readable.flatMap((file) =>
  readTextLines(file, readFileSync(file, 'utf8')).flatMap(({ text, line }) => {
    const names = findFileNames(text);
    named += names.length;
    return names.filter((name) => !known.has(name)).map((name) => `${file}:${line} names ${name}`);
  }),
);
for (const fault of faults) process.stdout.write(`${fault}, which the repository does not contain\n`);
process.stdout.write(`${readable.length} files, ${named} names\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
