import { mkdirSync, mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { compressFolder } from './build-compressed.ts';

it('texts of all folders are there compressed too, other and small files are not', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'parley-compressed-'));
  const text = 'parley '.repeat(400);
  mkdirSync(join(folder.path, 'assets'));
  for (const name of ['assets/page.js', 'styles.css', 'type.woff2'])
    writeFileSync(join(folder.path, name), text);
  writeFileSync(join(folder.path, 'small.js'), 'parley');
  compressFolder(folder.path);
  const files = [
    'assets',
    'assets/page.js',
    'assets/page.js.br',
    'assets/page.js.gz',
    'small.js',
    'styles.css',
    'styles.css.br',
    'styles.css.gz',
    'type.woff2',
  ];
  expect(new Set(readdirSync(folder.path, { recursive: true }))).toEqual(new Set(files));
  expect(brotliDecompressSync(readFileSync(join(folder.path, 'assets/page.js.br'))).toString()).toBe(text);
  expect(gunzipSync(readFileSync(join(folder.path, 'styles.css.gz'))).toString()).toBe(text);
});
