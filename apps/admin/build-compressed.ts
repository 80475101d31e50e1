/** Writes each file of the build compressed beside it, so that the api compresses nothing when a browser asks for it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXTS = /\.(?:js|css|svg)$/;
/** Below this size compression saves no packet. */
const MIN_BYTES = 1024;
/** Half a second for all files, and 3 % larger than with the highest quality, which takes six. */
const QUALITY = 9;

/** @param folder - of files and folders; receives a `.br` and a `.gz` for each text */
export function compressFolder(folder: string): void {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, file);
    if (!TEXTS.test(file)) continue;
    const bytes = readFileSync(path);
    if (bytes.length < MIN_BYTES) continue;
    writeFileSync(
      `${path}.br`,
      brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }),
    );
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

/** The last part of the build of the admin app. */
export function compressed(): Plugin {
  return {
    name: 'parley-compressed',
    apply: 'build',
    enforce: 'post',
    closeBundle() {
      compressFolder(this.environment.config.build.outDir);
    },
  };
}
