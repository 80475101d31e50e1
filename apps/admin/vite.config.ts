/**
 * Builds the admin app into `dist/`, which the api serves under `/admin`. There are no build-time
 * variables: the same build runs behind every address.
 */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressed } from './build-compressed.ts';
import { firstLoadLimit } from './build-first-load.ts';
import { mantineStyles } from './build-mantine-styles.ts';
import { preloads } from './build-preloads.ts';
import { widgetBuild } from './build-widget.ts';

/** Where a developer's own api listens while `vite dev` serves the pages. */
const LOCAL_API = 'http://127.0.0.1:3000';

/**
 * What most pages need is one file, and so are the icons: files of some hundred bytes compress badly, and a page loaded forty of
 * them. Each page becomes some 8 kB lighter.
 */
const SHARED = [
  { name: 'frame', minShareCount: 15, priority: 2 },
  { name: 'icons', test: /@tabler\/icons-react/, minShareCount: 2, priority: 1 },
];

export default defineConfig(({ command }) => {
  // A test runner that builds has set NODE_ENV=test, which would put React's development code in the build.
  if (command === 'build') process.env['NODE_ENV'] = 'production';
  return {
    base: '/admin/',
    plugins: [react(), firstLoadLimit(), mantineStyles(), preloads(), widgetBuild(), compressed()],
    build: {
      target: 'es2024',
      // The content security policy allows no data: addresses, so nothing may be inlined as one.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // One file, and not ten: a browser asks an HTTP/1.1 server for six files at a time.
      cssCodeSplit: false,
      rolldownOptions: { output: { codeSplitting: { groups: SHARED } } },
    },
    worker: { format: 'es' as const },
    server: {
      proxy: {
        '/trpc': { target: LOCAL_API, ws: true },
        '/talk': { target: LOCAL_API, ws: true },
        '/widget.js': LOCAL_API,
        '/widget': { target: LOCAL_API, ws: true },
        '/recordings': LOCAL_API,
        '/lead-files': LOCAL_API,
        '/document-files': LOCAL_API,
        '/phrase-sounds': LOCAL_API,
      },
    },
  };
});
