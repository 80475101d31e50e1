/**
 * The rules of docs/architecture.md that no linter checks: where the clock and the environment may be read, which file
 * names are forbidden, that rules are pure, that files and exports are documented. It examines lines of text, which is
 * sufficient against oversights and easy to read.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { listRepositoryFiles } from './repository-files.ts';

interface Fault {
  file: string;
  line: number;
  message: string;
}

interface LineRule {
  message: string;
  pattern: RegExp;
  /** Whether the rule applies to the file. */
  appliesTo: (file: string) => boolean;
}

const isTest = (file: string): boolean =>
  /\.test\.tsx?$|\/test\/|\/examples\/|packages\/testkit\/|tooling\//.test(file);
const isServerSource = (file: string): boolean =>
  file.endsWith('.ts') && !isTest(file) && !file.startsWith('apps/admin/');

const lineRules: readonly LineRule[] = [
  {
    message: 'reads the clock: take a Clock or a `now`',
    pattern: /\bDate\.now\(\)|\bnew Date\(\)|\bsetTimeout\(|\bsetInterval\(|\bperformance\.now\(\)/,
    // The media worker has a separate clock for pacing audio (docs/decisions/media-worker.md); the published client
    // cannot use @parley/runtime.
    appliesTo: (file) =>
      isServerSource(file) &&
      !file.startsWith('packages/runtime/') &&
      !/(media-(clock|worker)|client\/src\/wait)\.ts$/.test(file),
  },
  {
    message: 'reads the environment: only settings.ts may',
    pattern: /\bprocess\.env\b/,
    appliesTo: (file) =>
      isServerSource(file) && basename(file) !== 'settings.ts' && !file.startsWith('packages/runtime/'),
  },
  {
    message: 'a rules file imports only rules, texts, contracts and types',
    pattern: /^import (?!type\b).* from '(?!.*(\.rules\.ts|\/texts\.ts|@parley\/contracts)')/,
    appliesTo: (file) => file.endsWith('.rules.ts') && !file.startsWith('packages/core/src/dialing/'),
  },
  {
    message: 'hides the order in which statements take locks: use sendTogether',
    pattern: /\bPromise\.all\(\[/,
    appliesTo: (file) =>
      /^packages\/core\/src\/(lifecycle|dialing|capacity|outbox)\//.test(file) && !file.endsWith('.test.ts'),
  },
  {
    message: "names a statement of a test: test files share connections, where a name has one text; use ''",
    pattern: /(?:\bstatement(?:<.*>)?\(|^\s+)'test[_-]\w+',/,
    appliesTo: (file) => isTest(file) && file !== 'packages/db/src/send-together.test.ts',
  },
  {
    message:
      'has a comment that begins in the middle of a sentence: name what is described ("The size of …")',
    pattern: /\/\*\* (?:Of|By|And|So (?:that|long|many))\b/,
    appliesTo: () => true,
  },
  {
    message: 'imports a path of another package that is not public',
    pattern:
      /from '@parley\/[a-z]+\/(?!router'|call-states'|fakes'|guarded-http'|judge'|kept-fetch'|limited-process'|embedded'|backup'|postgres'|noise')/,
    appliesTo: (file) => /\.tsx?$/.test(file),
  },
];

const forbiddenNames = /^(utils?|helpers?|common|misc|managers?|types)(\.[a-z.]+)?$/;

function checkFile(file: string): Fault[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const faults: Fault[] = [];
  if (file.split('/').some((part) => forbiddenNames.test(part)))
    faults.push({ file, line: 1, message: 'has a name without meaning' });
  const isCode = /\.tsx?$/.test(file) && !isTest(file) && !file.includes('/migrations/');
  if (isCode && !/^\/\*\*|^\/\//.test(lines[0] ?? ''))
    faults.push({ file, line: 1, message: 'has no header that states its responsibility' });
  lines.forEach((text, index) => {
    for (const rule of lineRules)
      if (rule.appliesTo(file) && rule.pattern.test(text) && !/^\s*(\*|\/\/)/.test(text))
        faults.push({ file, line: index + 1, message: rule.message });
  });
  return faults;
}

/** The share of exported functions, classes and interfaces that carry a docstring. */
function documentedShare(files: readonly string[]): { documented: number; total: number; missing: string[] } {
  const missing: string[] = [];
  let total = 0;
  for (const file of files) {
    if (!isServerSource(file)) continue;
    const lines = readFileSync(file, 'utf8').split('\n');
    lines.forEach((text, index) => {
      if (!/^export (async )?(function\*?|class|interface|type) /.test(text)) return;
      total += 1;
      if (!/\*\/\s*$/.test(lines[index - 1] ?? '')) missing.push(`${file}:${index + 1}`);
    });
  }
  return { documented: total - missing.length, total, missing };
}

/** Below this share of documented exports the check fails. */
const DOCUMENTED_SHARE = 0.9;

const files = listRepositoryFiles().filter((file) =>
  /^(apps|packages|tooling)\/.*\.(ts|tsx|mjs)$/.test(file),
);
const faults = files.flatMap(checkFile);
for (const fault of faults) process.stdout.write(`${fault.file}:${fault.line} ${fault.message}\n`);
const docs = documentedShare(files);
const share = docs.total === 0 ? 1 : docs.documented / docs.total;
process.stdout.write(`${files.length} files; ${docs.documented} of ${docs.total} exports documented\n`);
if (share < DOCUMENTED_SHARE)
  process.stdout.write(`Exports without a docstring:\n${docs.missing.slice(0, 60).join('\n')}\n`);
process.exitCode = faults.length === 0 && share >= DOCUMENTED_SHARE ? 0 : 1;
