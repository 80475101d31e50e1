import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type PreloadedChunk, preloadsOf } from './build-preloads.ts';

function chunk(name: string, imports: string[] = [], styles: string[] = []): PreloadedChunk {
  const facadeModuleId = name.startsWith('shared') ? null : `/app${name}`;
  return { fileName: name, imports, facadeModuleId, viteMetadata: { importedCss: new Set(styles) } };
}

const CHUNKS = [
  chunk('/index.html', ['shared-a'], ['a.css']),
  chunk('shared-a', ['shared-b']),
  chunk('shared-b', ['shared-a']),
  chunk('/src/calls/call-page.tsx', ['shared-b', 'shared-d'], ['call.css', 'a.css']),
  chunk('shared-d'),
];

it('a page needs the files of the app and its own, each once and in this order', () => {
  const table = `{ '/calls/$callId': () => import('./calls/call-page.tsx') }`;
  expect(preloadsOf(CHUNKS, table)).toEqual({
    '/calls/:callId': [
      '/index.html',
      'a.css',
      'shared-a',
      'shared-b',
      '/src/calls/call-page.tsx',
      'call.css',
      'shared-d',
    ],
  });
});

it('a table that cannot be read, or a page without a script, fails the build', () => {
  expect(() => preloadsOf(CHUNKS, '')).toThrow('no rows');
  const table = `{ '/leads': () => import('./leads/leads-page.tsx') }`;
  expect(() => preloadsOf(CHUNKS, table)).toThrow('no script for /src/leads/leads-page.tsx');
});

it('every row of the real table is read', () => {
  const table = readFileSync(new URL('src/page-imports.ts', import.meta.url), 'utf8');
  const imports = [...table.matchAll(/import\('\.(\/.+?)'\)/g)].map(([, module = '']) => module);
  const chunks = ['/index.html', ...imports.map((module) => `/src${module}`)].map((name) => chunk(name));
  expect(Object.keys(preloadsOf(chunks, table))).toHaveLength(imports.length);
});
