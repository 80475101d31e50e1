/**
 * Builds the widget after the admin app: two classic scripts without shared chunks, `widget/widget.js` and `widget/sound.js`,
 * which the api serves to pages of other origins. A widget of more than 20 kB compressed fails the build.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'vite';

/** Both files together, compressed by gzip, in bytes. */
export const MOST_WIDGET_BYTES = 20_000;

const FILES = { 'widget.js': 'src/widget/widget.ts', 'sound.js': 'src/widget/sound-worklet.ts' };

/** Part of every build of the admin app. */
export function widgetBuild(): Plugin {
  return {
    name: 'parley-widget',
    apply: 'build',
    async writeBundle({ dir = 'dist' }) {
      const folder = join(dir, 'widget');
      await buildWidget(folder);
      const bytes = widgetBytes(folder);
      if (bytes > MOST_WIDGET_BYTES)
        throw new Error(
          `The widget has ${bytes} bytes compressed; at most ${MOST_WIDGET_BYTES} are allowed.`,
        );
    },
  };
}

/** @param folder - receives the two files */
export async function buildWidget(folder: string): Promise<void> {
  for (const [file, entry] of Object.entries(FILES))
    await build({
      configFile: false,
      root: import.meta.dirname,
      logLevel: 'warn',
      publicDir: false,
      build: {
        target: 'es2022',
        outDir: folder,
        emptyOutDir: false,
        copyPublicDir: false,
        lib: { entry, formats: ['iife'], name: 'parleyWidget', fileName: () => file },
      },
    });
}

/** The size of both files, compressed. */
export function widgetBytes(folder: string): number {
  const sizes = Object.keys(FILES).map((file) => gzipSync(readFileSync(join(folder, file))).length);
  return sizes.reduce((sum, size) => sum + size, 0);
}
